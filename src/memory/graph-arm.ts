import { EDGE_KINDS, type EdgeKind, type Step } from './edge.ts';
import type { EdgeList, GraphStore } from './graph-store.ts';
import type { PageId } from './page.ts';
import type { RankingProfile } from './ranking-profiles.ts';
import type { View } from './view.ts';

/** One way over which the graph arm came to a page. */
export type GraphVia = {
  /** The last edge of the way. */
  readonly edge: EdgeKind;
  readonly direction: Step['direction'];
  /** The seed that the way begins at. */
  readonly fromId: PageId;
  /** Hops: 1, or 2 where the profile follows chains. */
  readonly depth: number;
  readonly path: readonly Step[];
};

/** A page that edges join to a seed. `value` is the best of its ways: seed score × weights of the edges. */
export type GraphHit = {
  readonly pageId: PageId;
  readonly value: number;
  readonly via: readonly GraphVia[];
};

/** Most pages that the arm adds. */
const MAX_NEIGHBOURS = 50;
/** Edges read around one seed. */
const EDGES_PER_SEED = 50;
/** Kinds that a chain follows further. */
const CHAINED: readonly EdgeKind[] = ['FIXES', 'CAUSES'];
/** Where two edges join the same pair: the order that they are told in. */
const KIND_ORDER: readonly EdgeKind[] = [
  'FIXES',
  'CAUSES',
  'SUPERSEDES',
  'CONTRADICTS',
  'REFERENCES',
];

type Seed = { readonly pageId: PageId; readonly score: number };
type Way = GraphVia & { readonly pageId: PageId; readonly value: number };

/**
 * The neighbours of seeds over edges of any kind, either way, and one hop more over `FIXES` and
 * `CAUSES` where the profile follows chains. A seed that an edge joins to another seed is a neighbour
 * too. At most 50 pages, best first; of equal ones those of the better seed, then in the order of
 * its edges.
 *
 * Costs one call, two with chains.
 */
export async function searchByGraph(
  { graph }: { readonly graph: GraphStore },
  view: View,
  seeds: readonly Seed[],
  { edgeWeights, chain }: Pick<RankingProfile, 'edgeWeights' | 'chain'>,
): Promise<GraphHit[]> {
  if (seeds.length === 0) return [];
  const around = await listAround(graph, view, seeds, EDGE_KINDS);
  const ways = seeds.flatMap(({ pageId, score }, index) =>
    (around[index]?.edges ?? []).map((step) => firstHop(step, pageId, score, edgeWeights)),
  );
  if (!chain) return toHits(ways);

  const links = ways.filter(({ edge }) => CHAINED.includes(edge)).slice(0, MAX_NEIGHBOURS);
  const beyond = await listAround(graph, view, links, CHAINED);
  const further = links.flatMap((way, index) =>
    (beyond[index]?.edges ?? [])
      .map((step) => nextHop(step, way, edgeWeights))
      .filter(({ pageId }) => pageId !== way.fromId),
  );
  return toHits([...ways, ...further]);
}

function listAround(
  graph: GraphStore,
  view: View,
  pages: readonly { readonly pageId: PageId }[],
  kinds: readonly EdgeKind[],
): Promise<EdgeList[]> {
  if (pages.length === 0) return Promise.resolve([]);
  return graph.listEdges(
    view,
    pages.map(({ pageId }) => ({
      pageId,
      kinds,
      direction: 'BOTH',
      first: EDGES_PER_SEED,
      after: null,
      withTotal: false,
    })),
  );
}

type EdgeWeights = RankingProfile['edgeWeights'];

function firstHop(step: Step, fromId: PageId, score: number, weights: EdgeWeights): Way {
  const { edge, direction } = step;
  return {
    pageId: farEnd(step),
    value: score * weights[edge.kind],
    edge: edge.kind,
    direction,
    fromId,
    depth: 1,
    path: [step],
  };
}

/** The second hop of a chain lends half of what the first one does. */
const SECOND_HOP_SHARE = 0.5;

function nextHop(step: Step, way: Way, weights: EdgeWeights): Way {
  return {
    pageId: farEnd(step),
    value: way.value * weights[step.edge.kind] * SECOND_HOP_SHARE,
    edge: step.edge.kind,
    direction: step.direction,
    fromId: way.fromId,
    depth: 2,
    path: [...way.path, step],
  };
}

function farEnd({ edge, direction }: Step): PageId {
  return direction === 'OUT' ? edge.toId : edge.fromId;
}

function toHits(ways: readonly Way[]): GraphHit[] {
  const byPage = new Map<PageId, Way[]>();
  for (const way of ways) {
    const own = byPage.get(way.pageId);
    if (own === undefined) byPage.set(way.pageId, [way]);
    else own.push(way);
  }
  return [...byPage]
    .map(([pageId, own]) => ({
      pageId,
      value: Math.max(...own.map(({ value }) => value)),
      via: own
        .toSorted((a, b) => a.depth - b.depth || orderOf(a.edge) - orderOf(b.edge))
        .map(({ pageId: _pageId, value: _value, ...via }) => via),
    }))
    .sort((a, b) => b.value - a.value)
    .slice(0, MAX_NEIGHBOURS);
}

function orderOf(kind: EdgeKind): number {
  return KIND_ORDER.indexOf(kind);
}
