import type { Caller } from '../memory/caller.ts';
import {
  HintsDisabledError,
  InvalidInputError,
  NotFoundError,
  SupersessionCycleError,
  VersionConflictError,
} from '../memory/errors.ts';
import type { WriteOutcome, WrittenPage } from '../memory/memory-writer.ts';
import type { ProjectId } from '../memory/page.ts';
import type { PageInput } from '../memory/parse-page-input.ts';
import { MAX_PAGES_PER_WRITE, type WriteOptions, writePages } from '../memory/write-pages.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { describe, PageKindRef, SensitivityRef } from './enums.ts';
import { WRITE_FAILURES } from './errors.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';
import { findProject } from './project.ts';

const PageInputRef = builder.inputType('PageInput', {
  description: 'A page to write. What is left out takes its default: a write says all of a page.',
  fields: (t) => ({
    project: t.string({
      description: 'The exact name of its project, where it is not that of the whole write.',
    }),
    path: t.string({
      required: true,
      description:
        'Its path in the project: segments joined by `/`, at most 512 bytes; none of them empty, `.` or `..`.',
    }),
    title: t.string({ required: true, description: 'Not blank; at most 300 characters.' }),
    body: t.string({
      description:
        'Markdown, at most 1 MiB; empty when left out. Links in it become edges: `[[path]]`, `[[project:path]]` and Markdown links to paths give `REFERENCES`; a list item that starts with a kind (`- fixes [[path]]`) or an inline field (`causes:: [[path]]`) gives a typed edge. A link to a page that is not there waits for it.',
    }),
    kind: t.field({ type: PageKindRef, description: '`NOTE` when left out.' }),
    tags: t.stringList({
      description:
        'At most 32 of at most 64 characters. They replace those before; left out: none.',
    }),
    attributes: t.field({
      type: 'JSONObject',
      description: 'At most 16 KiB. They replace those before; left out: none.',
    }),
    sensitivity: t.field({
      type: SensitivityRef,
      description: '`INTERNAL` when left out; not above your clearance.',
    }),
    importance: t.int({ description: '1 to 10; 5 when left out.' }),
    hints: t.stringList({
      description:
        'Up to 3 questions that the page answers, each at most 200 bytes, for keyword recall. Refused while the server takes none.',
    }),
    archived: t.boolean({ description: 'Puts the page away; false when left out.' }),
    validFrom: t.field({
      type: 'DateTime',
      description: 'Since when it is true, inclusive; left out: since ever.',
    }),
    validTo: t.field({
      type: 'DateTime',
      description: 'Until when it is true, exclusive; left out: open.',
    }),
    expectedVersion: t.int({
      description:
        'The version that you have seen, 0 for none: when another is current, the write is refused.',
    }),
  }),
});

const WriteOutcomeRef = builder.enumType('WriteOutcome', {
  description: 'What a write came to.',
  values: describe(['CREATED', 'REVISED', 'RECONSOLIDATED'], {
    CREATED: 'A new page.',
    REVISED: 'A new version of a page.',
    RECONSOLIDATED:
      'The same kind, title and body again: no new version, one more piece of evidence. Tags, attributes, importance, hints and sensitivity were replaced.',
  } satisfies { [Key in WriteOutcome]: string }),
});

const WrittenPageRef = builder.objectRef<WrittenPage>('WrittenPage').implement({
  description: 'A page as a write left it.',
  fields: (t) => ({
    page: t.field({
      type: PageRef,
      description: 'The page, as it is now.',
      resolve: ({ pageId }, _args, context) => pageAt(context, pageId, null),
    }),
    version: t.exposeInt('version', {
      description: 'The version that the write made or confirmed.',
    }),
    outcome: t.expose('outcome', { type: WriteOutcomeRef, description: 'What it came to.' }),
  }),
});

const GRAPH_SEQUENCE =
  'The newest change of the graph that this write made or saw, a growing decimal number.';

const IDEMPOTENCY_KEY =
  'Makes a retry safe: the same key with the same input gets the first answer, with other input an error. At most 255 bytes.';

const PAGE_WRITE_FAILURES = [
  ...WRITE_FAILURES,
  VersionConflictError,
  SupersessionCycleError,
  HintsDisabledError,
];

