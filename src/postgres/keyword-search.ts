import type { PageFilter } from '../memory/page-store.ts';
import type { KeywordHit } from '../memory/recall-store.ts';
import type { View } from '../memory/view.ts';
import { B, FREQUENCY_BORDERS, K1 } from './bm25.ts';
import type { Connection } from './connect.ts';
import { FIRST_OWN_PARAMETER, type FilteredPages, filterPages, PAGES_THEN } from './page-filter.ts';

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
  const shape = shapeOf(query);
  const rows = await connection.query<HitRow>({
    name: `page_search_by_keywords_${shape.name}`,
    text: searchText(shape),
    values: [
      ...valuesOf(query, shape, candidates),
      ...LABELS.map((label) => labelled(query, label)),
    ],
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
  const shape = shapeOf(query);
  const [row] = await connection.query<{ score: number }>({
    name: `page_find_keyword_floor_${shape.name}`,
    text: `
      select score from (${scored(shape, [])}) c
      order by score desc offset ${WINDOW}::int8 - 1 limit 1
    `,
    values: valuesOf(query, shape, candidates),
  });
  return row?.score ?? null;
}

const PLACES = ['TITLE', 'BODY', 'HINT', 'DATE'] as const;
/** Labels of positions in `keyword` for each of these places. */
const LABELS = ['A', 'D', 'C', 'B'] as const;

type HitRow = { readonly [Place in (typeof PLACES)[number]]: boolean } & {
  readonly id: string;
  readonly score: number;
  /** For each term, in order; null behind the last. */
  readonly has: readonly (boolean | null)[];
};

const [CANDIDATES, WINDOW, MEAN_LENGTH, BORDERS] = [0, 1, 2, 3].map(
  (offset) => `$${FIRST_OWN_PARAMETER + offset}`,
);
const FIRST_TERM_PARAMETER = FIRST_OWN_PARAMETER + 4;
const PARAMETERS_OF_TERM = 3;
/** Terms are counted up to a multiple of it, for few shapes: planning one takes as long as a search. */
const TERMS_IN_STEP = 4;

type Shape = { readonly name: string; readonly pages: FilteredPages; readonly slots: number };

/** What the text of a search depends on. */
function shapeOf({ view, filter, terms }: KeywordSearch): Shape {
  const pages = filterPages(view, filter);
  const slots = Math.ceil(terms.length / TERMS_IN_STEP) * TERMS_IN_STEP;
  return { name: `${pages.shape}_${slots}`, pages, slots };
}

function valuesOf(query: KeywordSearch, { pages, slots }: Shape, candidates: string): unknown[] {
  const { window, terms, meanLength } = query;
  return [
    ...pages.values,
    candidates,
    window,
    meanLength,
    FREQUENCY_BORDERS,
    ...terms.flatMap(({ query: own, bound, isName }) => [own, bound, isName ? 0 : 1]),
    ...Array.from({ length: slots - terms.length }, () => [null, 0, 0]).flat(),
  ];
}

/** It holds parameters alone, so that it can be prepared. */
function searchText(shape: Shape): string {
  const has = termsOf(shape).map(({ query }) => `h.keyword @@ ${query}`);
  const firstLabel = FIRST_TERM_PARAMETER + PARAMETERS_OF_TERM * shape.slots;
  const places = PLACES.map(
    (place, index) => `h.keyword @@ $${firstLabel + index}::tsquery as "${place}"`,
  );
  return `
    select h.id, h.score, array[${has.join(', ')}] as has, ${places.join(', ')}
    from (
      select c.* from (${scored(shape, ['id', 'path', 'keyword'])}) c
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
function scored(shape: Shape, columns: readonly ('id' | 'path' | 'keyword')[]): string {
  const { pages, condition } = shape.pages;
  const row = pages === PAGES_THEN ? 'v' : 'p';
  const score = termsOf(shape).map(({ query, bound, lengthWeight }) => {
    const rank = `ts_rank('{1,1,1,1}', n.keyword, ${query})::float8`;
    const frequency = `width_bucket(${rank}, ${BORDERS}::float8[])`;
    const norm = `(${K1}::float8 + ${lengthWeight} * n.excess)`;
    return `coalesce(${bound} * (1 - 1 / (1 + ${frequency} / ${norm})), 0)`;
  });
  const selected = columns.map((column) => `${column === 'keyword' ? row : 'p'}.${column}, `);
  return `
    select ${selected.join('')}${score.join(' + ')} as score
    from ${pages === PAGES_THEN ? PAGES_THEN : 'page_of_tenant p'}
    cross join lateral (
      select ${K1 * B}::float8 * (${row}.keyword_length / ${MEAN_LENGTH}::float8 - 1) as excess,
        case when pg_column_compression(${row}.keyword) is null then ${row}.keyword
          else ${row}.keyword || '' end as keyword
      offset 0
    ) n
    where ${condition} and ${row}.keyword @@ ${CANDIDATES}::tsquery
  `;
}

/** The parameters of each slot; those of a slot without a term are null, and add nothing. */
function termsOf({ slots }: Shape) {
  return Array.from({ length: slots }, (_, index) => {
    const parameter = FIRST_TERM_PARAMETER + PARAMETERS_OF_TERM * index;
    return {
      query: `$${parameter}::tsquery`,
      bound: `$${parameter + 1}::float8`,
      lengthWeight: `$${parameter + 2}::float8`,
    };
  });
}

/** Any of the terms, where it stands in one place. */
function labelled({ terms }: KeywordSearch, label: (typeof LABELS)[number]): string {
  return terms.map(({ query }) => `${query}:${label}`).join('|');
}
