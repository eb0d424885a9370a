import type { EdgeKind } from '../memory/edge.ts';
import { SupersessionCycleError } from '../memory/errors.ts';
import type { PageId } from '../memory/page.ts';
import { findCycle, type Supersession } from '../memory/supersession.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import type { GraphChange } from './outbox.ts';

/** Where an edge comes from: the body of its `from` page, or a caller's word. It goes when neither holds. */
export type EdgeOrigin = 'BODY' | 'ASSERTED';

export type NewEdge = {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly note: string | null;
  readonly validFrom: number;
  readonly validTo: number;
  /** When the claim began, for ordering. */
  readonly at: number;
};

export type LedgerEdge = {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  /** Whether this call made it; false when it was active before. */
  readonly created: boolean;
};

/**
 * Makes edges active, at most one for each `(from, to, kind)`; one that is active already learns the
 * new origin, and the new note when there is one. The edges must differ in `(from, to, kind)`.
 */
export async function upsertEdges(
  connection: Connection,
  tenant: string,
  edges: readonly NewEdge[],
  origin: EdgeOrigin,
  now: number,
): Promise<LedgerEdge[]> {
  if (edges.length === 0) return [];
  return connection.query<LedgerEdge>({
    name: 'edge_upsert',
    text: `
      insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, note,
        valid_from, valid_to, recorded_at, at, resolution)
      select $1, e.id, e.from_id, e.to_id, e.kind, $3 = 'BODY', $3 = 'ASSERTED', e.note,
        e.valid_from, e.valid_to, $4, e.at,
        case when e.kind = 'CONTRADICTS' then 'UNRESOLVED' end
      from json_to_recordset($2::json) as e(
        id uuid, from_id uuid, to_id uuid, kind text, note text,
        valid_from int8, valid_to int8, at int8)
      order by e.from_id, e.to_id, e.kind
      on conflict (tenant, from_id, to_id, kind) where recorded_to = 253402300800000 do update
      set in_body = edge.in_body or excluded.in_body,
          asserted = edge.asserted or excluded.asserted,
          note = coalesce(excluded.note, edge.note)
      returning id, kind, from_id as "fromId", to_id as "toId", xmax = 0 as created
    `,
    values: [
      tenant,
      JSON.stringify(
        edges.map((edge) => ({
          id: edge.id,
          from_id: edge.fromId,
          to_id: edge.toId,
          kind: edge.kind,
          note: edge.note,
          valid_from: edge.validFrom,
          valid_to: edge.validTo,
          at: edge.at,
        })),
      ),
      origin,
      now,
    ],
  });
}

/**
 * Takes one origin away from active edges; those that have no other are retracted.
 *
 * @returns the edges that had it
 */
export async function withdrawEdges(
  connection: Connection,
  tenant: string,
  ids: readonly string[],
  origin: EdgeOrigin,
  now: number,
): Promise<LedgerEdge[]> {
  if (ids.length === 0) return [];
  return connection.query<LedgerEdge>({
    name: 'edge_withdraw',
    text: `
      update edge
      set in_body = in_body and $3 <> 'BODY',
          asserted = asserted and $3 <> 'ASSERTED',
          recorded_to = case
            when (in_body and $3 <> 'BODY') or (asserted and $3 <> 'ASSERTED') then recorded_to
            else greatest($4, recorded_at + 1) end
      where tenant = $1 and id = any($2::uuid[]) and recorded_to = 253402300800000
        and (($3 = 'BODY' and in_body) or ($3 = 'ASSERTED' and asserted))
      returning id, kind, from_id as "fromId", to_id as "toId", false as created
    `,
    values: [tenant, ids, origin, now],
  });
}

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
          and edge.recorded_to = 253402300800000)
      returning id
    `,
    values: [tenant, ids],
  });
  return turned.map(({ id }) => ({ subject: 'PAGE', subjectId: id, change: 'UPSERT' }));
}

/**
 * Every circle that new edges close passes through the page that one of them points at, so the
 * edges that can be reached from there hold it whole.
 */
async function refuseCycle(
  connection: Connection,
  view: View,
  starts: readonly PageId[],
): Promise<void> {
  if (starts.length === 0) return;
  const reached = await connection.query<Supersession>({
    name: 'edge_list_supersessions_from',
    text: `
      with recursive reached(id) as (
        select unnest($2::uuid[])
        union
        select edge.to_id
        from reached join edge on edge.tenant = $1 and edge.from_id = reached.id
          and edge.kind = 'SUPERSEDES' and edge.recorded_to = 253402300800000
      )
      select edge.from_id as "fromId", edge.to_id as "toId"
      from reached join edge on edge.tenant = $1 and edge.from_id = reached.id
        and edge.kind = 'SUPERSEDES' and edge.recorded_to = 253402300800000
      order by edge.from_id, edge.to_id
    `,
    values: [view.tenant, starts],
  });
  const cycle = findCycle(reached);
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
