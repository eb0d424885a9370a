import { type FoundPaths, findPath } from '../memory/find-path.ts';
import {
  DEFAULT_DEPTH,
  DEFAULT_FAN_OUT,
  DEFAULT_MAX_PAGES,
  HARD_MAX_DEPTH,
  MAX_FAN_OUT,
  MAX_PAGES,
  MAX_PATHS,
  MAX_START_PAGES,
  MAX_TRUNCATIONS,
  parseDepth,
} from '../memory/graph-limits.ts';
import type { Truncation } from '../memory/graph-store.ts';
import { parseCount } from '../memory/parse-number.ts';
import { type ReachedPage, type Traversal, traverse, type WalkCaps } from '../memory/traverse.ts';
import { AsOfInputRef, toAsOf } from './as-of.ts';
import { builder } from './builder.ts';
import { EdgeRef, StepRef } from './edge.ts';
import { DirectionRef, describe, EdgeKindRef } from './enums.ts';
import { toPageId } from './global-id.ts';
import { PageRef } from './page.ts';
import { pageAt, type ReadAt } from './page-at.ts';
import { PageFilterInputRef, toPageFilter } from './page-filter.ts';
import { FromGraphRef } from './served.ts';

const TruncationReasonRef = builder.enumType('TruncationReason', {
  description: 'Why something was left out of a walk.',
  values: describe(['FAN_OUT', 'MAX_PAGES', 'SCAN'], {
    FAN_OUT: 'The page has more edges than `fanOut`.',
    MAX_PAGES: 'The walk is full.',
    SCAN: 'The page has too many neighbours to look at them all.',
  } satisfies { [Key in Truncation['reason']]: string }),
});

export const TruncationRef = builder.objectRef<ReadAt<Truncation>>('Truncation').implement({
  description: 'Something that was left out of a walk, and where.',
  fields: (t) => ({
    reason: t.expose('reason', { type: TruncationReasonRef, description: 'Why.' }),
    at: t.field({
      type: PageRef,
      nullable: true,
      description: 'The page whose edges were cut; null when it was the walk as a whole.',
      resolve: ({ at, readAt }, _args, context) =>
        at === null ? null : pageAt(context, at, readAt),
    }),
  }),
});

export const ReachedPageRef = builder.objectRef<ReadAt<ReachedPage>>('ReachedPage').implement({
  description: 'A page that a walk came to, and one shortest way to it.',
  fields: (t) => ({
    page: t.field({
      type: PageRef,
      nullable: true,
      description: 'The page; null when it has just been removed.',
      resolve: ({ pageId, readAt }, _args, context) => pageAt(context, pageId, readAt),
    }),
    depth: t.exposeInt('depth', { description: 'Hops from the start; 0 for the start itself.' }),
    path: t.field({
      type: [StepRef],
      description: 'The steps from the start; empty for the start itself.',
      extensions: { size: (_args: object, { maxDepth }: WalkCaps) => maxDepth },
      resolve: ({ path, readAt }) => path.map((step) => ({ step, readAt })),
    }),
  }),
});

export const TraversalRef = builder.objectRef<ReadAt<Traversal>>('Traversal').implement({
  interfaces: [FromGraphRef],
  description:
    'Pages reached breadth first, each once, with all edges among them: enough to draw the subgraph.',
  fields: (t) => ({
    pages: t.field({
      type: [ReachedPageRef],
      description:
        'In order of discovery: by depth, then typed edges before bare, newer before older, then id.',
      resolve: ({ pages, readAt }) => pages.map((page) => ({ ...page, readAt })),
    }),
    edges: t.field({
      type: [EdgeRef],
      description: 'All edges of the asked kinds among these pages that the caller can see.',
      // For each page: as many as are followed from one by default.
      extensions: { size: () => DEFAULT_FAN_OUT },
      resolve: ({ edges, readAt }) => edges.map((edge) => ({ edge, readAt })),
    }),
    truncated: t.field({
      type: [TruncationRef],
      description: 'What was left out, and where; empty when nothing was.',
      resolve: ({ truncated, readAt }) => truncated.map((entry) => ({ ...entry, readAt })),
    }),
  }),
});

