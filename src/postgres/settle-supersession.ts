import { FOREVER } from '../memory/instant.ts';
import type { PageId } from '../memory/page.ts';
import { findCycle, type Supersession } from '../memory/supersession.ts';
import type { View } from '../memory/view.ts';
import { SupersessionCycleError } from '../memory/write-conflicts.ts';
import type { Connection } from './connect.ts';
import type { LedgerEdge } from './edge-ledger.ts';
import type { GraphChange } from './outbox.ts';

/**
 * Brings what hangs on SUPERSEDES edges up to date after some were made or retracted.
 *
 * @returns the changes to tell: pages whose state may have turned
 * @throws {SupersessionCycleError} if new edges close a circle
 */
export async function settleSupersession(
  connection: Connection,
  view: View,
  changed: readonly LedgerEdge[],
): Promise<GraphChange[]> {
  const edges = changed.filter(({ kind }) => kind === 'SUPERSEDES');
  if (edges.length === 0) return [];
  await refuseCycle(
    connection,
    view,
    edges.filter(({ created }) => created).map(({ toId }) => toId),
  );
  return refreshSuperseded(
    connection,
    view.tenant,
    edges.map(({ toId }) => toId),
  );
}

/** Recomputes the flag of pages that some unretracted SUPERSEDES edge may point at. */
export async function refreshSuperseded(
  connection: Connection,
  tenant: string,
  ids: readonly PageId[],
): Promise<GraphChange[]> {
  const turned = await connection.query<{ id: PageId }>({
    name: 'page_refresh_superseded',
    text: `
      update page set superseded = not superseded
      where tenant = $1 and id = any($2::uuid[]) and superseded <> exists (
        select from edge
        where edge.tenant = $1 and edge.to_id = page.id and edge.kind = 'SUPERSEDES'
          and edge.recorded_to = ${FOREVER})
      returning id
    `,
    values: [tenant, ids],
  });
  return turned.map(({ id }) => ({ subject: 'PAGE', subjectId: id, change: 'UPSERT' }));
}

/**
 * The active SUPERSEDES edges that can be reached from pages. Every circle that new edges close
 * passes through the page that one of them points at, so those from there hold it whole.
 */
export async function listSupersessionsFrom(
  connection: Connection,
  tenant: string,
  starts: readonly PageId[],
): Promise<Supersession[]> {
  return connection.query<Supersession>({
    name: 'edge_list_supersessions_from',
    text: `
      with recursive reached(id) as (
        select unnest($2::uuid[])
        union
        select edge.to_id
        from reached join edge on edge.tenant = $1 and edge.from_id = reached.id
          and edge.kind = 'SUPERSEDES' and edge.recorded_to = ${FOREVER}
      )
      select edge.from_id as "fromId", edge.to_id as "toId"
      from reached join edge on edge.tenant = $1 and edge.from_id = reached.id
        and edge.kind = 'SUPERSEDES' and edge.recorded_to = ${FOREVER}
      order by edge.from_id, edge.to_id
    `,
    values: [tenant, starts],
  });
}

async function refuseCycle(
  connection: Connection,
  view: View,
  starts: readonly PageId[],
): Promise<void> {
  if (starts.length === 0) return;
  const cycle = findCycle(await listSupersessionsFrom(connection, view.tenant, starts));
  if (cycle === null) return;

  const pages = await connection.query<{ id: PageId; path: string }>({
    name: 'page_list_paths_seen',
    text: `
      select id, path from page
      where tenant = $1 and id = any($2::uuid[])
        and project_id = any($3::uuid[]) and sensitivity <= $4
    `,
    values: [view.tenant, cycle, view.projectIds, view.clearance],
  });
  const paths = new Map(pages.map(({ id, path }) => [id, path]));
  throw new SupersessionCycleError(cycle.flatMap((id) => paths.get(id) ?? []));
}
