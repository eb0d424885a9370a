import type { Edge, EdgeKind, Resolution } from '../memory/edge.ts';
import type { View } from '../memory/view.ts';
import { OPEN, toValidFrom, toValidTo } from './time-bounds.ts';

/** An edge `e` as `toEdge` reads it. */
export const EDGE_COLUMNS = `e.id, e.kind, e.from_id, e.to_id, e.note, e.valid_from, e.valid_to,
  e.recorded_at, e.recorded_to, e.at, e.resolution, e.resolved_at`;

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
  readonly resolved_at: number | null;
};

/**
 * An edge that a read finds active at its instant: a retraction or a resolution that came later is
 * not known there.
 */
export function toActiveEdge(row: EdgeRow, { asOf }: View): Edge {
  const edge = { ...toEdge(row), retractedAt: null };
  const isOpenYet = asOf !== null && row.resolved_at !== null && asOf.recordedAt < row.resolved_at;
  return isOpenYet ? { ...edge, resolution: 'UNRESOLVED' } : edge;
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
  };
}
