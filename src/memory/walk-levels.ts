import type { Edge, EdgeId } from './edge.ts';
import { MAX_TRUNCATIONS } from './graph-limits.ts';
import type { Reached, Truncation, Walk } from './graph-store.ts';
import type { PageId } from './page.ts';

/** A page found by one level of a walk. */
export type Found = {
  readonly pageId: PageId;
  /** Index in the level before of the page that it was found from; -1 for the start. */
  readonly parent: number;
  /** The edge that led here, and whether it was followed forwards; null for the start. */
  readonly via: { readonly edgeId: EdgeId; readonly isOut: boolean } | null;
};

/** One level of a walk, as a store read it. */
export type WalkLevel = {
  readonly found: readonly Found[];
  /** Pages of the level before that have more edges than were followed. */
  readonly crowded: readonly PageId[];
  /** Pages of the level before whose edges were not all examined. */
  readonly unscanned: readonly PageId[];
  /** Whether pages were left out because the walk was full. */
  readonly isFull: boolean;
  /** The page whose edge led to the first page that was left out; null for the start. */
  readonly fullAt: PageId | null;
};

/**
 * A walk, made of its levels and of all edges among the pages they found. Where the edge that led to
 * a page is gone in between, the page is left out with what lies behind.
 */
export function toWalk(
  levels: readonly WalkLevel[],
  edges: readonly Edge[],
): Pick<Walk, 'reached' | 'edges' | 'truncated'> {
  return { reached: toReached(levels, edges), edges, truncated: toTruncated(levels) };
}

function toReached(levels: readonly WalkLevel[], edges: readonly Edge[]): Reached[] {
  const edgesById = new Map(edges.map((edge) => [edge.id, edge]));
  const known = new Set<PageId>();
  return levels.flatMap(({ found }, depth) =>
    found.flatMap(({ pageId, parent, via }): Reached[] => {
      if (via === null) {
        known.add(pageId);
        return [{ pageId, depth, parentId: null, via: null }];
      }
      const parentId = levels[depth - 1]?.found[parent]?.pageId;
      const edge = edgesById.get(via.edgeId);
      if (parentId === undefined || edge === undefined || !known.has(parentId)) return [];
      known.add(pageId);
      return [{ pageId, depth, parentId, via: { edge, direction: via.isOut ? 'OUT' : 'IN' } }];
    }),
  );
}

/** That the walk was full first, then pages in order of discovery. */
function toTruncated(levels: readonly WalkLevel[]): Truncation[] {
  const full = levels
    .filter((level) => level.isFull)
    .map((level) => ({ reason: 'MAX_PAGES', at: level.fullAt }) as const);
  const left = levels.flatMap((level) => [
    ...level.crowded.map((at) => ({ reason: 'FAN_OUT', at }) as const),
    ...level.unscanned.map((at) => ({ reason: 'SCAN', at }) as const),
  ]);
  return [...full, ...left].slice(0, MAX_TRUNCATIONS);
}
