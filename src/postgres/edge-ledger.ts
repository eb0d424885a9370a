import { v7 as newId } from 'uuid';
import type { EdgeId, EdgeKind } from '../memory/edge.ts';
import { DAWN, FOREVER } from '../memory/instant.ts';
import type { PageId } from '../memory/page.ts';
import type { Connection } from './connect.ts';
import type { GraphChange } from './outbox.ts';

/** Where an edge comes from: the body of its `from` page, or a caller's word. It goes when neither holds. */
export type EdgeOrigin = 'BODY' | 'ASSERTED';

export type NewEdge = {
  readonly id: EdgeId;
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly note: string | null;
  /** `ALWAYS` says no valid time: that of an edge that is active stays. */
  readonly validFrom: number;
  readonly validTo: number;
};

/** No valid time of its own, as of what a body says. */
export const ALWAYS = { validFrom: DAWN, validTo: FOREVER };

export type LedgerEdge = {
  readonly id: EdgeId;
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  /** Whether this call made it; false when it was active before. */
  readonly created: boolean;
  /** The row that this one corrects, ended by the same call; null when there is none. */
  readonly endedId: EdgeId | null;
};

/**
 * Makes edges active, at most one for each `(from, to, kind)`; one that is active already learns the
 * new origin, and the new note when there is one. A caller who gives it another valid time corrects
 * it: the row as it was ends and a new one, with all else that is known of the edge, begins. What a
 * body says has no valid time of its own and changes none. The edges must differ in `(from, to, kind)`.
 */
export async function upsertEdges(
  connection: Connection,
  tenant: string,
  edges: readonly NewEdge[],
  origin: EdgeOrigin,
  now: number,
): Promise<LedgerEdge[]> {
  if (edges.length === 0) return [];
  const timed = origin === 'ASSERTED' ? edges.filter(isTimed) : [];
  const ended = await endOtherTimes(connection, tenant, timed, now);
  const endedIds = new Map(ended.map((edge) => [keyOf(edge), edge.id]));
  return insertEdges(
    connection,
    tenant,
    edges.map((edge) => ({ ...edge, endedId: endedIds.get(keyOf(edge)) ?? null })),
    origin,
    now,
  );
}

/** Of an active edge, whether it goes on without the origin that it loses. */
const LOSES_BODY = `$3 = 'BODY' and asserted`;
const LOSES_ASSERTION = `$3 = 'ASSERTED' and in_body and note is null
  and valid_from = ${DAWN} and valid_to = ${FOREVER}`;

/**
 * Takes one origin away from active edges; those that have no other are retracted, with who said
 * them. One that a body still says loses the valid time and the note of its assertion: a row of the
 * body alone follows it.
 *
 * @returns the edges that had it
 */
export async function withdrawEdges(
  connection: Connection,
  tenant: string,
  ids: readonly EdgeId[],
  origin: EdgeOrigin,
  now: number,
): Promise<LedgerEdge[]> {
  if (ids.length === 0) return [];
  const withdrawn = await connection.query<WithdrawnEdge>({
    name: 'edge_withdraw',
    text: `
      update edge
      set in_body = in_body and not (${LOSES_BODY}),
          asserted = asserted and not (${LOSES_ASSERTION}),
          recorded_to = case when ${LOSES_BODY} or ${LOSES_ASSERTION} then recorded_to
            else greatest($4, recorded_at + 1, resolved_at + 1) end
      where tenant = $1 and id = any($2::uuid[]) and recorded_to = ${FOREVER}
        and (($3 = 'BODY' and in_body) or ($3 = 'ASSERTED' and asserted))
      returning id, kind, from_id as "fromId", to_id as "toId",
        $3 = 'ASSERTED' and in_body and recorded_to <> ${FOREVER} as "isStillSaid"
    `,
    values: [tenant, ids, origin, now],
  });
  const plain = await insertEdges(
    connection,
    tenant,
    withdrawn
      .filter(({ isStillSaid }) => isStillSaid)
      .map(({ id, kind, fromId, toId }) => ({
        ...{ id: newId(), kind, fromId, toId, note: null, endedId: id },
        ...ALWAYS,
      })),
    'BODY',
    now,
  );
  return [
    ...withdrawn
      .filter(({ isStillSaid }) => !isStillSaid)
      .map(({ isStillSaid, ...edge }) => ({ ...edge, created: false, endedId: null })),
    ...plain,
  ];
}

type WithdrawnEdge = Omit<LedgerEdge, 'created' | 'endedId'> & { readonly isStillSaid: boolean };

