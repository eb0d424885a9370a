import { v7 as newId } from 'uuid';
import type { EdgeKind } from '../memory/edge.ts';
import type { WaitingAssertion } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import { toValidTime } from '../memory/version-rules.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { type LedgerEdge, type NewEdge, upsertEdges } from './edge-ledger.ts';

/**
 * Makes the waiting links of bodies agree with them: those of `pageIds` are replaced by `links`.
 * Waiting assertions of callers stay.
 */
export async function waitForPages(
  connection: Connection,
  tenant: string,
  pageIds: readonly PageId[],
  links: readonly {
    readonly fromId: PageId;
    readonly kind: EdgeKind;
    readonly project: string;
    readonly path: string;
  }[],
): Promise<void> {
  await connection.query({
    name: 'waiting_edge_forget_bodies',
    text: `
      with page_key as (
        select project.name, p.path
        from page p join project on project.tenant = $1 and project.id = p.project_id
        where p.tenant = $1 and p.id = any($2::uuid[])
      ), kept as (
        update waiting_edge w set in_body = false from page_key k
        where w.tenant = $1 and w.from_project = k.name and w.from_path = k.path
          and w.in_body and w.asserted
      )
      delete from waiting_edge w using page_key k
      where w.tenant = $1 and w.from_project = k.name and w.from_path = k.path
        and w.in_body and not w.asserted
    `,
    values: [tenant, pageIds],
  });
  if (links.length === 0) return;
  await connection.query({
    name: 'waiting_edge_add_bodies',
    text: `
      insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
        in_body, asserted, valid_from, valid_to)
      select $1, project.name, p.path, l.project, l.path, l.kind, true, false,
        -62135596800000, 253402300800000
      from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as l(from_id, kind, project, path)
      join page p on p.tenant = $1 and p.id = l.from_id
      join project on project.tenant = $1 and project.id = p.project_id
      on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
      set in_body = true
    `,
    values: [
      tenant,
      links.map(({ fromId }) => fromId),
      links.map(({ kind }) => kind),
      links.map(({ project }) => project),
      links.map(({ path }) => path),
    ],
  });
}

/** Lets edges by natural key wait; one that waits already learns the new note and times. */
export async function waitWithAssertions(
  connection: Connection,
  tenant: string,
  edges: readonly WaitingAssertion[],
): Promise<void> {
  if (edges.length === 0) return;
  await connection.query({
    name: 'waiting_edge_add_assertions',
    text: `
      insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
        in_body, asserted, note, valid_from, valid_to)
      select $1, e.from_project, e.from_path, e.to_project, e.to_path, e.kind, false, true,
        e.note, e.valid_from, e.valid_to
      from json_to_recordset($2::json) as e(from_project text, from_path text, to_project text,
        to_path text, kind text, note text, valid_from int8, valid_to int8)
      on conflict (tenant, to_project, to_path, from_project, from_path, kind) do update
      set asserted = true, note = coalesce(excluded.note, waiting_edge.note),
        valid_from = excluded.valid_from, valid_to = excluded.valid_to
    `,
    values: [
      tenant,
      JSON.stringify(
        edges.map(({ kind, from, to, note, ...time }) => {
          const { validFrom, validTo } = toValidTime(time.validFrom, time.validTo);
          return {
            kind,
            note,
            from_project: from.project,
            from_path: from.path,
            to_project: to.project,
            to_path: to.path,
            valid_from: validFrom,
            valid_to: validTo,
          };
        }),
      ),
    ],
  });
}

type Arrival = {
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly inBody: boolean;
  readonly asserted: boolean;
  readonly note: string | null;
  readonly validFrom: number;
  readonly validTo: number;
};

/**
 * Takes the links that waited for one of the pages, at either end, and makes them edges where the
 * view sees both ends. The others go on waiting: a link must not reach a page that neither its
 * writer nor the page's writer can see.
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
): Promise<LedgerEdge[]> {
  const arrivals = await connection.query<Arrival>({
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
        valid_from as "validFrom", valid_to as "validTo"
      from seen
      order by to_project, to_path, from_project, from_path, kind
    `,
    values: [view.tenant, view.projectIds, view.clearance, pageIds],
  });
  const inBody = arrivals.filter((arrival) => arrival.inBody);
  const asserted = arrivals.filter((arrival) => arrival.asserted);
  const { tenant } = view;
  return [
    ...(await upsertEdges(connection, tenant, inBody.map(toEdge), 'BODY', now)),
    ...(await upsertEdges(connection, tenant, asserted.map(toEdge), 'ASSERTED', now)),
  ];
}

function toEdge({ kind, fromId, toId, note, validFrom, validTo }: Arrival): NewEdge {
  return { id: newId(), kind, fromId, toId, note, validFrom, validTo };
}
