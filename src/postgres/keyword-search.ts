import type { KeywordHit, PageFilter } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import { B, FREQUENCY_BORDERS, K1 } from './bm25.ts';
import type { Connection } from './connect.ts';
import {
  FIRST_OWN_PARAMETER,
  PAGE_FILTER,
  PAGE_FILTER_THEN,
  PAGES_THEN,
  pageFilterValues,
} from './page-filter.ts';

/** A term of the query as the search takes it. */
export type ScoredTerm = {
  readonly lexeme: string;
  /** How many of the searched pages have it. */
  readonly pages: number;
  /** As a tsquery literal. */
  readonly query: string;
  /** The most that it can add to a score. */
  readonly bound: number;
};

export type KeywordSearch = {
  readonly view: View;
  readonly filter: PageFilter;
  readonly window: number;
  /** Those that some page has, rarest first; at least one. */
  readonly terms: readonly ScoredTerm[];
  /** Terms of a page on average, at least 1. */
  readonly meanLength: number;
};

/** The score of the last of `window` pages among the candidates; null where there are fewer. */
export async function findFloor(
  connection: Connection,
  query: KeywordSearch,
  candidates: string,
): Promise<number | null> {
  const [row] = await connection.query<{ score: number }>({
    name: `page_find_keyword_floor_${when(query)}_${query.terms.length}`,
    text: `
      select score from (${scoredPages(query, [])}) c
      order by score desc offset ${WINDOW} - 1 limit 1
    `,
    values: valuesOf(query, candidates),
  });
  return row?.score ?? null;
}

type HitRow = {
  readonly id: string;
  readonly score: number;
  /** For each term of the query, in its order. */
  readonly has: readonly boolean[];
  readonly in_title: boolean;
  readonly in_body: boolean;
  readonly in_hint: boolean;
};

/** A hit with the lexemes that it has. */
type SearchHit = Omit<KeywordHit, 'terms'> & { readonly terms: ReadonlySet<string> };

/** The first `window` of the candidates, by score, ties by path, then id. */
export async function search(
  connection: Connection,
  query: KeywordSearch,
  candidates: string,
): Promise<SearchHit[]> {
  const { terms } = query;
  const rows = await connection.query<HitRow>({
    name: `page_search_by_keywords_${when(query)}_${terms.length}`,
    text: `
      select h.id, h.score,
        array[${terms.map((_, index) => `h.keyword @@ ${queryOf(index)}`)}] as has,
        h.keyword @@ ${IN_TITLE}::tsquery as in_title,
        h.keyword @@ ${IN_BODY}::tsquery as in_body,
        h.keyword @@ ${IN_HINT}::tsquery as in_hint
      from (
        select * from (${scoredPages(query, ['id', 'path', 'keyword'])}) c
        order by score desc, path, id
        limit ${WINDOW}
      ) h
      order by h.score desc, h.path, h.id
    `,
    values: [...valuesOf(query, candidates), ...['A', 'D', 'C'].map((label) => labelled(terms, label))],
  });
  return rows.map(({ id, score, has, in_title, in_body, in_hint }) => ({
    pageId: id,
    score,
    terms: new Set(terms.filter((_, index) => has[index]).map(({ lexeme }) => lexeme)),
    matchedIn: [
      ...(in_title ? (['TITLE'] as const) : []),
      ...(in_body ? (['BODY'] as const) : []),
      ...(in_hint ? (['HINT'] as const) : []),
    ],
  }));
}
