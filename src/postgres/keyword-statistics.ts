import type { PageId, ProjectId } from '../memory/page.ts';
import type { Connection } from './connect.ts';

/** Deltas of one project that are left standing; reading more of them at each recall costs more than folding. */
const MAX_BACKLOG = 64;

/** Names our advisory locks that guard a fold. */
const FOLD_LOCK = 7_001;

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

async function fold(connection: Connection, tenant: string, projectId: ProjectId): Promise<void> {
  // Two folds at once would wait for each other's rows in different orders.
  const [lock] = await connection.query<{ locked: boolean }>({
    name: 'keyword_delta_lock',
    text: `select pg_try_advisory_xact_lock($1, hashtext($2 || $3::uuid::text)) as locked`,
    values: [FOLD_LOCK, tenant, projectId],
  });
  if (lock?.locked !== true) return;
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
      ), term as (
        insert into keyword_term (tenant, project_id, lexeme, sensitivity, pages)
        select $1, $2, lexeme, sensitivity, sum(sign)
        from delta cross join unnest(lexemes) as lexeme
        group by lexeme, sensitivity having sum(sign) <> 0
        order by lexeme, sensitivity
        on conflict (tenant, project_id, lexeme, sensitivity) do update
        set pages = keyword_term.pages + excluded.pages
      )
      select count(*) from delta
    `,
    values: [tenant, projectId],
  });
}
