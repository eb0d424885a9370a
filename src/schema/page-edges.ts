import { EDGE_KINDS, type EdgeKind, type Step, type StepDirection } from '../memory/edge.ts';
import { parseEdgeCursor, toEdgeCursor } from '../memory/edge-cursor.ts';
import type { EdgeListRequest } from '../memory/graph-store.ts';
import type { Page, PageId } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import type { Served } from '../memory/served.ts';
import { builder } from './builder.ts';
import { CURSOR, connectionFields, type Entry, type Listed } from './connection.ts';
import type { RequestContext } from './context.ts';
import { EdgeRef, type ReadEdge, resolutionFields } from './edge.ts';
import { DirectionRef, EdgeKindRef, ResolutionRef } from './enums.ts';
import { isSelected } from './is-selected.ts';
import { PageRef } from './page.ts';
import { FromGraphRef } from './served.ts';

/** Entries of an edge connection when the caller does not say how many. */
export const DEFAULT_EDGES = 10;
/** Most entries of one edge connection; more come with the next cursor. */
export const MAX_EDGES = 200;

type StepEntry = Entry<Page> & { readonly step: Step };

type EdgeConnection = Listed<StepEntry> & { readonly served: Served };

const PageEdgeRef = builder.objectRef<StepEntry>('PageEdge').implement({
  description: 'One edge of a page, the page at its other end, and what the edge itself says.',
  fields: (t) => ({
    cursor: t.exposeString('cursor', CURSOR),
    node: t.field({
      type: PageRef,
      description: 'The page at the other end.',
      resolve: ({ node }) => node,
    }),
    edge: t.field({
      type: EdgeRef,
      description: 'The edge with both ends.',
      resolve: toReadEdge,
    }),
    kind: t.field({
      type: EdgeKindRef,
      description: 'The kind of the edge.',
      resolve: ({ step }) => step.edge.kind,
    }),
    direction: t.field({
      type: DirectionRef,
      description: '`OUT` when the edge begins at the page whose connection this is, else `IN`.',
      resolve: ({ step }) => step.direction,
    }),
    note: t.string({
      nullable: true,
      description:
        'Why, in the words of whoever asserted it. A later note takes its place, in reads of the past too.',
      resolve: ({ step }) => step.edge.note,
    }),
    validFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when the edge holds, inclusive; null: since ever.',
      resolve: ({ step }) => step.edge.validFrom,
    }),
    validTo: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when the edge holds, exclusive; null: open.',
      resolve: ({ step }) => step.edge.validTo,
    }),
    recordedAt: t.field({
      type: 'DateTime',
      description: 'When the edge was asserted.',
      resolve: ({ step }) => step.edge.recordedAt,
    }),
    resolution: t.field({
      type: ResolutionRef,
      nullable: true,
      description: 'The state at the instant that is read; null for every kind but `CONTRADICTS`.',
      resolve: ({ step }) => step.edge.resolution,
    }),
    ...resolutionFields(t, ({ step }) => step.edge),
  }),
});

const PageEdgeConnectionRef = builder.objectRef<EdgeConnection>('PageEdgeConnection').implement({
  interfaces: [FromGraphRef],
  description: 'Edges of one page: typed before bare, newer before older.',
  fields: (t) =>
    connectionFields(t, {
      edge: PageEdgeRef,
      node: PageRef,
      nodes: 'The pages at the other ends, in the same order.',
      totalCount: 'All edges of the asked kinds that the caller can see.',
    }),
});

/** What a connection weighs: one hop, and as many pages as it may return. */
const WEIGHT = {
  hops: () => 1,
  size: ({ first }: { first?: number | null }) => toCount(first),
};

const PAGING = builder.args((t) => ({
  first: t.int({ description: `How many, 1 to ${MAX_EDGES}; ${DEFAULT_EDGES} when left out.` }),
  after: t.string({ description: 'A cursor of the same connection.' }),
}));

builder.objectField(PageRef, 'edges', (t) =>
  t.field({
    type: PageEdgeConnectionRef,
    description:
      'Edges around the page. Counts as one hop: hops may nest as deep as the server walks.',
    extensions: WEIGHT,
    args: {
      kinds: t.arg({
        type: [EdgeKindRef],
        description: 'Which kinds; all of them when left out.',
      }),
      direction: t.arg({
        type: DirectionRef,
        description: 'Which way the edges run from this page; `BOTH` when left out.',
      }),
      ...PAGING,
    },
    resolve: (page, { kinds, direction, first, after }, context, info) =>
      connect(context, page, {
        kinds: kinds ?? EDGE_KINDS,
        direction: direction ?? 'BOTH',
        first: toCount(first),
        after: after ?? null,
        withTotal: isSelected(info, 'totalCount'),
      }),
  }),
);

/** One named connection for each kind and direction. */
const NAMED: readonly (readonly [string, EdgeKind, StepDirection, string])[] = [
  ['causes', 'CAUSES', 'OUT', 'What this page brought about.'],
  ['causedBy', 'CAUSES', 'IN', 'What brought this page about.'],
  ['fixes', 'FIXES', 'OUT', 'What this page remedies.'],
  ['fixedBy', 'FIXES', 'IN', 'What remedies this page.'],
  ['contradicts', 'CONTRADICTS', 'OUT', 'What this page disputes.'],
  ['contradictedBy', 'CONTRADICTS', 'IN', 'What disputes this page.'],
  ['supersedes', 'SUPERSEDES', 'OUT', 'What this page replaces.'],
  ['supersededBy', 'SUPERSEDES', 'IN', 'What replaces this page.'],
  ['references', 'REFERENCES', 'OUT', 'What this page mentions.'],
  ['referencedBy', 'REFERENCES', 'IN', 'What mentions this page.'],
];

for (const [name, kind, direction, description] of NAMED) {
  builder.objectField(PageRef, name, (t) =>
    t.field({
      type: PageEdgeConnectionRef,
      description: `${description} Counts as one hop.`,
      extensions: WEIGHT,
      args: PAGING,
      resolve: (page, { first, after }, context, info) =>
        connect(context, page, {
          kinds: [kind],
          direction,
          first: toCount(first),
          after: after ?? null,
          withTotal: isSelected(info, 'totalCount'),
        }),
    }),
  );
}

async function connect(
  context: RequestContext,
  page: Page,
  {
    after,
    ...request
  }: Omit<EdgeListRequest, 'pageId' | 'after'> & { readonly after: string | null },
): Promise<EdgeConnection> {
  const { edges, page: pages } = context.loadersAt(page.readAt);
  const list = { ...request, pageId: page.id };
  const found = await edges.load({
    ...list,
    after: after === null ? null : parseEdgeCursor(after, list),
  });
  const nodes = await Promise.all(found.edges.map((step) => pages.load(farEnd(step))));
  // A page that was purged between the two statements is left out.
  const entries = found.edges.flatMap((step, index) => {
    const node = nodes[index];
    return node == null ? [] : [{ step, node, cursor: toEdgeCursor(step.edge, list) }];
  });
  const { hasMore, total, served } = found;
  return { entries, hasMore, isFirst: after === null, total: () => total, served };
}

function toCount(first: number | null | undefined): number {
  return parseFirst(first ?? DEFAULT_EDGES, { most: MAX_EDGES, field: 'first' });
}

function farEnd({ edge, direction }: Step): PageId {
  return direction === 'OUT' ? edge.toId : edge.fromId;
}

function toReadEdge({ step, node }: StepEntry): ReadEdge {
  return { edge: step.edge, readAt: node.readAt };
}
