import { authority } from './authority.ts';
import { type Degraded, type DoWithout, orWithout } from './degraded.ts';
import { InvalidInputError } from './errors.ts';
import { explainHits, type RecallHit } from './explain-hits.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { findWays, rankNeighbours } from './graph-arm.ts';
import { keywordQuery } from './keyword-query.ts';
import type { PageId, PageKind } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { parseFirst } from './paging.ts';
import { cutToLimit, rankHits, type Weighed } from './rank-hits.ts';
import { BASELINE, RANKING_PROFILES, type RankingProfile } from './ranking-profiles.ts';
import { embedQuery, searchArms, withMeaningOf } from './search-arms.ts';
import { findSessionWays } from './session-neighbours.ts';
import { findStanding } from './standing.ts';
import type { Stores } from './stores.ts';
import { estimateTokens, withinBudget } from './token-budget.ts';
import { typeHint } from './type-hints.ts';
import type { View } from './view.ts';

export const MAX_RECALL_LIMIT = 100;
export const DEFAULT_RECALL_LIMIT = 10;

export type RecallInput = {
  readonly text: string;
  /** Hard conditions. Superseded and archived pages are left out unless the next two say otherwise. */
  readonly filter: PageFilter;
  readonly includeSuperseded: boolean;
  readonly includeArchived: boolean;
  /** Soft: a bounded addition for pages of these kinds. */
  readonly typeHints: readonly PageKind[];
  readonly limit: number | null;
  /** Most tokens of titles and passages together; the first hit always fits. */
  readonly tokenBudget: number | null;
  /** Name of a profile; null for the default. */
  readonly ranking: string | null;
};

export type Recall = {
  readonly hits: readonly RecallHit[];
  readonly degraded: readonly Degraded[];
  /** Whether the text was longer than what is searched for. */
  readonly truncated: boolean;
  readonly ranking: string;
};

/** What recall needs from outside. */
export type RecallStores = Pick<
  Stores,
  'recall' | 'graph' | 'pages' | 'sessions' | 'embedder' | 'words'
> & {
  /** Takes why an arm of `degraded` failed. */
  readonly reportFailure?: (error: unknown) => void;
};

/**
 * Finds pages by words, by meaning and by the graph, and accounts for each.
 *
 * Costs a number of statements that does not grow with the hits. The keyword arm must answer; the
 * others may be late or without their store, and are then named in `degraded`. A bug in an arm is
 * thrown like any other.
 *
 * @throws {InvalidInputError} for a blank text, a limit out of range, or an unknown profile; no other
 * text is ever an error
 */
export async function recall(
  stores: RecallStores,
  view: View,
  input: RecallInput,
): Promise<Recall> {
  const profile = findProfile(input.ranking);
  const limit = parseFirst(input.limit ?? DEFAULT_RECALL_LIMIT, {
    most: MAX_RECALL_LIMIT,
    field: 'limit',
  });
  if (input.text.trim() === '') {
    throw new InvalidInputError('text', 'a text that is not blank', 'blank text');
  }
  if (input.tokenBudget !== null && !(input.tokenBudget > 0)) {
    throw new InvalidInputError('tokenBudget', 'a number above 0', String(input.tokenBudget));
  }
  const filter: PageFilter = {
    ...input.filter,
    excludeSuperseded: !input.includeSuperseded,
    excludeArchived: !input.includeArchived,
  };
  const words = keywordQuery(input.text);
  const { truncated } = words;
  const terms = profile.dateWords ? [...words.terms, ...words.dates] : words.terms;
  const ranking = profile.name;
  // Words that say nothing find nothing, by meaning too.
  if (terms.length === 0) return { hits: [], degraded: [], truncated, ranking };
  const degraded: Degraded[] = [];
  const doWithout: DoWithout = (arm, error) => {
    degraded.push({ arm, reason: 'FAILED' });
    stores.reportFailure?.(error);
  };
  if (view.asOf !== null) degraded.push({ arm: 'DENSE', reason: 'HISTORICAL' });
  const vector = view.asOf === null ? await embedQuery(stores, input.text, doWithout) : null;

  const window = Math.min(Math.max(4 * limit, 20), limit + 300);
  const found = await searchArms(
    stores,
    view,
    { filter, window, words: { ...words, terms }, vector },
    doWithout,
  );
  const first = fuseRankings(profile.fusion, { ...found.rankings, graph: [] });
  const seeds = first.slice(0, limit).filter(({ score }) => score > 0);
  const walked = Promise.all([
    findWays(stores, view, seeds, filter, profile),
    findSessionWays(stores, view, first, profile.sessionNeighbours),
  ]);
  const ways = ((await orWithout('GRAPH', walked, doWithout)) ?? []).flat();

  // The neighbours meet the filters here, before they are cut, and all others meet them once more.
  const ids = [...new Set(idsOf([...first, ...ways]))];
  const matching = await stores.recall.findMatching(view, ids, filter);
  const neighbours = rankNeighbours(ways.filter(({ pageId }) => matching.has(pageId)));
  const followers = neighbours.filter(({ via }) => via.some(({ edge }) => edge === 'FOLLOWS'));
  const weighing = withMeaningOf(stores, view, found, idsOf(followers), vector);
  const met = (await orWithout('DENSE', weighing, doWithout)) ?? found;
  const fused = fuseRankings(profile.fusion, { ...met.rankings, graph: neighbours });

  const candidates = fused.flatMap((each) => {
    const facts = matching.get(each.pageId);
    return facts === undefined ? [] : [{ facts, fused: each }];
  });
  const standing = await findStanding(
    stores,
    view,
    candidates.map(({ facts }) => facts),
    profile,
  );
  const weighed = candidates.map(
    ({ facts, fused: own }): Weighed => ({
      facts,
      fused: own,
      authority: authority({ ...facts, challengedBy: standing.challengers.get(facts.id) ?? [] }),
      typeHint: typeHint(facts.kind, input.typeHints, profile.fusion),
    }),
  );
  const ranked = cutToLimit(rankHits(weighed, standing.below), limit);
  const hits = await explainHits(stores, view, ranked, {
    ...met,
    graph: neighbours,
    method: profile.fusion,
    terms: new Set(terms),
  });
  return {
    hits: withinBudget(hits, tokensOf, input.tokenBudget),
    degraded,
    truncated,
    ranking,
  };
}

function findProfile(name: string | null): RankingProfile {
  const found = name === null ? BASELINE : RANKING_PROFILES.find((each) => each.name === name);
  if (found === undefined) {
    const known = RANKING_PROFILES.map((each) => each.name).join(', ');
    throw new InvalidInputError('ranking', `one of ${known}`, name ?? '');
  }
  return found;
}

function idsOf(hits: readonly { readonly pageId: PageId }[]): readonly PageId[] {
  return hits.map(({ pageId }) => pageId);
}

function tokensOf({ page, passage }: RecallHit): number {
  return estimateTokens(`${page.title}\n${passage.text}`);
}
