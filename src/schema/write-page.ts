import type { WrittenPage } from '../memory/memory-writer.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { IDEMPOTENCY_KEY, PageInputRef, RECORDING_SESSION } from './page-input.ts';
import { OUTCOME, PAGE_AS_WRITTEN, VERSION, write } from './written-page.ts';

const WritePageSuccessRef = builder
  .objectRef<WrittenPage & { readonly graphSequence: number }>('WritePageSuccess')
  .implement({
    description: 'The page was written.',
    fields: (t) => ({
      page: t.field(PAGE_AS_WRITTEN),
      version: t.exposeInt('version', VERSION),
      outcome: t.expose('outcome', OUTCOME),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

const WritePageInputRef = builder.inputType('WritePageInput', {
  description: 'One page to write.',
  fields: (t) => ({
    project: t.string({ required: true, description: 'The exact name of its project.' }),
    page: t.field({ type: PageInputRef, required: true, description: 'The page.' }),
    session: t.id({ description: RECORDING_SESSION }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

builder.mutationField('writePage', (t) =>
  t.field({
    type: WritePageSuccessRef,
    description:
      'Writes one page. A changed kind, title or body makes a new version; the same again is one more piece of evidence.',
    errors: {
      types: FAILURES.writePage,
      directResult: true,
      union: {
        name: 'WritePageResult',
        description: 'The written page, or why it was not written.',
      },
    },
    args: {
      input: t.arg({ type: WritePageInputRef, required: true, description: 'What to write.' }),
    },
    resolve: async (_root, { input: { project, page, session, idempotencyKey } }, context) => {
      const request = { project, pages: [page], session, idempotencyKey };
      const { result, graphSequence } = await write(context, request, () => 'page.');
      const [written] = result;
      if (written === undefined) throw new Error('Expected one written page, but got none.');
      return { ...written, graphSequence };
    },
  }),
);
