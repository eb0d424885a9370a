import { TYPED_EDGE_KINDS } from '../memory/edge.ts';
import { DEFAULT_DEPTH, DEFAULT_MAX_PAGES, HARD_MAX_DEPTH } from '../memory/graph-limits.ts';
import {
  chain,
  type Disputes,
  disputes,
  type RootCauses,
  resolution,
  rootCauses,
} from '../memory/page-graph.ts';
import type { WalkCaps } from '../memory/traverse.ts';
import { builder } from './builder.ts';
import { EdgeRef } from './edge.ts';
import { DirectionRef, EdgeKindRef } from './enums.ts';
import { PageRef } from './page.ts';
import { pagesAt, type ReadAt } from './page-at.ts';
import { FromGraphRef } from './served.ts';
import { depthOf, ReachedPageRef, TraversalRef, TruncationRef } from './traverse.ts';

const walkSize = () => DEFAULT_MAX_PAGES;

const RootCausesRef = builder.objectRef<ReadAt<RootCauses>>('RootCauses').implement({
  interfaces: [FromGraphRef],
  description: 'What a page comes from in the end.',
  fields: (t) => ({
    pages: t.field({
      type: [ReachedPageRef],
      description: 'Pages that nothing causes, each with the way to it, nearest first.',
      resolve: ({ pages, readAt }) => pages.map((page) => ({ ...page, readAt })),
    }),
    hasCycle: t.exposeBoolean('hasCycle', {
      description:
        'Whether a page on the way takes part in its own cause. A pure circle has no root: then `pages` is empty.',
    }),
    openEnds: t.field({
      type: [PageRef],
      description: 'Pages at the depth cap that something else causes: the search ended there.',
      resolve: ({ openEnds, readAt }, _args, context) => pagesAt(context, openEnds, readAt),
    }),
    truncated: t.field({
      type: [TruncationRef],
      description: 'What was left out, and where.',
      resolve: ({ truncated, readAt }) => truncated.map((entry) => ({ ...entry, readAt })),
    }),
  }),
});

const DisputesRef = builder.objectRef<ReadAt<Disputes>>('Disputes').implement({
  interfaces: [FromGraphRef],
  description: 'The contradictions around a page.',
  fields: (t) => ({
    edges: t.field({
      type: [EdgeRef],
      description:
        'Those that it raises and those that it meets, newest first, each with its state.',
      resolve: ({ edges, readAt }) => edges.map((edge) => ({ edge, readAt })),
    }),
    truncated: t.field({
      type: [TruncationRef],
      description: 'What was left out, and where.',
      resolve: ({ truncated, readAt }) => truncated.map((entry) => ({ ...entry, readAt })),
    }),
  }),
});

builder.objectField(PageRef, 'rootCauses', (t) =>
  t.field({
    type: RootCausesRef,
    description:
      'Follows `causedBy` to pages that nothing causes, as deep as the server walks. Counts as that many hops, and as one walk.',
    extensions: {
      size: walkSize,
      hops: (_args: object, { maxDepth }: WalkCaps) => maxDepth,
      walks: 1,
    },
    resolve: async (page, _args, context) => ({
      ...(await rootCauses(
        context.stores,
        await context.viewAt(page.readAt),
        page.id,
        context.limits,
      )),
      readAt: page.readAt,
    }),
  }),
);

builder.objectField(PageRef, 'resolution', (t) =>
  t.field({
    type: TraversalRef,
    description:
      'The fixes of the page, and what these caused in turn. Counts as two hops, and as one walk. Where the server walks one hop: the fixes alone.',
    extensions: {
      size: walkSize,
      hops: (_args: object, { maxDepth }: WalkCaps) => Math.min(2, maxDepth),
      walks: 1,
    },
    resolve: async (page, _args, context) => ({
      ...(await resolution(
        context.stores,
        await context.viewAt(page.readAt),
        page.id,
        context.limits,
      )),
      readAt: page.readAt,
    }),
  }),
);

builder.objectField(PageRef, 'disputes', (t) =>
  t.field({
    type: DisputesRef,
    description:
      'The contradictions around the page, with their state. Counts as one hop, and as one walk.',
    extensions: { size: walkSize, hops: () => 1, walks: 1 },
    resolve: async (page, _args, context) => ({
      ...(await disputes(context.stores, await context.viewAt(page.readAt), page.id)),
      readAt: page.readAt,
    }),
  }),
);

builder.objectField(PageRef, 'chain', (t) =>
  t.field({
    type: TraversalRef,
    description: 'A walk from this page. Counts as many hops as its depth, and as one walk.',
    extensions: { size: walkSize, hops: depthOf, walks: 1 },
    args: {
      kinds: t.arg({
        type: [EdgeKindRef],
        description: 'Which edges to follow; the four typed kinds when left out.',
      }),
      direction: t.arg({ type: DirectionRef, description: 'Which way; `OUT` when left out.' }),
      depth: t.arg.int({
        description: `Hops, ${DEFAULT_DEPTH} when left out; never above ${HARD_MAX_DEPTH}.`,
      }),
    },
    resolve: async (page, { kinds, direction, depth }, context) => ({
      ...(await chain(
        context.stores,
        await context.viewAt(page.readAt),
        {
          pageId: page.id,
          kinds: kinds ?? TYPED_EDGE_KINDS,
          direction: direction ?? 'OUT',
          depth: depth ?? Math.min(DEFAULT_DEPTH, context.limits.maxDepth),
        },
        context.limits,
      )),
      readAt: page.readAt,
    }),
  }),
);
