import { type Direction, type Edge, type EdgeKind, type Step, TYPED_EDGE_KINDS } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import {
  DEFAULT_DEPTH,
  DEFAULT_FAN_OUT,
  DEFAULT_MAX_DEPTH,
  DEFAULT_MAX_PAGES,
  MAX_FAN_OUT,
  MAX_PAGES,
  MAX_START_PAGES,
  parseDepth,
} from './graph-limits.ts';
import type { Reached, Truncation, Walk } from './graph-store.ts';
import type { PageId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { parseCount } from './parse-number.ts';
import type { Served } from './served.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** What the server's settings allow. */
export type WalkCaps = {
  /** Hops, 1 to `HARD_MAX_DEPTH`. */
  readonly maxDepth: number;
};

export type TraverseInput = {
  /** 1 to `MAX_START_PAGES`; the same page twice counts once. */
  readonly from: readonly PageId[];
  /** The four typed kinds when left out. */
  readonly kinds?: readonly EdgeKind[];
  /** `OUT` when left out. */
  readonly direction?: Direction;
  /** Hops, 1 to the cap; `DEFAULT_DEPTH` when left out. */
  readonly depth?: number;
  /** 1 to `MAX_PAGES`, those it starts from included; `DEFAULT_MAX_PAGES` when left out. */
  readonly maxPages?: number;
  /** Edges of one page, 1 to `MAX_FAN_OUT`; `DEFAULT_FAN_OUT` when left out. */
  readonly fanOut?: number;
  /** Pages that fail it are neither reached nor walked through. It does not hold for the start. */
  readonly where?: PageFilter;
};

/** A page of a walk, and one shortest way to it from where the walk began. */
export type ReachedPage = {
  readonly pageId: PageId;
  readonly depth: number;
  /** Empty for the pages it started from. */
  readonly path: readonly Step[];
};

export type Traversal = {
  /** In order of discovery: by depth, then typed edges before bare, newer before older, then id. */
  readonly pages: readonly ReachedPage[];
  /** All visible edges of the asked kinds among these pages. */
  readonly edges: readonly Edge[];
  readonly truncated: readonly Truncation[];
  readonly served: Served;
};

/**
 * Walks edges outward from pages, nearest first, and visits each page once. Pages that the view
 * does not see are absent, and no path runs through them.
 *
 * Costs at most two statements; the work is bounded by depth × maxPages × fanOut.
 *
 * @throws {DepthLimitExceededError} if depth is above the cap, which it names
 * @throws {LimitExceededError} if maxPages, fanOut or the number of start pages is above its limit
 * @throws {InvalidInputError} if a number is not whole and positive, or a list is empty
 */
export async function traverse(
  { graph }: Pick<Stores, 'graph'>,
  view: View,
  input: TraverseInput,
  { maxDepth }: WalkCaps = { maxDepth: DEFAULT_MAX_DEPTH },
): Promise<Traversal> {
  const from = [...new Set(input.from)];
  if (from.length === 0) throw new InvalidInputError('from', 'at least one page', 'none');
  parseCount('from', from.length, MAX_START_PAGES);

  const walk = await graph.walk(view, {
    from,
    kinds: parseKinds(input.kinds ?? TYPED_EDGE_KINDS),
    direction: input.direction ?? 'OUT',
    depth: parseDepth(input.depth ?? Math.min(DEFAULT_DEPTH, maxDepth), maxDepth),
    maxPages: parseCount('maxPages', input.maxPages ?? DEFAULT_MAX_PAGES, MAX_PAGES),
    fanOut: parseCount('fanOut', input.fanOut ?? DEFAULT_FAN_OUT, MAX_FAN_OUT),
    where: input.where ?? {},
  });
  return toTraversal(walk);
}

/**
 * Kinds of edges to follow, each once.
 *
 * @throws {InvalidInputError} if there is none
 */
export function parseKinds(kinds: readonly EdgeKind[]): readonly EdgeKind[] {
  if (kinds.length === 0) throw new InvalidInputError('kinds', 'at least one kind', 'none');
  return [...new Set(kinds)];
}

/** A walk with the whole way to each page. */
export function toTraversal(walk: Walk): Traversal {
  return {
    pages: withPaths(walk.reached),
    edges: walk.edges,
    truncated: walk.truncated,
    served: walk.served,
  };
}

/** Parents come before their children. */
function withPaths(reached: readonly Reached[]): ReachedPage[] {
  const paths = new Map<PageId, readonly Step[]>();
  return reached.map(({ pageId, depth, parentId, via }) => {
    const before = parentId === null ? [] : (paths.get(parentId) ?? []);
    const path = via === null ? [] : [...before, via];
    paths.set(pageId, path);
    return { pageId, depth, path };
  });
}
