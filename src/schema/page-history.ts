import { parseVersionCursor, toVersionCursor } from '../memory/cursor.ts';
import type { PageVersion } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import { builder } from './builder.ts';
import { PageKindRef, SensitivityRef } from './enums.ts';
import { PageRef } from './page.ts';

const DEFAULT_VERSIONS = 10;
const MAX_VERSIONS = 100;

type VersionList = {
  readonly versions: readonly PageVersion[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  readonly total: number;
};

const PageVersionRef = builder.objectRef<PageVersion>('PageVersion').implement({
  description: 'One content of a page. Versions are never edited.',
  fields: (t) => ({
    version: t.exposeInt('version', { description: 'From 1.' }),
    kind: t.expose('kind', { type: PageKindRef, description: 'What kind of belief it held.' }),
    title: t.exposeString('title', { description: 'The title.' }),
    body: t.exposeString('body', { description: 'The body, Markdown.' }),
    hints: t.stringList({
      description: 'Always empty: hints belong to the page, not to a version.',
      resolve: () => [],
    }),
    sensitivity: t.expose('sensitivity', { type: SensitivityRef, description: 'Who may read it.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is true, inclusive; null: since ever.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it is true, exclusive; null: open.',
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was written.' }),
    recordedTo: t.expose('recordedTo', {
      type: 'DateTime',
      nullable: true,
      description:
        'When a later version took its place for good: one with the same `validFrom`, or that covers its valid time. Null while none has.',
    }),
  }),
});

const PageVersionEdgeRef = builder.objectRef<PageVersion>('PageVersionEdge').implement({
  description: 'An entry of a history.',
  fields: (t) => ({
    cursor: t.string({
      description: 'Opaque; pass it as `after` to go on from here.',
      resolve: toCursor,
    }),
    node: t.field({
      type: PageVersionRef,
      description: 'The version.',
      resolve: (version) => version,
    }),
  }),
});

const PageVersionConnectionRef = builder.objectRef<VersionList>('PageVersionConnection').implement({
  description: 'The versions of a page, newest first.',
  fields: (t) => ({
    edges: t.field({
      type: [PageVersionEdgeRef],
      description: 'The entries, each with its cursor.',
      resolve: ({ versions }) => versions,
    }),
    nodes: t.field({
      type: [PageVersionRef],
      description: 'The versions, in the same order.',
      resolve: ({ versions }) => versions,
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'How to go on.',
      resolve: ({ versions, hasMore, isFirst }) => ({
        hasNextPage: hasMore,
        hasPreviousPage: !isFirst,
        startCursor: versions.map(toCursor).at(0) ?? null,
        endCursor: versions.map(toCursor).at(-1) ?? null,
      }),
    }),
    totalCount: t.exposeInt('total', { description: 'All versions that you may read.' }),
  }),
});

builder.objectField(PageRef, 'history', (t) =>
  t.field({
    type: PageVersionConnectionRef,
    description: 'What the page said before, newest first.',
    extensions: {
      size: ({ first }: { first?: number | null }) => first ?? DEFAULT_VERSIONS,
    },
    args: {
      first: t.arg.int({
        description: `How many, 1 to ${MAX_VERSIONS}; ${DEFAULT_VERSIONS} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection.' }),
    },
    resolve: async (page, { first, after }, { loadersAt }) => {
      const list = await loadersAt(page.readAt).versions.load({
        pageId: page.id,
        first: parseFirst(first ?? DEFAULT_VERSIONS, { most: MAX_VERSIONS, field: 'first' }),
        before: after == null ? null : parseVersionCursor(after),
      });
      return { ...list, isFirst: after == null };
    },
  }),
);

function toCursor({ version }: PageVersion): string {
  return toVersionCursor(version);
}
