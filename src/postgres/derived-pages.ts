import type { PageWrite } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import type { Connection } from './connect.ts';
import { countPages } from './keyword-statistics.ts';
import type { DecidedWrite } from './page-writes.ts';

/**
 * Raises the pages of ended sessions to the sensitivity of what they tell of, where pages have just
 * become more sensitive; and the pages of sessions that tell of those. A session that goes on has its
 * page prepared anew. Lowering a page opens nothing that was told of it.
 *
 * @param writes  done already, but for these pages
 * @returns the pages that were raised
 */
export async function raiseDerivedPages(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
): Promise<readonly PageId[]> {
  const raised = writes.filter(
    ({ current, write }) => current !== null && current.sensitivity < write.sensitivity,
  );
  if (raised.length === 0) return [];
  const pages = await connection.query<{ id: PageId; sensitivity: number }>({
    name: 'session_list_raised_pages',
    text: `
      with recursive raised(page_id, sensitivity) as (
        select page_id, sensitivity from unnest($2::uuid[], $3::int2[]) as n(page_id, sensitivity)
        union
        select s.page_id, raised.sensitivity
        from raised
        join observation_page about on about.tenant = $1 and about.page_id = raised.page_id
        join session s on s.tenant = $1 and s.id = about.session_id
        where s.page_id is not null
      ), reopened as (
        update session s set revision = revision + 1
        where s.tenant = $1 and s.ended_at is null and s.id in (
          select about.session_id from observation_page about
          where about.tenant = $1 and about.page_id in (select page_id from raised))
      )
      select p.id, max(raised.sensitivity) as sensitivity
      from raised join page p on p.tenant = $1 and p.id = raised.page_id
      group by p.id, p.sensitivity
      having p.sensitivity < max(raised.sensitivity)
      order by p.id
    `,
    values: [
      tenant,
      raised.map(({ pageId }) => pageId),
      raised.map(({ write }) => write.sensitivity),
    ],
  });
  const ids = pages.map(({ id }) => id);
  if (ids.length === 0) return [];
  await countPages(connection, tenant, ids, -1);
  await connection.query({
    name: 'page_raise_many',
    text: `
      with n as materialized (
        select id, sensitivity from unnest($2::uuid[], $3::int2[]) as n(id, sensitivity)
      ), versions as (
        update page_version v set sensitivity = n.sensitivity
        from n join page p on p.tenant = $1 and p.id = n.id
        where v.tenant = $1 and v.page_id = n.id and v.version = p.version
          and v.sensitivity < n.sensitivity
      )
      update page p set sensitivity = n.sensitivity from n where p.tenant = $1 and p.id = n.id
    `,
    values: [tenant, ids, pages.map(({ sensitivity }) => sensitivity)],
  });
  await countPages(connection, tenant, ids, 1);
  return ids;
}

/** What the page of a session keeps of the one that stands in its place. */
export type StandingPage = Pick<PageWrite, 'sensitivity' | 'importance' | 'archived'>;

/** The pages that stand where sessions write theirs, whoever may see them; null where none does. */
export async function findStandingPages(
  connection: Connection,
  tenant: string,
  writes: readonly Pick<PageWrite, 'projectId' | 'path'>[],
): Promise<(StandingPage | null)[]> {
  const rows = await connection.query<StandingPage & { position: number }>({
    name: 'page_list_standing',
    text: `
      select w.position, p.sensitivity, p.importance, p.archived
      from unnest($2::uuid[], $3::text[]) with ordinality as w(project_id, path, position)
      join page p on p.tenant = $1 and p.project_id = w.project_id and p.path = w.path
    `,
    values: [tenant, writes.map(({ projectId }) => projectId), writes.map(({ path }) => path)],
  });
  const found = new Map(rows.map(({ position, ...page }) => [position, page]));
  return writes.map((_, index) => found.get(index + 1) ?? null);
}
