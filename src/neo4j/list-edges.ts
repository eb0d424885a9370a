import type { Projected } from '../memory/graph-projection.ts';
import type { EdgeList, EdgeListRequest } from '../memory/graph-store.ts';
import type { View } from '../memory/view.ts';
import type { Run } from './driver.ts';
import { LIST_START, type ListedEdge, listOfHubs } from './list-of-hubs.ts';
import { toEdge, viewParameters, ways } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';

export const LIST_AROUND = readCypher('edge_list_around');

type ListRow = {
  readonly place: number;
  readonly isHub: boolean;
  readonly edges: readonly ListedEdge[];
  readonly total: number;
};

type UnservedList = Omit<EdgeList, 'served'>;

const EMPTY: UnservedList = { edges: [], hasMore: false, total: 0 };

/** As `GraphStore.listEdges`. One statement for all requests, two when some page is a hub. */
export async function listEdges(
  run: Run,
  view: View,
  requests: readonly EdgeListRequest[],
  hubDegree: number,
): Promise<Projected<readonly UnservedList[]>> {
  const asked = requests.map(toRequest);
  const [row] = await run<{ sequence: number; generation: number; lists: ListRow[] }>(LIST_AROUND, {
    ...viewParameters(view),
    hub: hubDegree,
    requests: asked,
  });
  if (row === undefined) return { sequence: 0, answer: requests.map(() => EMPTY) };

  const hubs = row.lists.filter(({ isHub }) => isHub).map(({ place }) => place);
  const ofHubs = await listOfHubs(run, view, {
    generation: row.generation,
    where: {},
    limit: Math.max(0, ...hubs.map((place) => asked[place]?.limit ?? 0)),
    // Lists go on until they are complete: a cursor must be able to reach what it stands before.
    scan: MAX_LIMIT,
    requests: hubs.flatMap((place) => asked[place] ?? []),
  });
  const edgesOfHubs = new Map(ofHubs.map(({ place, edges }) => [hubs[place], edges]));
  const lists = new Map(row.lists.map((list) => [list.place, list]));
  const answer = requests.map(({ first }, place): UnservedList => {
    const list = lists.get(place);
    return list === undefined
      ? EMPTY
      : toList(edgesOfHubs.get(place) ?? list.edges, first, list.total);
  });
  return { sequence: row.sequence, answer };
}

/** Cypher takes no larger number as a limit. */
const MAX_LIMIT = 2 ** 31 - 1;

/** After the last edge of a kind. */
const LAST_PLACE = { at: Number.MIN_SAFE_INTEGER, id: '' };

function toRequest({ pageId, kinds, direction, first, after, withTotal }: EdgeListRequest) {
  const typed = after?.bare === true ? LAST_PLACE : after;
  const bare = after?.bare === true ? after : null;
  return {
    id: pageId,
    ...ways([...new Set(kinds)], direction),
    // One more tells that more follow.
    limit: first + 1,
    withTotal: withTotal ?? true,
    ...LIST_START,
    ...(typed === null ? {} : { typedAt: typed.at, typedId: typed.id }),
    ...(bare === null ? {} : { bareAt: bare.at, bareId: bare.id }),
  };
}

function toList(edges: readonly ListedEdge[], first: number, total: number): UnservedList {
  return {
    edges: edges
      .slice(0, first)
      .map((tuple) => ({ edge: toEdge(tuple), direction: tuple[13] ? 'OUT' : 'IN' })),
    hasMore: edges.length > first,
    total,
  };
}