builder.queryField('traverse', (t) =>
  t.field({
    type: TraversalRef,
    nullable: true,
    description:
      'Walks edges outward from pages, nearest first. Each page appears once, at its least depth. What the caller may not see is neither shown nor walked through. Counts as many hops as its depth, and as one walk.',
    extensions: {
      size: ({ maxPages }: { maxPages?: number | null }) =>
        parseCount('maxPages', maxPages ?? DEFAULT_MAX_PAGES, MAX_PAGES),
      hops: depthOf,
      walks: 1,
    },
    args: {
      from: t.arg.idList({
        required: true,
        description: `Where to start: 1 to ${MAX_START_PAGES} pages. One that is not there is absent from the answer.`,
      }),
      kinds: t.arg({
        type: [EdgeKindRef],
        description: 'Which edges to follow; the four typed kinds when left out.',
      }),
      direction: t.arg({
        type: DirectionRef,
        description: 'Which way; `OUT` when left out.',
      }),
      depth: t.arg.int({
        description: `Hops, ${DEFAULT_DEPTH} when left out. Above the server's cap, which is never above ${HARD_MAX_DEPTH}, the call is refused.`,
      }),
      maxPages: t.arg.int({
        description: `Pages, 1 to ${MAX_PAGES}; ${DEFAULT_MAX_PAGES} when left out.`,
      }),
      fanOut: t.arg.int({
        description: `Edges followed from one page, 1 to ${MAX_FAN_OUT}; ${DEFAULT_FAN_OUT} when left out.`,
      }),
      where: t.arg({
        type: PageFilterInputRef,
        description:
          'Pages that fail it are neither reached nor walked through. It does not hold for the start.',
      }),
      asOf: t.arg({ type: AsOfInputRef, description: 'Walks the past.' }),
    },
    resolve: async (_root, { from, where, asOf, ...input }, context) => {
      const readAt = toAsOf(asOf, context);
      const { kinds, direction, depth, maxPages, fanOut } = input;
      const found = await traverse(
        context.stores,
        await context.viewAt(readAt),
        {
          from: from.map((id, index) => toPageId(id, `from.${index}`)),
          ...(kinds != null && { kinds }),
          ...(direction != null && { direction }),
          ...(depth != null && { depth }),
          ...(maxPages != null && { maxPages }),
          ...(fanOut != null && { fanOut }),
          where: await toPageFilter(where, 'where', context),
        },
        context.limits,
      );
      return { ...found, readAt };
    },
  }),
);

const FoundPathsRef = builder.objectRef<ReadAt<FoundPaths>>('FoundPaths').implement({
  interfaces: [FromGraphRef],
  description: 'Shortest ways from one page to another.',
  fields: (t) => ({
    path: t.field({
      type: [StepRef],
      nullable: true,
      description: 'One shortest way; empty when both ends are one page, null when there is none.',
      extensions: { size: () => HARD_MAX_DEPTH },
      resolve: ({ path, readAt }) => path?.map((step) => ({ step, readAt })),
    }),
    length: t.int({
      nullable: true,
      description: 'Steps of the shortest way; null when there is none.',
      resolve: ({ path }) => path?.length ?? null,
    }),
    others: t.field({
      type: t.listRef(t.listRef(StepRef)),
      description: 'Other ways of the same length, at most `k` - 1.',
      extensions: { size: () => (MAX_PATHS - 1) * HARD_MAX_DEPTH },
      resolve: ({ others, readAt }) => others.map((path) => path.map((step) => ({ step, readAt }))),
    }),
    truncated: t.field({
      type: [TruncationRef],
      description: 'What the search left out: while it is empty, no shorter way exists.',
      extensions: { size: () => MAX_TRUNCATIONS },
      resolve: ({ truncated, readAt }) => truncated.map((entry) => ({ ...entry, readAt })),
    }),
  }),
});

builder.queryField('path', (t) =>
  t.field({
    type: FoundPathsRef,
    nullable: true,
    description:
      'A shortest way along edges from one page to another, as steps. It is one line, not a fan, so it may be as long as the hard limit, whatever the cap of the server. Counts as one walk.',
    extensions: {
      size: (args: { maxDepth?: number | null; k?: number | null }) => {
        parseDepth(args.maxDepth ?? HARD_MAX_DEPTH, HARD_MAX_DEPTH, 'maxDepth');
        parseCount('k', args.k ?? 1, MAX_PATHS);
        return 1;
      },
      walks: 1,
    },
    args: {
      from: t.arg.id({ required: true, description: 'Where the way begins.' }),
      to: t.arg.id({ required: true, description: 'Where it ends.' }),
      kinds: t.arg({
        type: [EdgeKindRef],
        description: 'Which edges to follow; the four typed kinds when left out.',
      }),
      direction: t.arg({ type: DirectionRef, description: 'Which way; `OUT` when left out.' }),
      maxDepth: t.arg.int({
        description: `Most steps; the hard limit of ${HARD_MAX_DEPTH} when left out.`,
      }),
      k: t.arg.int({
        description: `Ways of the least length, 1 to ${MAX_PATHS}; 1 when left out.`,
      }),
      asOf: t.arg({ type: AsOfInputRef, description: 'Walks the past.' }),
    },
    resolve: async (_root, { from, to, asOf, ...input }, context) => {
      const readAt = toAsOf(asOf, context);
      const { kinds, direction, maxDepth, k } = input;
      const found = await findPath(
        context.stores,
        await context.viewAt(readAt),
        {
          from: toPageId(from, 'from'),
          to: toPageId(to, 'to'),
          ...(kinds != null && { kinds }),
          ...(direction != null && { direction }),
          ...(maxDepth != null && { maxDepth }),
          ...(k != null && { k }),
        },
        { maxDepth: HARD_MAX_DEPTH },
      );
      return { ...found, readAt };
    },
  }),
);

/** Hops that a walk takes. @throws {DepthLimitExceededError} above the cap, which it names */
export function depthOf({ depth }: { depth?: number | null }, { maxDepth }: WalkCaps): number {
  return parseDepth(depth ?? Math.min(DEFAULT_DEPTH, maxDepth), maxDepth);
}
