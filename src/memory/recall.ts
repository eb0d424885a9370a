import { authority } from './authority.ts';
import { InvalidInputError, StoreUnavailableError } from './errors.ts';
import { explainHits, type RecallHit } from './explain-hits.ts';
import { fuseRankings, type Rankings } from './fuse-rankings.ts';
import { findWays, rankNeighbours } from './graph-arm.ts';
import { inTime } from './in-time.ts';
import { keywordQuery } from './keyword-query.ts';
import type { PageId, PageKind } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { parseFirst } from './paging.ts';
import { cutToLimit, rankHits, type Weighed } from './rank-hits.ts';
import { BASELINE, RANKING_PROFILES, type RankingProfile } from './ranking-profiles.ts';
import type { DenseHit, KeywordHit } from './recall-store.ts';
import { findStanding } from './standing.ts';
import type { Stores } from './stores.ts';
import { estimateTokens, withinBudget } from './token-budget.ts';
import { typeHint } from './type-hints.ts';
import type { View } from './view.ts';

export const MAX_RECALL_LIMIT = 100;
export const DEFAULT_RECALL_LIMIT = 10;
/** Most time for the encoder, and for the graph; the answer goes out without an arm that is late. */
const ARM_DEADLINE_MS = 5_000;

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

/** Why an arm that took no part did not. */
export type Degraded = {
  readonly arm: 'DENSE' | 'GRAPH';
  /** `HISTORICAL`: there are no vectors of the past. `FAILED`: it could not answer, or not in time. */
  readonly reason: 'HISTORICAL' | 'FAILED';
};

export type Recall = {
  readonly hits: readonly RecallHit[];
  readonly degraded: readonly Degraded[];
  /** Whether the text was longer than what is searched for. */
  readonly truncated: boolean;
  readonly ranking: string;
};

/** What recall needs from outside. */
export type RecallStores = Pick<Stores, 'recall' | 'graph' | 'pages' | 'embedder'> & {
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
  const { terms, truncated } = keywordQuery(input.text);
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
  const found = await searchArms(stores, view, { filter, window, terms, vector }, doWithout);
  const first = fuseRankings(profile.fusion, { ...found.rankings, graph: [] });
  const seeds = first.slice(0, limit).filter(({ score }) => score > 0);
  const walked = findWays(stores, view, seeds, profile);
  const ways = (await orWithout('GRAPH', walked, doWithout)) ?? [];

  // The neighbours meet the filters here, before they are cut, and all others meet them once more.
  const ids = [...new Set([...first, ...ways].map(({ pageId }) => pageId))];
  const matching = await stores.recall.findMatching(view, ids, filter);
  const neighbours = rankNeighbours(ways.filter(({ pageId }) => matching.has(pageId)));
  const fused = fuseRankings(profile.fusion, { ...found.rankings, graph: neighbours });

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
    ...found,
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

type Found = {
  readonly rankings: Omit<Rankings, 'graph'>;
  readonly keyword: readonly KeywordHit[];
  readonly dense: ReadonlyMap<PageId, DenseHit>;
};

/**
 * The two arms that search, over one snapshot, and the exact cosine of what only words found. When
 * the dense arm fails, what the words found stands.
 */
async function searchArms(
  { recall: store }: Pick<Stores, 'recall'>,
  view: View,
  query: {
    readonly filter: PageFilter;
    readonly window: number;
    readonly terms: readonly string[];
    readonly vector: QueryVector | null;
  },
  doWithout: DoWithout,
): Promise<Found> {
  const { vector, ...arm } = query;
  let keyword: readonly KeywordHit[] | null = null;
  try {
    return await store.session(view, async (session) => {
      const byWords = await session.searchByKeywords(arm);
      keyword = byWords;
      if (vector === null) return toFound(byWords, [], []);
      const dense = await session.searchByVector({ ...arm, ...vector });
      const near = new Set(dense.map(({ pageId }) => pageId));
      const rest = byWords.map(({ pageId }) => pageId).filter((pageId) => !near.has(pageId));
      return toFound(byWords, dense, await session.similarities(rest, vector));
    });
  } catch (error) {
    const isKnown = error instanceof StoreUnavailableError;
    if (!isKnown || keyword === null || vector === null) throw error;
    doWithout('DENSE', error);
    return toFound(keyword, [], []);
  }
}

function toFound(
  keyword: readonly KeywordHit[],
  ranked: readonly DenseHit[],
  exact: readonly (DenseHit | null)[],
): Found {
  const hits = [...ranked, ...exact.filter((hit) => hit !== null)];
  return {
    keyword,
    dense: new Map(hits.map((hit) => [hit.pageId, hit])),
    rankings: {
      keyword,
      dense: ranked,
      similarities: new Map(hits.map(({ pageId, similarity }) => [pageId, similarity])),
    },
  };
}

type QueryVector = { readonly vector: Float32Array; readonly model: string };

/** The vector of the text; null where the dense arm takes no part. */
async function embedQuery(
  { embedder }: Pick<Stores, 'embedder'>,
  text: string,
  doWithout: DoWithout,
): Promise<QueryVector | null> {
  const [vector = null] = (await orWithout('DENSE', embedder.embed([text]), doWithout)) ?? [];
  return vector && { vector, model: embedder.model };
}

type DoWithout = (arm: Degraded['arm'], error: unknown) => void;

/** What an arm found; null when its store is away or it is late. @throws what is neither: a bug */
async function orWithout<Found>(
  arm: Degraded['arm'],
  work: Promise<Found>,
  doWithout: DoWithout,
): Promise<Found | null> {
  const ended = work.then(
    (found) => ({ found }),
    (error: unknown) => ({ error }),
  );
  const result = await inTime(ended, ARM_DEADLINE_MS).catch((late: unknown) => ({ late }));
  if ('found' in result) return result.found;
  if ('error' in result && !(result.error instanceof StoreUnavailableError)) throw result.error;
  doWithout(arm, 'late' in result ? result.late : result.error);
  return null;
}

function findProfile(name: string | null): RankingProfile {
  const found = name === null ? BASELINE : RANKING_PROFILES.find((each) => each.name === name);
  if (found === undefined) {
    const known = RANKING_PROFILES.map((each) => each.name).join(', ');
    throw new InvalidInputError('ranking', `one of ${known}`, name ?? '');
  }
  return found;
}

function tokensOf({ page, passage }: RecallHit): number {
  return estimateTokens(`${page.title}\n${passage.text}`);
}
