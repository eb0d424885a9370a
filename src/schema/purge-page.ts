import type { Committed, PurgeCounts } from '../memory/memory-writer.ts';
import { purgePage } from '../memory/purge-page.ts';
import { builder } from './builder.ts';
import { WRITE_FAILURES } from './errors.ts';
import { toPageId } from './global-id.ts';
import { callerOf } from './write-pages.ts';

const PurgePageInputRef = builder.inputType('PurgePageInput', {
  description: 'A page to remove.',
  fields: (t) => ({ id: t.id({ required: true, description: 'The page.' }) }),
});

const PurgePageSuccessRef = builder
  .objectRef<Committed<PurgeCounts>>('PurgePageSuccess')
  .implement({
    description: 'What was removed, in numbers.',
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
      graphSequence: t.string({
        description: 'The newest change of the graph that this write made or saw.',
        resolve: ({ graphSequence }) => String(graphSequence),
      }),
    }),
  });

builder.mutationField('purgePage', (t) =>
  t.field({
    type: PurgePageSuccessRef,
    description:
      'Removes a page for good: its versions, passages, vectors, evidence, hints and edges. An audit row without content stays. Reads of the past do not see it either.',
    errors: {
      types: WRITE_FAILURES,
      directResult: true,
      union: { name: 'PurgePageResult', description: 'What was removed, or why nothing was.' },
    },
    args: {
      input: t.arg({ type: PurgePageInputRef, required: true, description: 'What to remove.' }),
    },
    resolve: async (_root, { input }, context) => {
      const id = toPageId(input.id, 'id');
      const purged = await purgePage(context.stores, await callerOf(context), id);
      context.forget();
      return purged;
    },
  }),
);
