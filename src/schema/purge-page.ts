import type { Committed, PurgeCounts } from '../memory/memory-writer.ts';
import { purgePage } from '../memory/purge-page.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';
import { toPageId } from './global-id.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { inInput } from './in-input.ts';

const PurgePageInputRef = builder.inputType('PurgePageInput', {
  description: 'A page to remove.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The page.' }) }),
});

const PurgePageSuccessRef = builder
  .objectRef<Committed<PurgeCounts>>('PurgePageSuccess')
  .implement({
    description: 'What was removed, in numbers: of what you may see.',
    fields: (t) => ({
      versions: t.int({
        description: 'Versions removed.',
        resolve: ({ result }) => result.versions,
      }),
      passages: t.int({
        description: 'Passages removed, with their vectors.',
        resolve: ({ result }) => result.passages,
      }),
      evidence: t.int({
        description: 'Pieces of evidence removed.',
        resolve: ({ result }) => result.evidence,
      }),
      hints: t.int({ description: 'Hints removed.', resolve: ({ result }) => result.hints }),
      edges: t.int({
        description: 'Edges removed, retracted ones included.',
        resolve: ({ result }) => result.edges,
      }),
      waitingLinks: t.int({
        description: 'Links of other pages that wait for the path again.',
        resolve: ({ result }) => result.waitingLinks,
      }),
      people: t.int({
        description: 'Assignments of people removed.',
        resolve: ({ result }) => result.people,
      }),
      observations: t.int({
        description:
          'Observations of sessions about it removed; with the page of a session, all of that session.',
        resolve: ({ result }) => result.observations,
      }),
      sessionPages: t.int({
        description:
          'Pages of sessions that were made anew without them, and lost what they said before.',
        resolve: ({ result }) => result.sessionPages,
      }),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

builder.mutationField('purgePage', (t) =>
  t.field({
    type: PurgePageSuccessRef,
    description:
      'Removes a page for good: its versions, passages, vectors, evidence, hints and edges, and what sessions observed about it. With the page of a session goes the session. An audit row without content stays. Reads of the past do not see it either.',
    errors: {
      types: FAILURES.purgePage,
      directResult: true,
      union: { name: 'PurgePageResult', description: 'What was removed, or why nothing was.' },
    },
    args: {
      input: t.arg({ type: PurgePageInputRef, required: true, description: 'What to remove.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller } = await context.toWrite();
      const purged = await inInput(async () =>
        purgePage(context.stores, caller, toPageId(input.id, 'id')),
      );
      context.forget();
      return purged;
    },
  }),
);
