import type { PageId } from './page.ts';
import { RANKING_DEFAULTS } from './ranking-defaults.ts';
import type { FusionMethod } from './ranking-profiles.ts';

/** One retrieval channel. */
export const ARMS = ['KEYWORD', 'DENSE', 'GRAPH'] as const;
export type Arm = (typeof ARMS)[number];

/** What one arm adds to a page: weight × value. */
export type Contribution = {
  readonly arm: Arm;
  readonly weight: number;
  /** The page's place in the arm's list, from 1; null where the arm did not find it. */
  readonly rank: number | null;
  readonly value: number;
};

/** A page with what each arm adds; `score` is the sum of weight × value, in the order given. */
export type Fused = {
  readonly pageId: PageId;
  readonly score: number;
  readonly contributions: readonly Contribution[];
};

/** Share of the words and of the meaning in a convex score. */
export const CONVEX_WEIGHTS = RANKING_DEFAULTS.convexWeights.value;
/**
 * The same, for a query that looks something up by a name that some page has. Such a page stands above
 * those that have only the parts of the name, whatever their cosines: its words are worth at least 0.22
 * of the best more (see `outweighParts`), and 0.22 × 0.85 is above 0.15.
 *
 * And where the best page by words has them in its hints alone: somebody wrote down that this is what it answers,
 * and the embedded text does not say so. Questions behind a vocabulary gap: recall@1 .96 against .93.
 */
export const LOOK_UP_WEIGHTS = { KEYWORD: 0.85, DENSE: 0.15 } as const;
/** Share of a seed's score that the graph lends, before the weight of the edge's kind. */
export const GRAPH_SHARE = RANKING_DEFAULTS.graphShare.value;
/** Flattens the top of a ranking; 60 in the source. */
export const RRF_DAMPING = 60;
export const RRF_WEIGHTS = { KEYWORD: 1, DENSE: 1, GRAPH: 0.5 } as const;

/** What the arms found. Lists are best first, ids unique within each. */
export type Rankings = {
  readonly keyword: readonly { readonly pageId: PageId; readonly score: number }[];
  readonly dense: readonly { readonly pageId: PageId }[];
  /**
   * Exact cosines of all pages of both lists, and of those of the graph whose own meaning counts, -1 to
   * 1; absent where a page has no vector.
   */
  readonly similarities: ReadonlyMap<PageId, number>;
  /** Share of a seed's score that each page gets over its best edge, best first. */
  readonly graph: readonly { readonly pageId: PageId; readonly value: number }[];
  /** Whether a name is looked up, and was found. */
  readonly isLookUp: boolean;
  /** Whether the best page by words was found by its hints alone. */
  readonly isHinted: boolean;
};

/**
 * Merges the arms. `CONVEX`: 0.45 × bm25 / max(bm25) + 0.55 × max(0, cosine), the cosine exact for
 * every page that words or meaning found, and 0.3 × what the graph lends; 0.85 and 0.15 where a name
 * is looked up or hints alone found the best page. `RRF`:
 * Σ weight(arm) / (60 + rank), where only order matters. An empty arm adds nothing.
 *
 * @returns pages by score, best first, ties by id
 *
 * Source of RRF: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
 * individual Rank Learning Methods", SIGIR 2009. Of the convex sum: Bruch, Gai and Ingber, "An
 * Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023.
 */
export function fuseRankings(method: FusionMethod, rankings: Rankings): Fused[] {
  const contributions = method === 'CONVEX' ? convex(rankings) : reciprocal(rankings);
  return [...contributions]
    .map(([pageId, own]) => ({ pageId, score: sum(own), contributions: own }))
    .sort((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1));
}

/** The score of contributions: the same sum, in the same order, that the fusion made. */
export function sum(contributions: readonly Contribution[]): number {
  return contributions.reduce((total, { weight, value }) => total + weight * value, 0);
}

function convex(rankings: Rankings): Map<PageId, Contribution[]> {
  const { keyword, dense, similarities, graph, isLookUp, isHinted } = rankings;
  const weights = isLookUp || isHinted ? LOOK_UP_WEIGHTS : CONVEX_WEIGHTS;
  const found = new Map<PageId, Contribution[]>();
  const best = keyword[0]?.score ?? 0;
  for (const [index, { pageId, score }] of keyword.entries()) {
    const value = best > 0 ? score / best : 0;
    const weight = weights.KEYWORD;
    add(found, pageId, { arm: 'KEYWORD', weight, rank: index + 1, value });
  }
  const denseRanks = new Map(dense.map(({ pageId }, index) => [pageId, index + 1]));
  for (const pageId of new Set([...keyword, ...dense, ...graph].map((hit) => hit.pageId))) {
    const similarity = similarities.get(pageId);
    if (similarity === undefined) continue;
    add(found, pageId, {
      arm: 'DENSE',
      weight: weights.DENSE,
      rank: denseRanks.get(pageId) ?? null,
      value: Math.max(0, similarity),
    });
  }
  for (const [index, { pageId, value }] of graph.entries()) {
    add(found, pageId, { arm: 'GRAPH', weight: GRAPH_SHARE, rank: index + 1, value });
  }
  return found;
}

function reciprocal({ keyword, dense, graph }: Rankings): Map<PageId, Contribution[]> {
  const found = new Map<PageId, Contribution[]>();
  const lists = { KEYWORD: keyword, DENSE: dense, GRAPH: graph };
  for (const arm of ARMS) {
    for (const [index, { pageId }] of lists[arm].entries()) {
      const rank = index + 1;
      const value = 1 / (RRF_DAMPING + rank);
      add(found, pageId, { arm, weight: RRF_WEIGHTS[arm], rank, value });
    }
  }
  return found;
}

function add(found: Map<PageId, Contribution[]>, pageId: PageId, contribution: Contribution): void {
  const own = found.get(pageId);
  if (own === undefined) found.set(pageId, [contribution]);
  else own.push(contribution);
}
