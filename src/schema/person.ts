import { InvalidInputError } from '../memory/errors.ts';
import { parseFirst } from '../memory/paging.ts';
import { ASSIGNMENT_STATES, type AssignmentState, type Person } from '../memory/person.ts';
import { parsePersonCursor, toPersonCursor } from '../memory/person-cursor.ts';
import type { AssignedPerson } from '../memory/person-store.ts';
import { parseText } from '../memory/text-input.ts';
import { builder } from './builder.ts';
import { CURSOR, connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import { describe } from './enums.ts';
import { PageRef } from './page.ts';

const DEFAULT_PEOPLE = 20;
const MAX_PEOPLE = 100;

export const PersonRef = builder.objectRef<Person>('Person');

builder.node(PersonRef, {
  description:
    'Somebody whom pages have to do with. People belong to the tenant: whoever may read in it may know them, but not which pages they belong to.',
  id: { resolve: (person) => person.id },
  loadManyWithoutCache: async (ids, { loadersAt }) => {
    const found = await loadersAt(null).person.loadMany(ids);
    return found.map((person) => (person instanceof Error ? raise(person) : person));
  },
  fields: (t) => ({
    name: t.exposeString('name', { description: 'At most 128 characters; need not be unique.' }),
    aliases: t.exposeStringList('aliases', { description: 'What else they are called.' }),
  }),
});

export const AssignmentStateRef = builder.enumType('AssignmentState', {
  description: 'How sure it is that a person belongs to a page.',
  values: describe(ASSIGNMENT_STATES, {
    RESOLVED: 'It is: the page passes a filter by this person.',
    UNRESOLVED: 'It may be: shown, but no filter lets the page through.',
    HIDDEN: 'It is not, or not to be told: shown to nobody.',
  } satisfies { [Key in AssignmentState]: string }),
});

const PersonEdgeRef = entryOf('PersonEdge', PersonRef, {
  description: 'An entry of a list of people.',
  noun: 'person',
});

const PersonConnectionRef = builder.objectRef<Listed<Entry<Person>>>('PersonConnection').implement({
  description: 'People by name.',
  fields: (t) =>
    connectionFields(t, {
      edge: PersonEdgeRef,
      node: PersonRef,
      nodes: 'The people, in the same order.',
      totalCount: 'All of them. Costs a statement of its own.',
    }),
});

type AssignedEntry = Entry<Person> & Pick<AssignedPerson, 'state'>;

const PagePersonEdgeRef = builder.objectRef<AssignedEntry>('PagePersonEdge').implement({
  description: 'A person who has to do with a page.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', CURSOR),
    node: t.expose('node', { type: PersonRef, description: 'The person.' }),
    state: t.expose('state', { type: AssignmentStateRef, description: 'How sure it is.' }),
  }),
});

const PagePersonConnectionRef = builder
  .objectRef<Listed<AssignedEntry>>('PagePersonConnection')
  .implement({
    description: 'The people of a page, by name; hidden assignments are not among them.',
    fields: (t) =>
      connectionFields(t, {
        edge: PagePersonEdgeRef,
        node: PersonRef,
        nodes: 'The people, in the same order.',
        totalCount: 'All people of the page.',
      }),
  });

const SIZE = { size: ({ first }: { first?: number | null }) => toCount(first) };
const FIRST = { description: `How many, 1 to ${MAX_PEOPLE}; ${DEFAULT_PEOPLE} when left out.` };
const AFTER = { description: 'A cursor of this connection.' };

builder.objectField(PageRef, 'people', (t) =>
  t.field({
    type: PagePersonConnectionRef,
    description: 'Who has to do with it, as of now: assignments are not versioned.',
    extensions: SIZE,
    args: { first: t.arg.int(FIRST), after: t.arg.string(AFTER) },
    resolve: async ({ id: pageId }, { first, after }, { loadersAt }) => {
      const { people, hasMore, total } = await loadersAt(null).peopleOfPages.load({
        pageId,
        first: toCount(first),
        after: after == null ? null : parsePersonCursor(after, pageId),
      });
      return {
        entries: people.map(({ person, state }) => ({
          node: person,
          state,
          cursor: toPersonCursor(person, pageId),
        })),
        hasMore,
        isFirst: after == null,
        total: () => total,
      };
    },
  }),
);

builder.queryField('people', (t) =>
  t.field({
    type: PersonConnectionRef,
    nullable: true,
    description: 'The people of the tenant, by name.',
    extensions: SIZE,
    args: {
      named: t.arg.string({
        description: 'Only those with this name or alias, matched exactly; all when left out.',
      }),
      first: t.arg.int(FIRST),
      after: t.arg.string(AFTER),
      run: t.arg.id({ description: 'The run that this is a search of, if any: it counts.' }),
    },
    resolve: async (_root, args, { stores, viewAt, principal }) => {
      const view = await viewAt(null);
      const named = args.named == null ? null : toName(args.named);
      const query = {
        named,
        first: toCount(args.first),
        after: args.after == null ? null : parsePersonCursor(args.after, null),
      };
      if (args.run != null) stores.runs.spend(principal, args.run, stores.clock());
      const { people, hasMore } = await stores.people.list(view, query);
      return {
        entries: people.map((node) => ({ node, cursor: toPersonCursor(node, null) })),
        hasMore,
        isFirst: args.after == null,
        total: () => stores.people.count(view, named),
      };
    },
  }),
);

/** Names are kept in NFC, and none is longer than this in any form. */
function toName(named: string): string {
  if (named === '') throw new InvalidInputError('named', 'a name', 'an empty text');
  return parseText(named, { field: 'named', maxCharacters: 1_000 }).normalize('NFC');
}

function toCount(first: number | null | undefined): number {
  return parseFirst(first ?? DEFAULT_PEOPLE, { most: MAX_PEOPLE, field: 'first' });
}

function raise(error: Error): never {
  throw error;
}
