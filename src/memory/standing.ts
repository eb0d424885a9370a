import type { Resolution } from './edge.ts';
import type { EdgeListRequest } from './graph-store.ts';
import type { PageId } from './page.ts';
import type { Below } from './rank-hits.ts';
import type { RankingProfile } from './ranking-profiles.ts';
import type { PageFacts } from './recall-store.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** How candidates stand to each other. */
export type Standing = {
  /** Challengers that count against a page. */
  readonly challengers: ReadonlyMap<PageId, readonly PageId[]>;
  /** Pages that belong below another: the replaced below the successor, the challenged below the challenger. */
  readonly below: readonly Below[];
};

/** Challengers or successors of one page that are looked at; newest first. */
const MAX_EDGES = 20;

/** The states in which a challenge counts. */
const COUNTING: readonly Resolution[] = ['UNRESOLVED', 'UPHELD'];

/**
 * Reads who replaces and, where the profile asks, who disputes the candidates. A challenge counts
 * while it is unresolved or upheld and its challenger is itself current.
 *
 * Costs nothing where there is nothing superseded and contradictions are left out; else one
 * statement.
 */
export async function findStanding(
  { graph }: Pick<Stores, 'graph'>,
  view: View,
  candidates: readonly PageFacts[],
  { contradictionCap }: Pick<RankingProfile, 'contradictionCap'>,
): Promise<Standing> {
  const requests = [
    ...candidates
      .filter(({ isSuperseded }) => isSuperseded)
      .map(({ id }) => into(id, 'SUPERSEDES')),
    ...(contradictionCap ? candidates.map(({ id }) => into(id, 'CONTRADICTS')) : []),
  ];
  if (requests.length === 0) return { challengers: new Map(), below: [] };

  const lists = await graph.listEdges(view, requests);
  const edges = lists.flatMap((list) => list.edges.map(({ edge }) => edge));
  const challenges = edges.filter(({ kind }) => kind === 'CONTRADICTS');
  const successions = edges.filter(({ kind }) => kind === 'SUPERSEDES');
  return {
    challengers: new Map(
      [...Map.groupBy(challenges, ({ toId }) => toId)].map(([id, own]) => [
        id,
        own.map(({ fromId }) => fromId),
      ]),
    ),
    below: [...successions, ...challenges].map(({ fromId, toId }) => ({
      lower: toId,
      upper: fromId,
    })),
  };
}

function into(pageId: PageId, kind: 'SUPERSEDES' | 'CONTRADICTS'): EdgeListRequest {
  return {
    pageId,
    kinds: [kind],
    // What does not count is left out before the limit, or it would fill it.
    ...(kind === 'CONTRADICTS' ? { resolutions: COUNTING, onlyCurrent: true } : {}),
    direction: 'IN',
    first: MAX_EDGES,
    after: null,
    withTotal: false,
  };
}
