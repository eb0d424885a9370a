import type { ArmQuery, KeywordHit } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import { B, FREQUENCY_BORDERS, inverseDocumentFrequency, K1 } from './bm25.ts';
import type { Connection } from './connect.ts';
import { readStatistics, readStatisticsThen, type TermStatistics } from './keyword-counts.ts';
import {
  FIRST_OWN_PARAMETER,
  PAGE_FILTER,
  PAGE_FILTER_THEN,
  PAGES_THEN,
  pageFilterValues,
} from './page-filter.ts';
import { toTsquery } from './tsvector.ts';
import { wandQuery } from './wand-query.ts';

/** Up to this many postings for each wanted hit, one pass over all of them is cheaper than two. */
const ONE_PASS_FACTOR = 8;
/** The first pass reads about this many postings for each wanted hit. */
const FIRST_PASS_FACTOR = 4;

/** A term of the query as the search takes it. */
type ScoredTerm = TermStatistics & { readonly query: string; readonly bound: number };

/**
 * The exact top of BM25: the same as scoring every page that has any of the terms.
 *
 * A first pass over the rarest terms gives a score that the last hit reaches at least; the second
 * then asks the index only for pages that can reach it.
 *
 * Costs two statements for few postings, three for many. Runs in one snapshot.
 */
export async function searchByKeywords(
  connection: Connection,
  view: View,
  { filter, window, terms }: ArmQuery & { readonly terms: readonly string[] },
): Promise<KeywordHit[]> {
  if (terms.length === 0) return [];
  const isPast = view.asOf !== null;
  const statistics = isPast
    ? await readStatisticsThen(connection, view, filter, terms)
    : await readStatistics(connection, view, filter, terms);
  const known = statistics.terms.filter(({ pages }) => pages > 0);
  if (known.length === 0) return [];

  const scored = known
    .map((term) => ({
      ...term,
      query: toTsquery(term.lexeme),
      bound: inverseDocumentFrequency(statistics.pages, term.pages),
    }))
    .sort((a, b) => b.bound - a.bound || (a.lexeme < b.lexeme ? -1 : 1));
  const meanLength = Math.max(statistics.length / Math.max(statistics.pages, 1), 1);
  const run = (candidates: string) =>
    search(connection, { view, filter, window, terms: scored, meanLength, candidates });

  const any = scored.map(({ query }) => query).join('|');
  const postings = scored.reduce((sum, { pages }) => sum + pages, 0);
  if (isPast || postings <= ONE_PASS_FACTOR * window) return toHits(await run(any), terms);

  const first = await run(rarest(scored, FIRST_PASS_FACTOR * window));
  const threshold = first[window - 1]?.score;
  if (threshold === undefined) return toHits(await run(any), terms);
  // Below the threshold by less than rounding can add.
  return toHits(await run(wandQuery(scored, threshold - 1e-9) ?? any), terms);
}

function rarest(terms: readonly ScoredTerm[], postings: number): string {
  let read = 0;
  const end = terms.findIndex(({ pages }) => {
    read += pages;
    return read >= postings;
  });
  return terms
    .slice(0, end < 0 ? terms.length : end + 1)
    .map(({ query }) => query)
    .join('|');
}

type HitRow = {
  readonly id: string;
  readonly score: number;
  readonly found: readonly { readonly lexeme: string; readonly labels: readonly string[] }[];
};

async function search(
  connection: Connection,
  query: {
    readonly view: View;
    readonly filter: ArmQuery['filter'];
    readonly window: number;
    readonly terms: readonly ScoredTerm[];
    readonly meanLength: number;
    readonly candidates: string;
  },
): Promise<HitRow[]> {
  const { view, filter, window, terms, meanLength, candidates } = query;
  const isPast = view.asOf !== null;
  const text = statementText(terms.length, isPast);
  return connection.query<HitRow>({
    name: `page_search_by_keywords_${isPast ? 'then' : 'now'}_${terms.length}`,
    text,
    values: [
      ...pageFilterValues(view, filter),
      candidates,
      window,
      meanLength,
      FREQUENCY_BORDERS,
      terms.map(({ lexeme }) => lexeme),
      ...terms.flatMap(({ query: own, bound }) => [own, bound]),
    ],
  });
}

/** One text for each number of terms: it holds parameters alone, so that its plan is kept. */
function statementText(termCount: number, isPast: boolean): string {
  const [candidates, window, meanLength, borders, lexemes] = [0, 1, 2, 3, 4].map(
    (offset) => `$${FIRST_OWN_PARAMETER + offset}`,
  );
  const row = isPast ? 'v' : 'p';
  const score = Array.from({ length: termCount }, (_, index) => {
    const term = `$${FIRST_OWN_PARAMETER + 5 + 2 * index}::tsquery`;
    const bound = `$${FIRST_OWN_PARAMETER + 6 + 2 * index}::float8`;
    return `case when ${row}.keyword @@ ${term} then ${bound} / (1 + ${K1} * (${1 - B}
      + ${B} * ${row}.keyword_length / ${meanLength}::float8)
      / width_bucket(ts_rank('{1,1,1,1}', ${row}.keyword, ${term})::float8, ${borders}::float8[]))
      else 0 end`;
  }).join(' + ');
  return `
    select h.id, h.score, (
      select json_agg(json_build_object('lexeme', w.lexeme, 'labels', w.weights))
      from unnest(h.keyword) w where w.lexeme = any(${lexemes}::text[])
    ) as found
    from (
      select p.id, p.path, ${row}.keyword, ${score} as score
      from ${isPast ? PAGES_THEN : 'page p'}
      where ${isPast ? PAGE_FILTER_THEN : PAGE_FILTER} and ${row}.keyword @@ ${candidates}::tsquery
      order by score desc, p.path, p.id
      limit ${window}
    ) h
    order by h.score desc, h.path, h.id
  `;
}

const PLACE_OF_LABEL = { A: 'TITLE', C: 'HINT', D: 'BODY' } as const;
const PLACES = ['TITLE', 'BODY', 'HINT'] as const;

function toHits(rows: readonly HitRow[], terms: readonly string[]): KeywordHit[] {
  return rows.map(({ id, score, found }) => {
    const lexemes = new Set(found.map(({ lexeme }) => lexeme));
    const labels = new Set(found.flatMap((each) => each.labels));
    const places = new Set(
      [...labels].map((label) => PLACE_OF_LABEL[label === 'A' || label === 'C' ? label : 'D']),
    );
    return {
      pageId: id,
      score,
      terms: terms.filter((term) => lexemes.has(term)),
      matchedIn: PLACES.filter((place) => places.has(place)),
    };
  });
}
