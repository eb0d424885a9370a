import { DAWN, FOREVER } from '../memory/instant.ts';
import type { Changed, Committed, PurgeCounts, SessionPageWrite } from '../memory/memory-writer.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { forgetAnswers } from './idempotency.ts';
import { countPages, fold } from './keyword-statistics.ts';
import { appendChanges, type GraphChange } from './outbox.ts';
import { purgeObservations } from './purge-observations.ts';
import { purgeTraces } from './purge-traces.ts';
import { refreshSuperseded } from './settle-supersession.ts';
import { writeTransaction } from './write-transaction.ts';

type LockedPage = {
  readonly projectId: ProjectId;
  readonly sensitivity: number;
  readonly hints: number;
};

type PurgedEdge = {
  readonly id: string;
  readonly kind: string;
  readonly to_id: PageId;
  /** Whether the view sees the page at the other end. */
  readonly is_seen: boolean;
};

/**
 * Removes a page and all that hangs on it, in one transaction; null when the view does not see it.
 * Links in the bodies of other pages wait for the path again, and answers to earlier requests that
 * name the page are forgotten. What was observed of it goes, and from the pages of sessions, and what
 * was noted of it elsewhere. An audit row without content stays, with the numbers of all that went.
 *
 * @returns numbers of what the view saw: an edge to a hidden page counts as one that is not there
 */
export async function purgePage(
  database: TenantDatabase,
  view: View,
  {
    pageId,
    principal,
    derived,
  }: {
    readonly pageId: PageId;
    readonly principal: string;
    readonly derived: readonly SessionPageWrite[];
  },
  now: number,
): Promise<Committed<PurgeCounts | null> | Changed> {
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
    const ofSessions = await purgeObservations(connection, view, pageId, derived, now);
    if (ofSessions === 'CHANGED') return 'CHANGED';
    const { observations, sessionPages, told } = ofSessions;

    const edges = await connection.query<PurgedEdge>({
      name: 'edge_list_of_page',
      text: `
        select e.id, e.kind, e.to_id,
          o.project_id = any($3::uuid[]) and o.sensitivity <= $4 as is_seen
        from (
          select id, kind, to_id, to_id as other from edge where tenant = $1 and from_id = $2
          union all
          select id, kind, to_id, from_id from edge where tenant = $1 and to_id = $2
        ) e
        join page o on o.tenant = $1 and o.id = e.other
      `,
      values: [tenant, pageId, view.projectIds, view.clearance],
    });
    const waiting = await waitAgain(connection, view, pageId);
    const { versions, versionsSeen, assignments, ...parts } = await countOf(
      connection,
      view,
      pageId,
    );
    const seen: PurgeCounts = {
      ...parts,
      versions: versionsSeen,
      hints: page.hints,
      edges: edges.filter(({ is_seen }) => is_seen).length,
      waitingLinks: waiting.filter(({ is_seen }) => is_seen).length,
      observations: observations.seen,
      sessionPages: sessionPages.seen,
    };
    const all: PurgeCounts = {
      ...seen,
      versions,
      edges: edges.length,
      waitingLinks: waiting.length,
      people: assignments,
      observations: observations.gone,
      sessionPages: sessionPages.gone,
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
    await forgetAnswers(connection, tenant, pageId);
    await connection.query({
      name: 'page_delete',
      text: 'delete from page where tenant = $1 and id = $2',
      values: [tenant, pageId],
    });
    // Whatever was counted of the page is in the deltas still, word by word.
    await fold(connection, tenant, page.projectId);
    await purgeTraces(connection, tenant, page.projectId, [
      pageId,
      ...edges.map(({ id }) => id),
      ...told,
    ]);
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
      values: [tenant, now, principal, pageId, JSON.stringify(all)],
    });

    const changes: GraphChange[] = [
      ...edges.map(({ id }): GraphChange => ({ subject: 'EDGE', subjectId: id, change: 'DELETE' })),
      { subject: 'PAGE', subjectId: pageId, change: 'DELETE', deleted: page },
      ...turned,
    ];
    return { result: seen, graphSequence: await appendChanges(connection, tenant, changes, now) };
  });
}

/** Turns the edges that other bodies say about the page into links that wait for its path. */
async function waitAgain(
  connection: Connection,
  { tenant, projectIds, clearance }: View,
  pageId: PageId,
): Promise<readonly { readonly is_seen: boolean }[]> {
  return connection.query<{ is_seen: boolean }>({
    name: 'waiting_edge_add_for_purge',
    text: `
      with link as materialized (
        select fp.name as from_project, f.path as from_path, tp.name as to_project,
          t.path as to_path, e.kind, f.project_id = any($3::uuid[]) and f.sensitivity <= $4 as is_seen
        from edge e
        join page f on f.tenant = $1 and f.id = e.from_id
        join project fp on fp.tenant = $1 and fp.id = f.project_id
        join page t on t.tenant = $1 and t.id = e.to_id
        join project tp on tp.tenant = $1 and tp.id = t.project_id
        where e.tenant = $1 and e.to_id = $2 and e.in_body and e.recorded_to = ${FOREVER}
      ), added as (
        insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
          in_body, asserted, valid_from, valid_to)
        select $1, from_project, from_path, to_project, to_path, kind, true, false,
          ${DAWN}, ${FOREVER}
        from link
        on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
        set in_body = true
      )
      select is_seen from link
    `,
    values: [tenant, pageId, projectIds, clearance],
  });
}

type PartCounts = Pick<PurgeCounts, 'versions' | 'passages' | 'evidence' | 'people'> & {
  /** Those of people that are hidden included. */
  readonly assignments: number;
  readonly versionsSeen: number;
};

async function countOf(
  connection: Connection,
  { tenant, clearance }: View,
  pageId: PageId,
): Promise<PartCounts> {
  const [row] = await connection.query<PartCounts>({
    name: 'page_count_parts',
    text: `
      select v.versions, v."versionsSeen",
        (select count(*) from passage where tenant = $1 and page_id = $2) as passages,
        (select count(*) from evidence where tenant = $1 and page_id = $2) as evidence,
        a.assignments, a.people
      from (
        select count(*) as versions, count(*) filter (where sensitivity <= $3) as "versionsSeen"
        from page_version where tenant = $1 and page_id = $2
      ) v
      cross join (
        select count(*) as assignments, count(*) filter (where state <> 'HIDDEN') as people
        from person_page where tenant = $1 and page_id = $2
      ) a
    `,
    values: [tenant, pageId, clearance],
  });
  return row ?? NO_PARTS;
}

const NO_PARTS: PartCounts = {
  versions: 0,
  versionsSeen: 0,
  passages: 0,
  evidence: 0,
  people: 0,
  assignments: 0,
};
