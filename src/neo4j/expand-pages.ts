import type { Direction, EdgeKind } from '../memory/edge.ts';
import { MAX_SCANNED_EDGES } from '../memory/graph-limits.ts';
import type { PageId } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Run } from './driver.ts';
import { type HubList, LIST_START, type ListedEdge, listOfHubs } from './list-of-hubs.ts';
import { filterParameters, toEdge, ways } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';

export const EXPAND = readCypher('page_expand');

/** An edge found from a page of the frontier, by its place in that page's list. */
type Fresh = readonly [
  pageId: PageId,
  parent: number,
  place: number,
  edgeId: string,
  isOut: boolean,
  at: number,
  bare: boolean,
];

export type Expansion = {
  readonly fresh: readonly Fresh[];
  /** Pages of the frontier with more edges than `fanOut`. */
  readonly crowded: readonly PageId[];
  /** Pages of the frontier whose edges were not all examined. */
  readonly unscanned: readonly PageId[];
};

type ExpandQuery = {
  readonly generation: number;
  readonly hubDegree: number;
  readonly frontier: readonly PageId[];
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly where: PageFilter;
  readonly fanOut: number;
  readonly visited: readonly PageId[];
  readonly eachEdge: boolean;
  readonly limit: number;
};

/** One level: see `cypher/page_expand.cypher`. One statement, two where the frontier has a hub. */
export async function expandPages(run: Run, view: View, query: ExpandQuery): Promise<Expansion> {
  const { kinds, direction, where, hubDegree, ...rest } = query;
  const [row] = await run<{ fresh: Fresh[]; crowded: number[]; hubs: number[] }>(EXPAND, {
    ...rest,
    ...filterParameters(view, where),
    ...ways(kinds, direction),
    hub: hubDegree,
  });
  const { fresh, crowded, hubs } = row ?? { fresh: [], crowded: [], hubs: [] };
  if (hubs.length === 0) {
    return { fresh, crowded: pagesOf(query, crowded), unscanned: [] };
  }

  const ofHubs = await expandHubs(run, view, query, hubs);
  const full = ofHubs.filter(({ edges }) => edges.length > query.fanOut);
  const found = ofHubs.flatMap((hub) => hub.edges.slice(0, query.fanOut).map(toFresh(hub.place)));
  return {
    fresh: keepFirst([...fresh, ...found], query),
    crowded: pagesOf(
      query,
      [...crowded, ...full.map(({ place }) => place)].sort((a, b) => a - b),
    ),
    unscanned: pagesOf(
      query,
      ofHubs.filter(({ isCut }) => isCut).map(({ place }) => place),
    ),
  };
}

async function expandHubs(
  run: Run,
  view: View,
  { generation, frontier, kinds, direction, where, fanOut }: ExpandQuery,
  hubs: readonly number[],
): Promise<readonly HubList[]> {
  const lists = await listOfHubs(run, view, {
    generation,
    where,
    limit: fanOut + 1,
    scan: MAX_SCANNED_EDGES,
    requests: hubs.map((place) => ({
      id: frontier[place] ?? '',
      ...ways(kinds, direction),
      ...LIST_START,
    })),
  });
  return lists.map((list) => ({ ...list, place: hubs[list.place] ?? 0 }));
}

function toFresh(parent: number) {
  return (tuple: ListedEdge, place: number): Fresh => {
    const isOut = tuple[13];
    const { id, kind, fromId, toId, at } = toEdge(tuple);
    return [isOut ? toId : fromId, parent, place, id, isOut, at, kind === 'REFERENCES'];
  };
}

/** The same order and the same cut as in the query, over what was read of hubs too. */
function keepFirst(
  found: readonly Fresh[],
  { visited, eachEdge, limit }: ExpandQuery,
): readonly Fresh[] {
  const seen = new Set<string>(visited);
  const kept: Fresh[] = [];
  for (const each of [...found].sort((a, b) => a[1] - b[1] || a[2] - b[2])) {
    const [pageId] = each;
    if (kept.length === limit) break;
    if (seen.has(pageId)) continue;
    // Both ends of an edge may be hubs: with `eachEdge` it counts at either end.
    if (!eachEdge) seen.add(pageId);
    kept.push(each);
  }
  return kept;
}

function pagesOf({ frontier }: ExpandQuery, places: readonly number[]): readonly PageId[] {
  return places.flatMap((place) => frontier[place] ?? []);
}
