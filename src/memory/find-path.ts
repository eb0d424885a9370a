import { type Direction, type EdgeKind, type Step, TYPED_EDGE_KINDS } from './edge.ts';
import { DEFAULT_MAX_DEPTH, MAX_PATHS, parseDepth } from './graph-limits.ts';
import type { Truncation } from './graph-store.ts';
import type { PageId } from './page.ts';
import { parseCount } from './parse-number.ts';
import type { Served } from './served.ts';
import type { Stores } from './stores.ts';
import { parseKinds, type WalkCaps } from './traverse.ts';
import type { View } from './view.ts';

export type FindPathInput = {
  readonly from: PageId;
  readonly to: PageId;
  /** The four typed kinds when left out. */
  readonly kinds?: readonly EdgeKind[];
  /** `OUT` when left out. */
  readonly direction?: Direction;
  /** Hops, 1 to the cap, which it is when left out. */
  readonly maxDepth?: number;
  /** How many paths of the least length at most, 1 to `MAX_PATHS`; 1 when left out. */
  readonly k?: number;
};

export type FoundPaths = {
  /** A shortest path from `from` to `to`; empty when they are one page; null when there is none. */
  readonly path: readonly Step[] | null;
  /** Other paths of the same length. */
  readonly others: readonly (readonly Step[])[];
  /** What the search left out: while it is empty, no shorter path exists. */
  readonly truncated: readonly Truncation[];
  readonly served: Served;
};

/**
 * The shortest ways between two pages, only through pages that the view sees. Paths of equal length
 * come in the order of their steps: typed before bare, newer before older, then id.
 *
 * @throws {DepthLimitExceededError} if maxDepth is above the cap, which it names
 * @throws {LimitExceededError} if more than `MAX_PATHS` are asked for
 * @throws {InvalidInputError} if a number is not whole and positive, or `kinds` is empty
 */
export async function findPath(
  { graph }: Pick<Stores, 'graph'>,
  view: View,
  input: FindPathInput,
  caps: WalkCaps = { maxDepth: DEFAULT_MAX_DEPTH },
): Promise<FoundPaths> {
  const { paths, truncated, served } = await graph.shortestPaths(view, {
    from: input.from,
    to: input.to,
    kinds: parseKinds(input.kinds ?? TYPED_EDGE_KINDS),
    direction: input.direction ?? 'OUT',
    maxDepth: parseDepth(input.maxDepth ?? caps.maxDepth, caps.maxDepth, 'maxDepth'),
    k: parseCount('k', input.k ?? 1, MAX_PATHS),
  });
  const [path = null, ...others] = paths;
  return { path, others, truncated, served };
}