type Success<T> = { readonly result: T; readonly graphSequence: number };

const WritePagesSuccessRef = builder
  .objectRef<Success<readonly WrittenPage[]>>('WritePagesSuccess')
  .implement({
    description: 'All pages were written, in one transaction.',
    fields: (t) => ({
      pages: t.field({
        type: [WrittenPageRef],
        description: 'In the order of the input.',
        resolve: ({ result }) => result,
      }),
      graphSequence: t.string({
        description: GRAPH_SEQUENCE,
        resolve: ({ graphSequence }) => String(graphSequence),
      }),
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
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

builder.mutationField('writePages', (t) =>
  t.field({
    type: WritePagesSuccessRef,
    description:
      'Writes pages: all of them, or none. Links between them, and links that waited for them, become edges.',
    errors: {
      types: PAGE_WRITE_FAILURES,
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
    resolve: async (_root, { input }, context) => {
      const fieldOf = (index: number) => `pages.${index}.`;
      return write(context, input.project, input.pages, input.idempotencyKey, fieldOf);
    },
  }),
);

const WritePageSuccessRef = builder
  .objectRef<WrittenPage & { readonly graphSequence: number }>('WritePageSuccess')
  .implement({
    description: 'The page was written.',
    fields: (t) => ({
      page: t.field({
        type: PageRef,
        description: 'The page, as it is now.',
        resolve: ({ pageId }, _args, context) => pageAt(context, pageId, null),
      }),
      version: t.exposeInt('version', {
        description: 'The version that the write made or confirmed.',
      }),
      outcome: t.expose('outcome', { type: WriteOutcomeRef, description: 'What it came to.' }),
      graphSequence: t.string({
        description: GRAPH_SEQUENCE,
        resolve: ({ graphSequence }) => String(graphSequence),
      }),
    }),
  });

const WritePageInputRef = builder.inputType('WritePageInput', {
  description: 'One page to write.',
  fields: (t) => ({
    project: t.string({ required: true, description: 'The exact name of its project.' }),
    page: t.field({ type: PageInputRef, required: true, description: 'The page.' }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

builder.mutationField('writePage', (t) =>
  t.field({
    type: WritePageSuccessRef,
    description:
      'Writes one page. A changed kind, title or body makes a new version; the same again is one more piece of evidence.',
    errors: {
      types: PAGE_WRITE_FAILURES,
      directResult: true,
      union: {
        name: 'WritePageResult',
        description: 'The written page, or why it was not written.',
      },
    },
    args: {
      input: t.arg({ type: WritePageInputRef, required: true, description: 'What to write.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { result, graphSequence } = await write(
        context,
        input.project,
        [input.page],
        input.idempotencyKey,
        () => 'page.',
      );
      const [written] = result;
      if (written === undefined) throw new NotFoundError('page', 'the written page');
      return { ...written, graphSequence };
    },
  }),
);

/** The caller of a request, as operations take it. */
export async function callerOf({ principal, viewAt }: RequestContext): Promise<Caller> {
  return { principal, view: await viewAt(null) };
}

async function write(
  context: RequestContext,
  project: string | null | undefined,
  pages: readonly (typeof PageInputRef.$inferInput)[],
  idempotencyKey: string | null | undefined,
  fieldOf: WriteOptions['fieldOf'],
): Promise<Success<readonly WrittenPage[]>> {
  const projects = await context.projects();
  const projectIdOf = (name: string | null | undefined, field: string): ProjectId => {
    if (name == null || name === '') {
      throw new InvalidInputError(field, 'the name of a project', 'none');
    }
    const found = findProject({ name }, projects);
    if (found === null) throw new NotFoundError(field, `a project named "${name}"`);
    return found.id;
  };
  const inputs = pages.map(
    ({ project: own, ...page }, index): PageInput => ({
      ...page,
      projectId:
        own == null
          ? projectIdOf(project, 'project')
          : projectIdOf(own, `${fieldOf(index)}project`),
    }),
  );
  const written = await writePages(
    context.stores,
    await callerOf(context),
    { pages: inputs, idempotencyKey },
    { projects, hintsEnabled: context.limits.hintsEnabled, fieldOf },
  );
  context.forget();
  return written;
}
