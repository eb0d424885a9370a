import type { Committed, PurgeCounts } from '../memory/memory-writer.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Connection, Database } from './connect.ts';
import { refreshSuperseded } from './edge-ledger.ts';
import { countPages } from './keyword-statistics.ts';
import { appendChanges, type GraphChange } from './outbox.ts';
import { writeTransaction } from './write-transaction.ts';

type LockedPage = {
  readonly projectId: ProjectId;
  readonly sensitivity: number;
  readonly hints: number;
};

/**
 * Removes a page and all that hangs on it, in one transaction; null when the view does not see it.
 * Links in the bodies of other pages wait for the path again, and answers to earlier requests that
 * name the page are forgotten. An audit row without content stays.
 */
export async function purgePage(
  database: Database,
  view: View,
  pageId: PageId,
  principal: string,
  now: number,
): Promise<Committed<PurgeCounts | null>> {
  const { tenant } = view;
  return writeTransaction(database, tenant, async (connection) => {
    const [page] = await connection.query<LockedPage>({
      name: 'page_lock_for_purge',
      text: `
        select project_id as "projectId", sensitivity, cardinality(hints) as hints from page
        where tenant = $1 and id = $4 and project_id = any($2::uuid[]) and sensitivity <= $3
        for update
      `,
      values: [tenant, view.projectIds, view.clearance, pageId],
    });
    if (page === undefined) {
      return { result: null, graphSequence: await appendChanges(connection, tenant, [], now) };
    }

    const edges = await connection.query<{ id: string; kind: string; to_id: PageId }>({
      name: 'edge_list_of_page',
      text: `
        select id, kind, to_id from edge where tenant = $1 and from_id = $2
        union
        select id, kind, to_id from edge where tenant = $1 and to_id = $2
      `,
      values: [tenant, pageId],
    });
    const waitingLinks = await waitAgain(connection, tenant, pageId);
    const counts = await countOf(connection, tenant, pageId);
    const result: PurgeCounts = {
      ...counts,
      hints: page.hints,
      edges: edges.length,
      waitingLinks,
    };

    await countPages(connection, tenant, [pageId], -1);
    await connection.query({
      name: 'waiting_edge_delete_of_page',
      text: `
        delete from waiting_edge w using page p, project
        where p.tenant = $1 and p.id = $2
          and project.tenant = $1 and project.id = p.project_id
          and w.tenant = $1 and w.from_project = project.name and w.from_path = p.path
      `,
      values: [tenant, pageId],
    });
    await connection.query({
      name: 'idempotency_key_forget_page',
      text: `
        delete from idempotency_key
        where tenant = $1 and answer @> any(array[
          jsonb_build_object('result',
            jsonb_build_array(jsonb_build_object('pageId', $2::uuid::text))),
          jsonb_build_object('result', jsonb_build_array(
            jsonb_build_object('edge', jsonb_build_object('fromId', $2::uuid::text)))),
          jsonb_build_object('result', jsonb_build_array(
            jsonb_build_object('edge', jsonb_build_object('toId', $2::uuid::text))))
        ])
      `,
      values: [tenant, pageId],
    });
    await connection.query({
      name: 'page_delete',
      text: 'delete from page where tenant = $1 and id = $2',
      values: [tenant, pageId],
    });
    const turned = await refreshSuperseded(
      connection,
      tenant,
      edges.filter(({ kind }) => kind === 'SUPERSEDES').map(({ to_id }) => to_id),
    );
    await connection.query({
      name: 'audit_insert',
      text: `
        insert into audit (tenant, at, principal, action, subject_id, details)
        values ($1, $2, $3, 'PURGE_PAGE', $4, $5::jsonb)
      `,
      values: [tenant, now, principal, pageId, JSON.stringify(result)],
    });

    const changes: GraphChange[] = [
      ...edges.map(({ id }): GraphChange => ({ subject: 'EDGE', subjectId: id, change: 'DELETE' })),
      { subject: 'PAGE', subjectId: pageId, change: 'DELETE', deleted: page },
      ...turned,
    ];
    return { result, graphSequence: await appendChanges(connection, tenant, changes, now) };
  });
}

/** Turns the edges that other bodies say about the page into links that wait for its path. */
async function waitAgain(connection: Connection, tenant: string, pageId: PageId): Promise<number> {
  const rows = await connection.query({
    name: 'waiting_edge_add_for_purge',
    text: `
      insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
        in_body, asserted, valid_from, valid_to)
      select $1, fp.name, f.path, tp.name, t.path, e.kind, true, false,
        -62135596800000, 253402300800000
      from edge e
      join page f on f.tenant = $1 and f.id = e.from_id
      join project fp on fp.tenant = $1 and fp.id = f.project_id
      join page t on t.tenant = $1 and t.id = e.to_id
      join project tp on tp.tenant = $1 and tp.id = t.project_id
      where e.tenant = $1 and e.to_id = $2 and e.in_body and e.recorded_to = 253402300800000
      on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
      set in_body = true
      returning kind
    `,
    values: [tenant, pageId],
  });
  return rows.length;
}

async function countOf(
  connection: Connection,
  tenant: string,
  pageId: PageId,
): Promise<{ versions: number; passages: number; evidence: number }> {
  const [row] = await connection.query<{ versions: number; passages: number; evidence: number }>({
    name: 'page_count_parts',
    text: `
      select
        (select count(*) from page_version where tenant = $1 and page_id = $2) as versions,
        (select count(*) from passage where tenant = $1 and page_id = $2) as passages,
        (select count(*) from evidence where tenant = $1 and page_id = $2) as evidence
    `,
    values: [tenant, pageId],
  });
  return row ?? { versions: 0, passages: 0, evidence: 0 };
}
