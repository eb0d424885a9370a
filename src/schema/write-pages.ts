import type { Committed, WrittenPage } from '../memory/memory-writer.ts';
import { MAX_PAGES_PER_WRITE } from '../memory/write-pages.ts';
import { builder } from './builder.ts';
import { FAILURES } from './errors.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { IDEMPOTENCY_KEY, PageInputRef, RECORDING_SESSION } from './page-input.ts';
import { WrittenPageRef, write } from './written-page.ts';

const WritePagesSuccessRef = builder
  .objectRef<Committed<readonly WrittenPage[]>>('WritePagesSuccess')
  .implement({
    description: 'All pages were written, in one transaction.',
    fields: (t) => ({
      pages: t.field({
        type: [WrittenPageRef],
        description: 'In the order of the input.',
        resolve: ({ result }) => result,
      }),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

const WritePagesInputRef = builder.inputType('WritePagesInput', {
  description: 'Pages to write in one transaction.',
  fields: (t) => ({
    project: t.string({
      description: 'The exact name of the project of all pages that do not name another.',
    }),
    pages: t.field({
      type: [PageInputRef],
      required: true,
      description: `1 to ${MAX_PAGES_PER_WRITE} pages, each at most once.`,
    }),
    session: t.id({ description: RECORDING_SESSION }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

builder.mutationField('writePages', (t) =>
  t.field({
    type: WritePagesSuccessRef,
    description:
      'Writes pages: all of them, or none. Links between them, and links that waited for them, become edges.',
    errors: {
      types: FAILURES.writePages,
      directResult: true,
      union: {
        name: 'WritePagesResult',
        description: 'The written pages, or why none was written.',
      },
    },
    extensions: {
      size: ({ input }: { input: { pages: readonly unknown[] } }) => input.pages.length,
    },
    args: {
      input: t.arg({ type: WritePagesInputRef, required: true, description: 'What to write.' }),
    },
    resolve: (_root, { input: { project, pages, session, idempotencyKey } }, context) =>
      write(context, { project, pages, session, idempotencyKey }, (index) => `pages.${index}.`),
  }),
);
