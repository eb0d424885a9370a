import type { Direction, Edge, EdgeKind } from './edge.ts';
import {
  DEFAULT_FAN_OUT,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_PAGES,
  HARD_MAX_DEPTH,
} from './graph-limits.ts';
import type { Truncation, WalkQuery } from './graph-store.ts';
import type { PageId } from './page.ts';
import { mergeServed, type Served } from './served.ts';
import type { Stores } from './stores.ts';
import {
  type ReachedPage,
  type Traversal,
  toTraversal,
  traverse,
  type WalkCaps,
} from './traverse.ts';
import type { View } from './view.ts';

type Graph = Pick<Stores, 'graph'>;

const DEFAULT_CAPS: WalkCaps = { maxDepth: DEFAULT_MAX_DEPTH };

export type RootCauses = {
  /** Pages that nothing visible causes, each with the way to it from the effect, nearest first. */
  readonly pages: readonly ReachedPage[];
  /**
   * Whether a page that was passed takes part in its own cause. A pure circle of causes has no
   * root: then this is true and `pages` is empty.
   */
  readonly hasCycle: boolean;
  /** Pages at the depth cap that only pages beyond it cause: the search ended there, not the causes. */
  readonly openEnds: readonly PageId[];
  readonly truncated: readonly Truncation[];
  readonly served: Served;
};

/**
 * Follows causes back to pages that nothing visible causes, as deep as the cap allows. A page is
 * never a root cause of itself: without a cause the answer is empty. At most three statements.
 */
export async function rootCauses(
  { graph }: Graph,
  view: View,
  pageId: PageId,
  { maxDepth }: WalkCaps = DEFAULT_CAPS,
): Promise<RootCauses> {
  const depth = Math.min(maxDepth, HARD_MAX_DEPTH);
  const { pages, edges, truncated, served } = toTraversal(
    await graph.walk(view, step([pageId], 'CAUSES', 'IN', { depth })),
  );

  const effects = new Set(edges.map(({ toId }) => toId));
  const ends = pages.filter((page) => page.depth > 0 && !effects.has(page.pageId));
  // What a cut left out, or what lies beyond the cap, shows only when it is asked for.
  const causes =
    ends.length === 0
      ? []
      : await graph.listEdges(
          view,
          ends.map(({ pageId: id }) => firstCause(id)),
        );
  const isCaused = (index: number) => (causes[index]?.edges.length ?? 0) > 0;

  return {
    pages: ends.filter((_, index) => !isCaused(index)),
    hasCycle: hasCycle(edges),
    openEnds: ends
      .filter((page, index) => page.depth === depth && isCaused(index))
      .map((page) => page.pageId),
    truncated,
    served: causes.reduce((all, each) => mergeServed(all, each.served), served),
  };
}

/**
 * What remedies a problem, and what the remedies brought about: the problem at depth 0, its fixes
 * at 1, what they caused at 2. Under a cap of one hop: the fixes alone. At most four statements.
 */
export async function resolution(
  { graph }: Graph,
  view: View,
  pageId: PageId,
  { maxDepth }: WalkCaps = DEFAULT_CAPS,
): Promise<Traversal> {
  const fixed = await graph.walk(view, step([pageId], 'FIXES', 'IN', { depth: 1 }));
  const fixes = fixed.reached.filter(({ depth }) => depth === 1).map(({ pageId: id }) => id);
  if (fixes.length === 0 || maxDepth < 2) return toTraversal(fixed);

  const caused = await graph.walk(
    view,
    step(fixes, 'CAUSES', 'OUT', { depth: 1, maxPages: fixes.length + DEFAULT_MAX_PAGES }),
  );
  const known = new Set(fixed.reached.map(({ pageId: id }) => id));
  const effects = caused.reached
    .filter((page) => !known.has(page.pageId))
    .map((page) => ({ ...page, depth: 2 }));

  return toTraversal({
    reached: [...fixed.reached, ...effects],
    edges: [...fixed.edges, ...caused.edges],
    truncated: [...fixed.truncated, ...caused.truncated],
    served: mergeServed(fixed.served, caused.served),
  });
}

export type Disputes = {
  /** Contradictions that the page raises or meets, each with its state; newest first. */
  readonly edges: readonly Edge[];
  readonly truncated: readonly Truncation[];
  readonly served: Served;
};

/** The contradictions around a page, in both directions. At most two statements. */
export async function disputes({ graph }: Graph, view: View, pageId: PageId): Promise<Disputes> {
  const walk = await graph.walk(view, step([pageId], 'CONTRADICTS', 'BOTH', { depth: 1 }));
  return {
    edges: walk.edges.filter(({ fromId, toId }) => fromId === pageId || toId === pageId),
    truncated: walk.truncated,
    served: walk.served,
  };
}

/**
 * Follows edges of given kinds one way from a page.
 *
 * @throws {DepthLimitExceededError} if depth is above the cap, which it names
 * @throws {InvalidInputError} if depth is not whole and positive, or `kinds` is empty
 */
export async function chain(
  stores: Graph,
  view: View,
  {
    pageId,
    ...rest
  }: {
    readonly pageId: PageId;
    readonly kinds: readonly EdgeKind[];
    readonly direction: Direction;
    readonly depth: number;
  },
  caps: WalkCaps = DEFAULT_CAPS,
): Promise<Traversal> {
  return traverse(stores, view, { from: [pageId], ...rest }, caps);
}

function step(
  from: readonly PageId[],
  kind: EdgeKind,
  direction: WalkQuery['direction'],
  size: { readonly depth: number; readonly maxPages?: number },
): WalkQuery {
  const limits = { maxPages: DEFAULT_MAX_PAGES, fanOut: DEFAULT_FAN_OUT, where: {} };
  return { from, kinds: [kind], direction, ...limits, ...size };
}

function firstCause(pageId: PageId) {
  const request = { kinds: ['CAUSES'], direction: 'IN', first: 1, after: null } as const;
  return { pageId, ...request, withTotal: false };
}

/** Takes away what nothing left points at, again and again; what stays is on or behind a circle. */
function hasCycle(edges: readonly Edge[]): boolean {
  const causesLeft = new Map<PageId, number>();
  const effectsOf = new Map<PageId, PageId[]>();
  for (const { fromId, toId } of edges) {
    causesLeft.set(fromId, causesLeft.get(fromId) ?? 0);
    causesLeft.set(toId, (causesLeft.get(toId) ?? 0) + 1);
    effectsOf.set(fromId, [...(effectsOf.get(fromId) ?? []), toId]);
  }

  const free = [...causesLeft].filter(([, count]) => count === 0).map(([pageId]) => pageId);
  for (const pageId of free) {
    for (const effect of effectsOf.get(pageId) ?? []) {
      const left = (causesLeft.get(effect) ?? 0) - 1;
      causesLeft.set(effect, left);
      if (left === 0) free.push(effect);
    }
  }
  return free.length < causesLeft.size;
}
