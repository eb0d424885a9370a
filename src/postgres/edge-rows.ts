import type { Edge, EdgeKind, Resolution } from '../memory/edge.ts';
import { OPEN, toValidFrom, toValidTo } from './time-bounds.ts';

const COLUMNS = `e.id, e.kind, e.from_id, e.to_id, e.note, e.valid_from, e.valid_to,
  e.recorded_at, e.recorded_to, e.at`;

/** An edge `e` as `toEdge` reads it, with the state that it has now. */
export const EDGE_COLUMNS = `${COLUMNS}, e.resolution, e.resolved_by, e.resolved_at, e.resolution_note`;

/**
 * The state that an edge `e` had at the recorded instant $5 and has no more, to follow `edge e`;
 * tenant is $1. None where nothing changed since, and in the present no look-up at all.
 */
export const FORMER_STATE = `left join lateral (
  select r.* from edge_resolution r
  where e.resolved_at > $5::int8
    and r.tenant = $1 and r.edge_id = e.id
    and r.resolved_at <= $5::int8 and $5::int8 < r.replaced_at
) former on true`;

/** The resolution of an edge `e` at the instant $5, with `FORMER_STATE`. */
export const RESOLUTION_AT = `case when e.resolved_at > $5::int8
  then coalesce(former.resolution, 'UNRESOLVED') else e.resolution end`;

/** An edge `e` as `toEdge` reads it, with the state that it had at the instant $5: of `FORMER_STATE`. */
export const EDGE_COLUMNS_AT = `${COLUMNS}, ${RESOLUTION_AT} as resolution,
  ${then('resolved_by')}, ${then('resolved_at')}, ${then('resolution_note')}`;

function then(column: string): string {
  return `case when e.resolved_at > $5::int8 then former.${column} else e.${column} end as ${column}`;
}

export type EdgeRow = {
  readonly id: string;
  readonly kind: EdgeKind;
  readonly from_id: string;
  readonly to_id: string;
  readonly note: string | null;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_at: number;
  readonly recorded_to: number;
  readonly at: number;
  readonly resolution: Resolution | null;
  readonly resolved_by: string | null;
  readonly resolved_at: number | null;
  readonly resolution_note: string | null;
};

/**
 * An edge that a read finds active at its instant: a retraction that came later is not known there.
 */
export function toActiveEdge(row: EdgeRow): Edge {
  return { ...toEdge(row), retractedAt: null };
}

export function toEdge(row: EdgeRow): Edge {
  return {
    id: row.id,
    kind: row.kind,
    fromId: row.from_id,
    toId: row.to_id,
    note: row.note,
    validFrom: toValidFrom(row.valid_from),
    validTo: toValidTo(row.valid_to),
    recordedAt: row.recorded_at,
    retractedAt: row.recorded_to === OPEN ? null : row.recorded_to,
    at: row.at,
    resolution: row.resolution,
    resolvedBy: row.resolved_by,
    resolvedAt: row.resolved_at,
    resolutionNote: row.resolution_note,
  };
}
