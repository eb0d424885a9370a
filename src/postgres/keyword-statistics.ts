import type { KeywordDocument } from '../memory/indexed-text.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { Connection } from './connect.ts';
import { toTsvector } from './tsvector.ts';

/** Deltas of one project that are left standing; reading more of them at each recall costs more than folding. */
const MAX_BACKLOG = 64;

/** Counts pages in or out, as they stand in their rows at this moment of the transaction. */
export async function countPages(
  connection: Connection,
  tenant: string,
  ids: readonly PageId[],
  sign: 1 | -1,
): Promise<void> {
  if (ids.length === 0) return;
  await connection.query({
    name: 'keyword_delta_append',
    text: `
      insert into keyword_delta (tenant, project_id, sensitivity, sign, length, lexemes)
      select tenant, project_id, sensitivity, $3, keyword_length, tsvector_to_array(keyword)
      from page
      where tenant = $1 and id = any($2::uuid[])
      order by id
    `,
    values: [tenant, ids, sign],
  });
}

/**
 * Those of the pages that count otherwise than they are about to: by other words, or in the group of
 * another sensitivity. Compared with the stored words themselves, since what made them may have been
 * an earlier rule than the one that makes the new ones.
 */
export async function listRecounted(
  connection: Connection,
  tenant: string,
  pages: readonly {
    readonly pageId: PageId;
    /** Stays as it is when left out. */
    readonly sensitivity?: number;
    readonly keyword: KeywordDocument;
    /** Since when it is true, milliseconds UTC; null: since ever. */
    readonly validFrom: number | null;
  }[],
): Promise<readonly PageId[]> {
  if (pages.length === 0) return [];
  const rows = await connection.query<{ id: PageId }>({
    name: 'page_list_recounted',
    text: `
      select p.id
      from json_to_recordset($2::json) as n(
        id uuid, sensitivity int2, keyword tsvector, length int4)
      join page p on p.tenant = $1 and p.id = n.id
      where p.sensitivity <> n.sensitivity or p.keyword <> n.keyword or p.keyword_length <> n.length
    `,
    values: [
      tenant,
      JSON.stringify(
        pages.map(({ pageId, sensitivity, keyword, validFrom }) => ({
          id: pageId,
          sensitivity,
          keyword: toTsvector(keyword, validFrom),
          length: keyword.length,
        })),
      ),
    ],
  });
  return rows.map(({ id }) => id);
}

/**
 * Carries the deltas of projects into the totals where they have piled up. Inside the transaction of
 * a write: the sums stay right whatever commits first, since a delta is taken and counted together.
 */
export async function foldWhereDue(
  connection: Connection,
  tenant: string,
  projectIds: readonly ProjectId[],
): Promise<void> {
  const due = await connection.query<{ project_id: ProjectId }>({
    name: 'keyword_delta_list_due',
    text: `
      select project_id from keyword_delta
      where tenant = $1 and project_id = any($2::uuid[])
      group by project_id having count(*) > $3
      order by project_id
    `,
    values: [tenant, projectIds, MAX_BACKLOG],
  });
  for (const { project_id } of due) await fold(connection, tenant, project_id);
}

/**
 * Carries all deltas of a project into the totals. A word that no page has any more leaves no row:
 * those of a purged page would stay readable there. Only in a `writeTransaction`, since two folds at
 * once would miss each other's rows.
 *
 * Costs a look-up for each word of the deltas, however many the project has.
 */
export async function fold(
  connection: Connection,
  tenant: string,
  projectId: ProjectId,
): Promise<void> {
  await connection.query({
    name: 'keyword_delta_fold',
    text: `
      with delta as (
        delete from keyword_delta where tenant = $1 and project_id = $2
        returning sensitivity, sign, length, lexemes
      ), total as (
        insert into keyword_total (tenant, project_id, sensitivity, pages, length)
        select $1, $2, sensitivity, sum(sign), sum(sign * length)
        from delta group by sensitivity order by sensitivity
        on conflict (tenant, project_id, sensitivity) do update
        set pages = keyword_total.pages + excluded.pages,
            length = keyword_total.length + excluded.length
      ), change as materialized (
        select lexeme, sensitivity, sum(sign) as pages
        from delta cross join unnest(lexemes) as lexeme
        group by lexeme, sensitivity having sum(sign) <> 0
      ), gone as (
        delete from keyword_term t using change c
        where t.tenant = $1 and t.project_id = $2
          and t.lexeme = c.lexeme and t.sensitivity = c.sensitivity and t.pages + c.pages = 0
      ), term as (
        insert into keyword_term (tenant, project_id, lexeme, sensitivity, pages)
        select $1, $2, c.lexeme, c.sensitivity, c.pages
        from change c
        left join keyword_term t on t.tenant = $1 and t.project_id = $2
          and t.lexeme = c.lexeme and t.sensitivity = c.sensitivity
        where t.pages is null or t.pages + c.pages <> 0
        order by c.lexeme, c.sensitivity
        on conflict (tenant, project_id, lexeme, sensitivity) do update
        set pages = keyword_term.pages + excluded.pages
      )
      select count(*) from delta
    `,
    values: [tenant, projectId],
  });
}
