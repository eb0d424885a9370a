import type { KeywordArmQuery, KeywordHit } from '../memory/recall-store.ts';
import type { View } from '../memory/view.ts';
import { inverseDocumentFrequency } from './bm25.ts';
import type { Connection } from './connect.ts';
import { readStatistics, readStatisticsThen, type TermStatistics } from './keyword-counts.ts';
import { findFloor, type KeywordSearch, type ScoredTerm, search } from './keyword-search.ts';
import { outweighParts } from './outweigh-parts.ts';
import { toTsquery } from './tsvector.ts';
import { wandQuery } from './wand-query.ts';

/** When one pass over all postings is done, and how many the first of two passes reads. */
export type PassLimits = {
  /** Up to this many postings for each wanted hit, one pass is cheaper than two. */
  readonly onePass: number;
  /** The first of two passes reads about this many postings for each wanted hit. */
  readonly firstPass: number;
};

/** Measured at 10⁴ to 10⁶ pages; neither changes what is found. */
export const PASS_LIMITS: PassLimits = { onePass: 8, firstPass: 4 };

/** What rounding can take from a score, at most: thresholds are set lower by this. */
const ROUNDING = 1e-9;

/**
 * The exact top of BM25: the same as scoring every page that has any of the terms. Identifiers count
 * as `outweighParts` says.
 *
 * A first pass over the rarest terms gives a score that the last hit reaches at least; the second
 * then asks the index only for pages that can reach it. A read of the past takes one pass, linear
 * in the versions of the searched projects: they have no counts and no index of their own.
 *
 * Costs two statements for few postings, three for many. Runs in one snapshot.
 */
export async function searchByKeywords(
  connection: Connection,
  view: View,
  { filter, window, terms, names = [] }: KeywordArmQuery,
  limits = PASS_LIMITS,
): Promise<KeywordHit[]> {
  if (terms.length === 0) return [];
  const count = view.asOf === null ? readStatistics : readStatisticsThen;
  const statistics = await count(connection, view, filter, terms);
  const known = statistics.terms.filter(({ pages }) => pages > 0);
  const scored = outweighParts(
    known.map((term) => toScored(term, statistics.pages)),
    names,
  );
  if (scored.length === 0) return [];

  const meanLength = Math.max(statistics.length / Math.max(statistics.pages, 1), 1);
  const query = { view, filter, window, terms: scored, meanLength };
  const hits = await search(connection, query, await toCandidates(connection, query, limits));
  return hits.map((hit) => ({ ...hit, terms: terms.filter((term) => hit.terms.has(term)) }));
}

function toScored({ lexeme, pages }: TermStatistics, allPages: number): ScoredTerm {
  const bound = inverseDocumentFrequency(allPages, pages);
  return { lexeme, pages, query: toTsquery(lexeme), bound, isName: false };
}

/** A tsquery that every page among the first `window` meets. */
async function toCandidates(
  connection: Connection,
  query: KeywordSearch,
  { onePass, firstPass }: PassLimits,
): Promise<string> {
  const { view, terms, window } = query;
  const any = anyOf(terms);
  const postings = terms.reduce((sum, { pages }) => sum + pages, 0);
  if (view.asOf !== null || postings <= onePass * window) return any;

  const floor = await findFloor(connection, query, anyOf(rarest(terms, firstPass * window)));
  return floor === null ? any : (wandQuery(terms, floor - ROUNDING) ?? any);
}

function rarest(terms: readonly ScoredTerm[], postings: number): readonly ScoredTerm[] {
  let read = 0;
  const end = terms.findIndex(({ pages }) => {
    read += pages;
    return read >= postings;
  });
  return end < 0 ? terms : terms.slice(0, end + 1);
}

function anyOf(terms: readonly ScoredTerm[]): string {
  return terms.map(({ query }) => query).join('|');
}
