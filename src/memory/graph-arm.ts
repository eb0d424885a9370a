import { EDGE_KINDS, type EdgeKind, type Step } from './edge.ts';
import type { EdgeList, GraphStore } from './graph-store.ts';
import type { PageId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { RANKING_DEFAULTS } from './ranking-defaults.ts';
import type { RankingProfile } from './ranking-profiles.ts';
import type { View } from './view.ts';

/** What joins a page to one that it lends to: an edge, or the order in which a session recorded them. */
export const VIA_KINDS = [...EDGE_KINDS, 'FOLLOWS'] as const;

/** One way over which the graph arm came to a page. */
export type GraphVia = {
  /** The last edge of the way; `FOLLOWS` from the later page of a session to the one before it. */
  readonly edge: (typeof VIA_KINDS)[number];
  readonly direction: Step['direction'];
  /** The seed that the way begins at. */
  readonly fromId: PageId;
  /** Hops: 1, or 2 where the profile follows chains. */
  readonly depth: number;
  /** Empty for `FOLLOWS`, which nobody asserted. */
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
/** Those that only sessions lead to: a hit has eight neighbours there, and each may be the answer. */
const MAX_SESSION_NEIGHBOURS = 300;
/** Edges read around all seeds together: so many that a filter leaves some, few enough for hubs. */
const MAX_EDGES = 1_000;
/** Edges read around one page at least, however many seeds there are. */
const MIN_EDGES_PER_PAGE = 50;
/** Kinds that a chain follows further. */
const CHAINED = ['FIXES', 'CAUSES'] as const satisfies readonly EdgeKind[];
/** Where two edges join the same pair: the order that they are told in. */
const KIND_ORDER: readonly GraphVia['edge'][] = [
  'FIXES',
  'CAUSES',
  'SUPERSEDES',
  'CONTRADICTS',
  'REFERENCES',
  'FOLLOWS',
];

type Seed = { readonly pageId: PageId; readonly score: number };

/** A way to a page, and what it lends: seed score × weights of the edges. */
export type Way = { readonly pageId: PageId; readonly value: number; readonly via: GraphVia };

/**
 * The ways from seeds to their neighbours over edges of any kind, either way, and one hop more over
 * `FIXES` and `CAUSES` where the profile follows chains. A seed that an edge joins to another seed is
 * a neighbour too. Where the filter may leave few neighbours, it is asked before the reads are cut.
 *
 * Costs one call, two with chains, three with chains and such a filter.
 */
export async function findWays(
  { graph }: { readonly graph: GraphStore },
  view: View,
  seeds: readonly Seed[],
  filter: PageFilter,
  { edgeWeights, chain }: Pick<RankingProfile, 'edgeWeights' | 'chain'>,
): Promise<readonly Way[]> {
  if (seeds.length === 0) return [];
  const where = isNarrow(filter) ? filter : undefined;
  const firstHops = async (kinds: readonly EdgeKind[], through?: PageFilter) => {
    const around = await listAround(graph, view, seeds, kinds, through);
    return seeds.flatMap((seed, index) =>
      (around[index]?.edges ?? []).map((step) => firstHop(step, seed, edgeWeights)),
    );
  };
  const ways = await firstHops(EDGE_KINDS, where);
  if (!chain) return ways;

  // The page in the middle need not pass: it only leads on.
  const near = where === undefined ? ways : await firstHops(CHAINED);
  const links = near
    .filter(({ via }) => CHAINED.some((kind) => kind === via.edge))
    .slice(0, MAX_NEIGHBOURS);
  const beyond = await listAround(graph, view, links, CHAINED, where);
  const further = links.flatMap((way, index) =>
    (beyond[index]?.edges ?? [])
      .map((step) => nextHop(step, way))
      .filter(({ pageId }) => pageId !== way.via.fromId),
  );
  return [...ways, ...further];
}

/**
 * The pages that ways lead to, best first; of equal ones those of the better seed, then in the order of
 * its edges. At most 50. Where some are in sessions: the first 300, and all that were found without
 * them, since the best hit has but weaker neighbours to lend it something. Give it only ways to pages
 * that pass every filter, since it cuts.
 */
export function rankNeighbours(ways: readonly Way[], found: ReadonlySet<PageId>): GraphHit[] {
  const isInSession = ways.some(({ via }) => via.edge === 'FOLLOWS');
  const ranked = [...Map.groupBy(ways, ({ pageId }) => pageId)]
    .map(([pageId, own]) => ({
      pageId,
      value: Math.max(...own.map(({ value }) => value)),
      via: own
        .map(({ via }) => via)
        .sort((a, b) => a.depth - b.depth || orderOf(a.edge) - orderOf(b.edge)),
    }))
    .sort((a, b) => b.value - a.value);
  if (!isInSession) return ranked.slice(0, MAX_NEIGHBOURS);
  return ranked.filter(({ pageId }, index) => index < MAX_SESSION_NEIGHBOURS || found.has(pageId));
}

function listAround(
  graph: GraphStore,
  view: View,
  pages: readonly { readonly pageId: PageId }[],
  kinds: readonly EdgeKind[],
  where: PageFilter | undefined,
): Promise<EdgeList[]> {
  if (pages.length === 0) return Promise.resolve([]);
  return graph.listEdges(
    view,
    pages.map(({ pageId }) => ({
      pageId,
      kinds,
      direction: 'BOTH',
      first: Math.max(MIN_EDGES_PER_PAGE, Math.floor(MAX_EDGES / pages.length)),
      after: null,
      withTotal: false,
    })),
    // An edge of this moment is not worth half a second: where the graph is behind, the ledger has it.
    'AT_ONCE',
    where,
  );
}

/**
 * Whether few neighbours of a page may pass, so that reading some and asking then could leave none.
 * Others are left to the graph database, which knows no filter here.
 */
function isNarrow({
  kinds,
  tags,
  attributes,
  people,
  includeIds,
  pathPrefix,
}: PageFilter): boolean {
  return [kinds, tags, attributes, people, includeIds, pathPrefix].some(
    (condition) => condition !== undefined,
  );
}

type EdgeWeights = RankingProfile['edgeWeights'];

function firstHop(step: Step, { pageId: fromId, score }: Seed, weights: EdgeWeights): Way {
  const { edge, direction } = step;
  return {
    pageId: farEnd(step),
    value: score * weights[edge.kind],
    via: { edge: edge.kind, direction, fromId, depth: 1, path: [step] },
  };
}

/** Part of what the first hop of a chain lends that the second one does: little is lost on the way. */
const SECOND_HOP_SHARE = RANKING_DEFAULTS.secondHopShare.value;

function nextHop(step: Step, { value, via }: Way): Way {
  const { edge, direction } = step;
  return {
    pageId: farEnd(step),
    value: value * SECOND_HOP_SHARE,
    via: { edge: edge.kind, direction, fromId: via.fromId, depth: 2, path: [...via.path, step] },
  };
}

function farEnd({ edge, direction }: Step): PageId {
  return direction === 'OUT' ? edge.toId : edge.fromId;
}

function orderOf(kind: GraphVia['edge']): number {
  return KIND_ORDER.indexOf(kind);
}
