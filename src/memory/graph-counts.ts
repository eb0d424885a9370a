import { EDGE_KINDS, type EdgeKind } from './edge.ts';

/** How many pages, and edges of each kind, a tenant has. */
export type GraphCounts = { readonly pages: number } & Readonly<Record<EdgeKind, number>>;

/** Counts with a 0 for each kind that is not among the given ones. */
export function toCounts(
  pages: number,
  edges: readonly { readonly kind: EdgeKind; readonly count: number }[],
): GraphCounts {
  const counts = { pages, CAUSES: 0, FIXES: 0, CONTRADICTS: 0, SUPERSEDES: 0, REFERENCES: 0 };
  for (const { kind, count } of edges) counts[kind] = count;
  return counts;
}

/** What differs, each as a clause for a message; empty when nothing does. */
export function compareCounts(expected: GraphCounts, got: GraphCounts): readonly string[] {
  return (['pages', ...EDGE_KINDS] as const)
    .filter((name) => expected[name] !== got[name])
    .map((name) => `${name}: expected ${expected[name]}, but got ${got[name]}`);
}
