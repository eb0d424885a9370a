import type { PageId } from '../memory/page.ts';
import type { AssignmentState, PersonId } from '../memory/person.ts';
import { assignPerson, MAX_ALIASES, putPerson } from '../memory/put-person.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { FAILURES } from './errors.ts';
import { toPageId, toPersonId } from './global-id.ts';
import { inInput } from './in-input.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';
import { AssignmentStateRef, PersonRef } from './person.ts';

const PERSON = {
  type: PersonRef,
  nullable: true as const,
  description: 'The person, as they are now.',
  resolve: ({ personId }: { personId: PersonId }, _args: object, context: RequestContext) =>
    context.loadersAt(null).person.load(personId),
};

const PutPersonInputRef = builder.inputType('PutPersonInput', {
  description:
    'A person to make or to change. Secrets in their names are stored as `[REDACTED:<kind>]`.',
  fields: (t) => ({
    id: t.id({ description: 'The person to change; a new one when left out.' }),
    name: t.string({ required: true, description: 'Not blank; at most 128 characters.' }),
    aliases: t.stringList({
      description: `What else they are called: at most ${MAX_ALIASES} of at most 128 characters. They replace those before; left out: none.`,
    }),
    idempotencyKey: t.string({
      description: 'Makes a retry safe that makes a person; see `WritePagesInput.idempotencyKey`.',
    }),
  }),
});

const PutPersonSuccessRef = builder
  .objectRef<{ readonly personId: PersonId }>('PutPersonSuccess')
  .implement({ description: 'The person is kept.', fields: (t) => ({ person: t.field(PERSON) }) });

builder.mutationField('putPerson', (t) =>
  t.field({
    type: PutPersonSuccessRef,
    description: 'Makes a person, or gives one another name and other aliases.',
    errors: {
      types: FAILURES.putPerson,
      directResult: true,
      union: { name: 'PutPersonResult', description: 'The person, or why they were not kept.' },
    },
    args: {
      input: t.arg({ type: PutPersonInputRef, required: true, description: 'Who.' }),
    },
    resolve: async (_root, { input: { id, ...person } }, context) => {
      const { caller } = await context.toWrite();
      const personId = await inInput(async () =>
        putPerson(context.stores, caller, {
          ...person,
          id: id == null ? null : toPersonId(id, 'id'),
        }),
      );
      context.forget();
      return { personId };
    },
  }),
);

const AssignPersonInputRef = builder.inputType('AssignPersonInput', {
  description: 'Whether a person has to do with a page.',
  fields: (t) => ({
    person: t.id({ required: true, description: 'The person.' }),
    page: t.id({ required: true, description: 'The page.' }),
    state: t.field({
      type: AssignmentStateRef,
      required: true,
      description: 'How sure it is; the later of two counts.',
    }),
  }),
});

type Assigned = {
  readonly personId: PersonId;
  readonly pageId: PageId;
  readonly state: AssignmentState;
};

const AssignPersonSuccessRef = builder.objectRef<Assigned>('AssignPersonSuccess').implement({
  description: 'The person is assigned.',
  fields: (t) => ({
    person: t.field(PERSON),
    page: t.field({
      type: PageRef,
      nullable: true,
      description: 'The page, as it is now; null when it has just been removed.',
      resolve: ({ pageId }, _args, context) => pageAt(context, pageId, null),
    }),
    state: t.expose('state', { type: AssignmentStateRef, description: 'How sure it is.' }),
  }),
});

builder.mutationField('assignPerson', (t) =>
  t.field({
    type: AssignPersonSuccessRef,
    description: 'Says whether a person has to do with a page. Safe to repeat.',
    errors: {
      types: FAILURES.assignPerson,
      directResult: true,
      union: {
        name: 'AssignPersonResult',
        description: 'The assignment, or why there is none.',
      },
    },
    args: {
      input: t.arg({ type: AssignPersonInputRef, required: true, description: 'Who and what.' }),
    },
    resolve: async (_root, { input: { person, page, state } }, context) => {
      const { caller } = await context.toWrite();
      const assigned = await inInput(async () => {
        const assignment = {
          personId: toPersonId(person, 'person'),
          pageId: toPageId(page, 'page'),
          state,
        };
        await assignPerson(context.stores, caller, assignment);
        return assignment;
      });
      context.forget();
      return assigned;
    },
  }),
);
