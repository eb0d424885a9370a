import type { PageFilter } from '../memory/page-store.ts';
import { searchedProjects } from '../memory/searched-projects.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { FIRST_OWN_PARAMETER, filterPages } from './page-filter.ts';
import { toTsquery } from './tsvector.ts';

export type TermStatistics = {
  readonly lexeme: string;
  /** How many of the pages have it. */
  readonly pages: number;
};

/** What BM25 counts: over the searched projects, as far as the caller may read them, and no further. */
export type KeywordStatistics = {
  readonly pages: number;
  /** Terms of all these pages together. */
  readonly length: number;
  readonly terms: readonly TermStatistics[];
};

type Row = {
  readonly pages: number;
  readonly length: number;
  readonly lexeme: string;
  readonly term_pages: number;
};

/** The counts that writers keep: totals and what has not been folded into them yet. One statement. */
export async function readStatistics(
  connection: Connection,
  view: View,
  filter: PageFilter,
  terms: readonly string[],
): Promise<KeywordStatistics> {
  const rows = await connection.query<Row>({
    name: 'keyword_statistics_find',
    text: `
      with delta as materialized (
        select sign, length, lexemes from keyword_delta
        where tenant = $1 and project_id = any($2::uuid[]) and sensitivity <= $3
      ), total as (
        select coalesce(sum(pages), 0) as pages, coalesce(sum(length), 0) as length
        from keyword_total
        where tenant = $1 and project_id = any($2::uuid[]) and sensitivity <= $3
      )
      select
        (total.pages + coalesce((select sum(sign) from delta), 0))::int8 as pages,
        (total.length + coalesce((select sum(sign * length) from delta), 0))::int8 as length,
        q.lexeme,
        (coalesce((
          select sum(t.pages) from keyword_term t
          where t.tenant = $1 and t.project_id = any($2::uuid[]) and t.lexeme = q.lexeme
            and t.sensitivity <= $3
        ), 0) + coalesce((
          select sum(sign) from delta where q.lexeme = any(delta.lexemes)
        ), 0))::int8 as term_pages
      from total cross join unnest($4::text[]) as q(lexeme)
    `,
    values: [view.tenant, searchedProjects(view, filter), view.clearance, terms],
  });
  return toStatistics(rows);
}

/** Counts over the versions that a read of the past sees. Linear in the versions of the projects. */
export async function readStatisticsThen(
  connection: Connection,
  view: View,
  filter: PageFilter,
  terms: readonly string[],
): Promise<KeywordStatistics> {
  // Of the filter, only the projects bear on the counts.
  const scope: PageFilter = filter.projectIds ? { projectIds: filter.projectIds } : {};
  const { pages, condition, values, shape } = filterPages(view, scope);
  const rows = await connection.query<Row>({
    name: `keyword_statistics_find_${shape}`,
    text: `
      with seen as materialized (
        select v.keyword, v.keyword_length from ${pages} where ${condition}
      )
      select (select count(*) from seen) as pages,
        (select coalesce(sum(keyword_length), 0) from seen)::int8 as length,
        q.lexeme,
        (select count(*) from seen where seen.keyword @@ q.query::tsquery) as term_pages
      from unnest($${FIRST_OWN_PARAMETER}::text[], $${FIRST_OWN_PARAMETER + 1}::text[])
        as q(lexeme, query)
    `,
    values: [...values, terms, terms.map(toTsquery)],
  });
  return toStatistics(rows);
}

function toStatistics(rows: readonly Row[]): KeywordStatistics {
  return {
    pages: rows[0]?.pages ?? 0,
    length: rows[0]?.length ?? 0,
    terms: rows.map(({ lexeme, term_pages }) => ({ lexeme, pages: term_pages })),
  };
}