/** What to tell of edges that changed: of a corrected one, both rows. */
export function edgeChanges(edges: readonly LedgerEdge[]): GraphChange[] {
  return edges
    .flatMap(({ id, endedId }) => (endedId === null ? [id] : [endedId, id]))
    .map((subjectId): GraphChange => ({ subject: 'EDGE', subjectId, change: 'UPSERT' }));
}

/** Ends the active edges that have another valid time than these say; not before their own last change. */
async function endOtherTimes(
  connection: Connection,
  tenant: string,
  edges: readonly NewEdge[],
  now: number,
): Promise<Ends[]> {
  if (edges.length === 0) return [];
  return connection.query<Ends>({
    name: 'edge_end_other_times',
    text: `
      update edge e set recorded_to = greatest($3, e.recorded_at + 1, e.resolved_at + 1)
      from json_to_recordset($2::json) as n(
        from_id uuid, to_id uuid, kind text, valid_from int8, valid_to int8)
      where e.tenant = $1 and e.from_id = n.from_id and e.to_id = n.to_id and e.kind = n.kind
        and e.recorded_to = ${FOREVER}
        and (e.valid_from <> n.valid_from or e.valid_to <> n.valid_to)
      returning e.id, e.kind, e.from_id as "fromId", e.to_id as "toId"
    `,
    values: [tenant, JSON.stringify(edges.map((edge) => toRow({ ...edge, endedId: null }))), now],
  });
}

/**
 * An edge begins after the last row of its kind and pair has ended, also when the clock stands still
 * or goes back: at no instant of the record are two of them active.
 */
async function insertEdges(
  connection: Connection,
  tenant: string,
  edges: readonly (NewEdge & { readonly endedId: EdgeId | null })[],
  origin: EdgeOrigin,
  now: number,
): Promise<LedgerEdge[]> {
  if (edges.length === 0) return [];
  const rows = await connection.query<Omit<LedgerEdge, 'endedId'>>({
    name: 'edge_upsert',
    text: `
      insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, note,
        valid_from, valid_to, recorded_at, at,
        resolution, resolved_by, resolved_at, resolution_note)
      select $1, n.id, n.from_id, n.to_id, n.kind,
        $3 = 'BODY' or coalesce(o.in_body, false), $3 = 'ASSERTED',
        coalesce(n.note, case when $3 = 'ASSERTED' then o.note end),
        n.valid_from, n.valid_to, r.recorded_at,
        case when n.valid_from = ${DAWN} then r.recorded_at else n.valid_from end,
        coalesce(o.resolution, case when n.kind = 'CONTRADICTS' then 'UNRESOLVED' end),
        o.resolved_by, o.resolved_at, o.resolution_note
      from json_to_recordset($2::json) as n(
        id uuid, from_id uuid, to_id uuid, kind text, note text,
        valid_from int8, valid_to int8, ended_id uuid)
      left join edge o on o.tenant = $1 and o.id = n.ended_id
      cross join lateral (
        select greatest($4, max(e.recorded_to)) as recorded_at from edge e
        where e.tenant = $1 and e.from_id = n.from_id and e.to_id = n.to_id and e.kind = n.kind
          and e.recorded_to < ${FOREVER}
      ) r
      order by n.from_id, n.to_id, n.kind
      on conflict (tenant, from_id, to_id, kind) where recorded_to = ${FOREVER} do update
      set in_body = edge.in_body or excluded.in_body,
          asserted = edge.asserted or excluded.asserted,
          note = coalesce(excluded.note, edge.note)
      returning id, kind, from_id as "fromId", to_id as "toId", xmax = 0 as created
    `,
    values: [tenant, JSON.stringify(edges.map(toRow)), origin, now],
  });
  const endedIds = new Map(edges.map((edge) => [keyOf(edge), edge.endedId]));
  return rows.map((row): LedgerEdge => {
    const endedId = endedIds.get(keyOf(row)) ?? null;
    return { ...row, endedId, created: row.created && endedId === null };
  });
}

type Ends = Pick<LedgerEdge, 'id' | 'kind' | 'fromId' | 'toId'>;

function isTimed({ validFrom, validTo }: NewEdge): boolean {
  return validFrom !== DAWN || validTo !== FOREVER;
}

function toRow(edge: NewEdge & { readonly endedId: EdgeId | null }): object {
  return {
    id: edge.id,
    from_id: edge.fromId,
    to_id: edge.toId,
    kind: edge.kind,
    note: edge.note,
    valid_from: edge.validFrom,
    valid_to: edge.validTo,
    ended_id: edge.endedId,
  };
}

/** Tells active edges apart. */
export function keyOf({ kind, fromId, toId }: Omit<Ends, 'id'>): string {
  return `${kind} ${fromId} ${toId}`;
}
