import type { PageFilter } from '../memory/page-store.ts';
import type { KeywordHit } from '../memory/recall-store.ts';
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
  /** A name counts in a page of any length as in one of mean length. */
  readonly isName: boolean;
};

export type KeywordSearch = {
  readonly view: View;
  readonly filter: PageFilter;
  readonly window: number;
  /** Those that some page has, names first, then the rarest; at least one. */
  readonly terms: readonly ScoredTerm[];
  /** Terms of a page on average, at least 1. */
  readonly meanLength: number;
};

/** A hit with the lexemes that it has. */
export type SearchHit = Omit<KeywordHit, 'terms'> & { readonly terms: ReadonlySet<string> };

/** The first `window` of the candidates by score, ties by path, then id. */
export async function search(
  connection: Connection,
  query: KeywordSearch,
  candidates: string,
): Promise<SearchHit[]> {
  const rows = await connection.query<HitRow>({
    name: `page_search_by_keywords_${shapeOf(query)}`,
    text: searchText(query),
    values: [...valuesOf(query, candidates), ...LABELS.map((label) => labelled(query, label))],
  });
  return rows.map(({ id, score, has, ...places }) => ({
    pageId: id,
    score,
    terms: new Set(query.terms.filter((_, index) => has[index]).map(({ lexeme }) => lexeme)),
    matchedIn: PLACES.filter((place) => places[place]),
  }));
}

/** The score of the last of `window` pages among the candidates; null where there are fewer. */
export async function findFloor(
  connection: Connection,
  query: KeywordSearch,
  candidates: string,
): Promise<number | null> {
  const [row] = await connection.query<{ score: number }>({
    name: `page_find_keyword_floor_${shapeOf(query)}`,
    text: `
      select score from (${scored(query, [])}) c
      order by score desc offset ${WINDOW}::int8 - 1 limit 1
    `,
    values: valuesOf(query, candidates),
  });
  return row?.score ?? null;
}

const PLACES = ['TITLE', 'BODY', 'HINT', 'DATE'] as const;
/** Labels of positions in `keyword` for each of these places. */
const LABELS = ['A', 'D', 'C', 'B'] as const;

type HitRow = { readonly [Place in (typeof PLACES)[number]]: boolean } & {
  readonly id: string;
  readonly score: number;
  /** For each term, in order. */
  readonly has: readonly boolean[];
};

const [CANDIDATES, WINDOW, MEAN_LENGTH, BORDERS] = [0, 1, 2, 3].map(
  (offset) => `$${FIRST_OWN_PARAMETER + offset}`,
);
const FIRST_TERM_PARAMETER = FIRST_OWN_PARAMETER + 4;

function valuesOf(query: KeywordSearch, candidates: string): unknown[] {
  const { view, filter, window, terms, meanLength } = query;
  return [
    ...pageFilterValues(view, filter),
    candidates,
    window,
    meanLength,
    FREQUENCY_BORDERS,
    ...terms.flatMap(({ query: own, bound }) => [own, bound]),
  ];
}

/** One text for each shape: it holds parameters alone, so that it can be prepared. */
function searchText(query: KeywordSearch): string {
  const has = query.terms.map((_, index) => `h.keyword @@ ${termAt(index).query}`);
  const places = PLACES.map((place, index) => {
    const parameter = FIRST_TERM_PARAMETER + 2 * query.terms.length + index;
    return `h.keyword @@ $${parameter}::tsquery as "${place}"`;
  });
  return `
    select h.id, h.score, array[${has.join(', ')}] as has, ${places.join(', ')}
    from (
      select c.* from (${scored(query, ['id', 'path', 'keyword'])}) c
      order by c.score desc, c.path, c.id
      limit ${WINDOW}
    ) h
    order by h.score desc, h.path, h.id
  `;
}

/**
 * The candidates with their scores. `ts_rank` of an absent term is 0, so its frequency is 0 and the
 * term adds nothing. In float8 throughout, since numeric is several times slower. `|| ''` takes a
 * long keyword text out of its compressed form once, not for every term; `offset 0` keeps it so.
 * Texts that are not compressed, which is most, are left as they are: a copy of each would cost
 * as much as scoring it.
 */
function scored({ view, terms }: KeywordSearch, columns: readonly ('id' | 'path' | 'keyword')[]) {
  const isPast = view.asOf !== null;
  const row = isPast ? 'v' : 'p';
  const score = terms.map(({ isName }, index) => {
    const { query, bound } = termAt(index);
    const norm = isName ? `${K1}::float8` : 'n.norm';
    const rank = `ts_rank('{1,1,1,1}', n.keyword, ${query})::float8`;
    return `${bound} * (1 - ${norm} / (${norm} + width_bucket(${rank}, ${BORDERS}::float8[])))`;
  });
  const selected = columns.map((column) => `${column === 'keyword' ? row : 'p'}.${column}, `);
  return `
    select ${selected.join('')}${score.join(' + ')} as score
    from ${isPast ? PAGES_THEN : 'page p'}
    cross join lateral (
      select ${K1}::float8
        * (${1 - B}::float8 + ${B}::float8 * ${row}.keyword_length / ${MEAN_LENGTH}::float8) as norm,
        case when pg_column_compression(${row}.keyword) is null then ${row}.keyword
          else ${row}.keyword || '' end as keyword
      offset 0
    ) n
    where ${isPast ? PAGE_FILTER_THEN : PAGE_FILTER} and ${row}.keyword @@ ${CANDIDATES}::tsquery
  `;
}

function termAt(index: number): { readonly query: string; readonly bound: string } {
  const parameter = FIRST_TERM_PARAMETER + 2 * index;
  return { query: `$${parameter}::tsquery`, bound: `$${parameter + 1}::float8` };
}

/** Any of the terms, where it stands in one place. */
function labelled({ terms }: KeywordSearch, label: (typeof LABELS)[number]): string {
  return terms.map(({ query }) => `${query}:${label}`).join('|');
}

/** What the text of a search depends on: when, how many terms, and how many of them are names. */
function shapeOf({ view, terms }: KeywordSearch): string {
  const names = terms.filter(({ isName }) => isName).length;
  return `${view.asOf === null ? 'now' : 'then'}_${terms.length}_${names}`;
}
