import { authority } from './authority.ts';
import { type Degraded, type DoWithout, orWithout } from './degraded.ts';
import { explainHits, type RecallHit } from './explain-hits.ts';
import { findMeaning } from './find-meaning.ts';
import { fuseRankings } from './fuse-rankings.ts';
import { findWays, rankNeighbours } from './graph-arm.ts';
import { keywordQuery } from './keyword-query.ts';
import type { PageId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import { closedToOthers } from './people-scope.ts';
import {
  type DenseSource,
  type NoVector,
  type NoVectorCode,
  type QueryMeaning,
  withoutVector,
} from './query-meaning.ts';
import { cutToLimit, rankHits, type Weighed } from './rank-hits.ts';
import type { RankingProfile } from './ranking-profiles.ts';
import {
  findProfile,
  parseRecallInput,
  type RecallInput,
  type RecallQuery,
} from './recall-query.ts';
import { searchArms, withMeaningOf } from './search-arms.ts';
import { findSessionWays } from './session-neighbours.ts';
import { findStanding } from './standing.ts';
import type { Stores } from './stores.ts';
import { estimateTokens, withinBudget } from './token-budget.ts';
import { typeHint } from './type-hints.ts';
import type { View } from './view.ts';

export type Recall = {
  readonly hits: readonly RecallHit[];
  readonly denseSource: DenseSource;
  /** Null where there was a vector. */
  readonly denseReason: NoVector | null;
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
 * @param lent  what a caller had prepared in place of embedding the text here
 * @throws {InvalidInputError} for a blank text, a limit out of range, or an unknown profile; no other
 * text is ever an error
 * @throws {PeopleUnavailableError} where the store is away and the filter names people
 */
export async function recall(
  stores: RecallStores,
  view: View,
  input: RecallInput,
  lent: QueryMeaning | null = null,
): Promise<Recall> {
  return closedToOthers(input.filter, () =>
    find(stores, view, parseRecallInput(input), findProfile(input.ranking), lent),
  );
}

async function find(
  stores: RecallStores,
  view: View,
  input: RecallQuery,
  profile: RankingProfile,
  lent: QueryMeaning | null,
): Promise<Recall> {
  const { limit, ranking } = input;
  const filter: PageFilter = {
    ...input.filter,
    excludeSuperseded: !input.includeSuperseded,
    excludeArchived: !input.includeArchived,
  };
  const words = keywordQuery(input.text);
  const { truncated } = words;
  const terms = profile.dateWords ? [...words.terms, ...words.dates] : words.terms;
  // Words that say nothing find nothing, by meaning too.
  if (terms.length === 0) {
    const { source: denseSource, reason: denseReason } = withoutVector('NOTHING_TO_EMBED');
    return { hits: [], degraded: [], truncated, ranking, denseSource, denseReason };
  }
  const degraded: Degraded[] = [];
  const doWithout: DoWithout = (arm, error) => {
    degraded.push({ arm, reason: 'FAILED' });
    stores.reportFailure?.(error);
  };
  const meaning = await findMeaning(stores, view, input, lent, doWithout);
  const { source: denseSource, reason: denseReason, vector } = meaning;
  if (denseReason !== null) degraded.push(...degradedBy(denseReason.code));
  const lends = view.asOf === null && profile.sessionNeighbours.length > 0;

  const window = windowOf(limit, lends);
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
  const matching = await stores.recall.findMatching(view, ids, filter, {
    withAsks: profile.askingTerm !== 0,
  });
  const neighbours = rankNeighbours(
    ways.filter(({ pageId }) => matching.has(pageId)),
    new Set(idsOf(first)),
  );
  const meant = neighbours.filter(
    ({ via }) => profile.chain || via.some(({ edge }) => edge === 'FOLLOWS'),
  );
  const weighing = withMeaningOf(stores, view, found, idsOf(meant), vector);
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
      authority: authority({
        ...facts,
        challengedBy: standing.challengers.get(facts.id) ?? [],
        askingTerm: profile.askingTerm,
      }),
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
    denseSource,
    denseReason,
  };
}

/** How a query without a vector is told of; a text without any leaves the arm nothing to miss. */
function degradedBy(code: NoVectorCode): readonly Degraded[] {
  if (code === 'FAILED' || code === 'NOTHING_TO_EMBED') return [];
  return [{ arm: 'DENSE', reason: code === 'HISTORICAL' ? 'HISTORICAL' : 'UNPREPARED' }];
}

/**
 * How many candidates each arm gives where sessions lend, whatever the limit: a page far down the lists
 * may stand beside the answer.
 */
const LENDING_WINDOW = 160;

function windowOf(limit: number, lends: boolean): number {
  const window = Math.min(Math.max(4 * limit, 20), limit + 300);
  return lends ? Math.max(window, LENDING_WINDOW) : window;
}

function idsOf(hits: readonly { readonly pageId: PageId }[]): readonly PageId[] {
  return hits.map(({ pageId }) => pageId);
}

function tokensOf({ page, passage }: RecallHit): number {
  return estimateTokens(`${page.title}\n${passage.text}`);
}
