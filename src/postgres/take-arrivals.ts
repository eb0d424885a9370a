import { v7 as newId } from 'uuid';
import type { PageId } from '../memory/page.ts';
import { findClosing } from '../memory/supersession.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { keyOf, type LedgerEdge, type NewEdge, upsertEdges } from './edge-ledger.ts';
import { listSupersessionsFrom } from './settle-supersession.ts';
import { letWait, type WaitingEdge } from './waiting-edges.ts';

type Arrival = WaitingEdge & { readonly fromId: PageId; readonly toId: PageId };

/**
 * Takes the links that waited for one of the pages, at either end, and makes them edges where the
 * view sees both ends. The others go on waiting: a link must not reach a page that neither its
 * writer nor the page's writer can see. One that would close a circle of SUPERSEDES goes on waiting
 * too, unless it is the caller's own: no page may become unwritable by what others said of it. It is
 * tried again with each write of its pages.
 *
 * This table fills and empties so fast that statistics of it mislead, and a plan of free joins
 * took minutes; so the order of the steps is fixed, each a look-up by key or by row. Row ids hold
 * within a statement, since a tenant's writers take turns.
 */
export async function takeArrivals(
  connection: Connection,
  view: View,
  pageIds: readonly PageId[],
  now: number,
  isOwn: (edge: WaitingEdge) => boolean = () => false,
): Promise<(LedgerEdge & { readonly isOwn: boolean })[]> {
  const { tenant } = view;
  const due = await connection.query<Arrival>({
    name: 'waiting_edge_take',
    text: `
      with arrived as materialized (
        select project.name, p.path
        from page p join project on project.tenant = $1 and project.id = p.project_id
        where p.tenant = $1 and p.id = any($4::uuid[])
      ), due as materialized (
        select w.row_id
        from arrived a cross join lateral (
          select ctid as row_id from waiting_edge
          where tenant = $1 and to_project = a.name and to_path = a.path offset 0) w
        union
        select w.row_id
        from arrived a cross join lateral (
          select ctid as row_id from waiting_edge
          where tenant = $1 and from_project = a.name and from_path = a.path offset 0) w
      ), seen as materialized (
        select w.ctid as row_id, w.*, f.id as from_id, t.id as to_id
        from waiting_edge w cross join lateral (
          select p.id from project join page p on p.tenant = $1 and p.project_id = project.id
          where project.tenant = $1 and project.name = w.from_project and p.path = w.from_path
            and p.project_id = any($2::uuid[]) and p.sensitivity <= $3 offset 0) f
        cross join lateral (
          select p.id from project join page p on p.tenant = $1 and p.project_id = project.id
          where project.tenant = $1 and project.name = w.to_project and p.path = w.to_path
            and p.project_id = any($2::uuid[]) and p.sensitivity <= $3 offset 0) t
        where w.ctid = any(array(select row_id from due)) and f.id <> t.id
      ), taken as (
        delete from waiting_edge where ctid = any(array(select row_id from seen))
      )
      select kind, from_id as "fromId", to_id as "toId", in_body as "inBody", asserted, note,
        valid_from as "validFrom", valid_to as "validTo",
        json_build_object('project', from_project, 'path', from_path) as "from",
        json_build_object('project', to_project, 'path', to_path) as "to"
      from seen
      order by to_project, to_path, from_project, from_path, kind
    `,
    values: [tenant, view.projectIds, view.clearance, pageIds],
  });
  const closing = new Set(await listClosing(connection, tenant, due, isOwn));
  await letWait(connection, tenant, [...closing]);
  const arrivals = due.filter((arrival) => !closing.has(arrival));
  const inBody = arrivals.filter((arrival) => arrival.inBody);
  const asserted = arrivals.filter((arrival) => arrival.asserted);
  const own = new Set(arrivals.filter(isOwn).map(keyOf));
  const edges = [
    ...(await upsertEdges(connection, tenant, inBody.map(toEdge), 'BODY', now)),
    ...(await upsertEdges(connection, tenant, asserted.map(toEdge), 'ASSERTED', now)),
  ];
  return edges.map((edge) => ({ ...edge, isOwn: own.has(keyOf(edge)) }));
}

/** Of the arrivals that are not the caller's own, those that would close a circle of SUPERSEDES. */
async function listClosing(
  connection: Connection,
  tenant: string,
  arrivals: readonly Arrival[],
  isOwn: (edge: WaitingEdge) => boolean,
): Promise<readonly Arrival[]> {
  const supersessions = arrivals.filter(({ kind }) => kind === 'SUPERSEDES');
  const others = supersessions.filter((arrival) => !isOwn(arrival));
  if (others.length === 0) return [];
  const there = await listSupersessionsFrom(
    connection,
    tenant,
    supersessions.map(({ toId }) => toId),
  );
  return findClosing([...there, ...supersessions.filter(isOwn)], others);
}

function toEdge({ kind, fromId, toId, note, validFrom, validTo }: Arrival): NewEdge {
  return { id: newId(), kind, fromId, toId, note, validFrom, validTo };
}
