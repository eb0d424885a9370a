import { parseVersionCursor, toVersionCursor } from '../memory/cursor.ts';
import type { PageVersion } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import { builder } from './builder.ts';
import { connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import { PageKindRef, SensitivityRef } from './enums.ts';
import { PageRef } from './page.ts';

const DEFAULT_VERSIONS = 10;
const MAX_VERSIONS = 100;

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

const PageVersionEdgeRef = entryOf('PageVersionEdge', PageVersionRef, {
  description: 'An entry of a history.',
  noun: 'version',
});

const PageVersionConnectionRef = builder
  .objectRef<Listed<Entry<PageVersion>>>('PageVersionConnection')
  .implement({
    description: 'The versions of a page, newest first.',
    fields: (t) =>
      connectionFields(t, {
        edge: PageVersionEdgeRef,
        node: PageVersionRef,
        nodes: 'The versions, in the same order.',
        totalCount: 'All versions that you may read.',
      }),
  });

builder.objectField(PageRef, 'history', (t) =>
  t.field({
    type: PageVersionConnectionRef,
    description: 'What the page said before, newest first.',
    extensions: {
      size: ({ first }: { first?: number | null }) => toCount(first),
    },
    args: {
      first: t.arg.int({
        description: `How many, 1 to ${MAX_VERSIONS}; ${DEFAULT_VERSIONS} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection.' }),
    },
    resolve: async (page, { first, after }, { loadersAt }) => {
      const { versions, hasMore, total } = await loadersAt(page.readAt).versions.load({
        pageId: page.id,
        first: toCount(first),
        before: after == null ? null : parseVersionCursor(after, page.id),
      });
      return {
        entries: versions.map((node) => ({ node, cursor: toVersionCursor(node.version, page.id) })),
        hasMore,
        isFirst: after == null,
        total: () => total,
      };
    },
  }),
);

function toCount(first: number | null | undefined): number {
  return parseFirst(first ?? DEFAULT_VERSIONS, { most: MAX_VERSIONS, field: 'first' });
}
