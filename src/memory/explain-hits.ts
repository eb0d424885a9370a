import type { Authority } from './authority.ts';
import { type Confidence, confidence } from './confidence.ts';
import type { Contribution } from './fuse-rankings.ts';
import type { GraphHit, GraphVia } from './graph-arm.ts';
import type { Page, PageId } from './page.ts';
import type { Ranked } from './rank-hits.ts';
import type { FusionMethod } from './ranking-profiles.ts';
import type { DenseHit, KeywordHit } from './recall-store.ts';
import { type Snippet, snippet } from './snippet.ts';
import type { Stores } from './stores.ts';
import type { TypeHint } from './type-hints.ts';
import type { View } from './view.ts';

/** The account of a hit: what was computed, never computed again for show. */
export type Explain = {
  readonly keyword: (KeywordHit & { readonly rank: number }) | null;
  readonly dense: { readonly rank: number; readonly similarity: number } | null;
  readonly graph: { readonly rank: number } | null;
  readonly graphVia: readonly GraphVia[];
  readonly fusion: {
    readonly method: FusionMethod;
    /** Σ weight × value of the contributions. */
    readonly score: number;
    readonly contributions: readonly Contribution[];
  };
  readonly authority: Authority;
  readonly typeHint: TypeHint;
  readonly heldBelow: Ranked['heldBelow'];
  /** Tells how sure we are; `inRanking` says whether the order was moved by it. */
  readonly confidence: Confidence & { readonly inRanking: boolean };
};

export type RecallHit = {
  readonly page: Page;
  /** From 1. */
  readonly rank: number;
  /** (fusion score + type hint) × authority, unless it was held below another hit. */
  readonly score: number;
  readonly passage: Snippet;
  readonly explain: Explain;
};

/** What the arms found, as the accounts need it. */
export type Findings = {
  readonly keyword: readonly KeywordHit[];
  readonly dense: ReadonlyMap<PageId, DenseHit>;
  readonly graph: readonly GraphHit[];
  readonly method: FusionMethod;
  readonly terms: ReadonlySet<string>;
};

/**
 * Loads the pages of ranked hits and accounts for each. A page that went away meanwhile is left out.
 *
 * Costs two statements.
 */
export async function explainHits(
  { pages, words }: Pick<Stores, 'pages' | 'words'>,
  view: View,
  ranked: readonly Ranked[],
  findings: Findings,
): Promise<readonly RecallHit[]> {
  const ids = ranked.map(({ facts }) => facts.id);
  const [found, evidence] = await Promise.all([
    pages.findMany(view, ids),
    pages.evidence(view, ids),
  ]);
  const keywordRanks = toRanks(findings.keyword);
  const graphRanks = toRanks(findings.graph);

  const hits = ranked.flatMap((hit, index): Omit<RecallHit, 'rank'>[] => {
    const page = found[index] ?? null;
    const summary = evidence[index];
    if (page === null || summary === undefined) return [];
    const nearest = findings.dense.get(page.id) ?? null;
    const graph = graphRanks.get(page.id) ?? null;
    const denseRank = hit.fused.contributions.find(({ arm }) => arm === 'DENSE')?.rank ?? null;
    return [
      {
        page,
        score: hit.score,
        passage: snippet(page.body, nearest?.passage ?? null, findings.terms, words.termsOf),
        explain: {
          keyword: keywordRanks.get(page.id) ?? null,
          dense:
            nearest === null || denseRank === null
              ? null
              : { rank: denseRank, similarity: nearest.similarity },
          graph: graph && { rank: graph.rank },
          graphVia: graph?.via ?? [],
          fusion: {
            method: findings.method,
            score: hit.fused.score,
            contributions: hit.fused.contributions,
          },
          authority: hit.authority,
          typeHint: hit.typeHint,
          heldBelow: hit.heldBelow,
          confidence: { ...confidence(summary, view), inRanking: false },
        },
      },
    ];
  });
  return hits.map((hit, index) => ({ ...hit, rank: index + 1 }));
}

function toRanks<Hit extends { readonly pageId: PageId }>(
  hits: readonly Hit[],
): ReadonlyMap<PageId, Hit & { readonly rank: number }> {
  return new Map(hits.map((hit, index) => [hit.pageId, { ...hit, rank: index + 1 }]));
}
