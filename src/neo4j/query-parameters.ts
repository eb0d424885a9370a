import type { Direction, Edge, EdgeKind, Resolution } from '../memory/edge.ts';
import { DAWN, FOREVER } from '../memory/instant.ts';
import { sensitivityRank } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';

/** What the view sees, as the queries name it. */
export function viewParameters({ tenant, projectIds, clearance, now }: View) {
  return { tenant, projects: projectIds, clearance, now };
}

/** What the view sees and the filter lets through: it narrows projects and clearance, never widens them. */
export function filterParameters(view: View, where: PageFilter) {
  const wanted = where.projectIds && new Set(where.projectIds);
  return {
    ...viewParameters(view),
    projects: wanted ? view.projectIds.filter((id) => wanted.has(id)) : view.projectIds,
    clearance: Math.min(view.clearance, where.sensitivityCeiling ?? sensitivityRank('RESTRICTED')),
    where: {
      kinds: where.kinds ?? null,
      tags: where.tags ?? [],
      includeIds: where.includeIds ?? null,
      excludeIds: where.excludeIds ?? [],
      path: where.pathPrefix ?? null,
      excludeArchived: where.excludeArchived ?? false,
    },
  };
}

/** The kinds to follow each way. */
export function ways(kinds: readonly EdgeKind[], direction: Direction) {
  return { out: direction === 'IN' ? [] : kinds, in: direction === 'OUT' ? [] : kinds };
}

/** An edge as the queries give it, in the order of their headers. */
export type EdgeTuple = readonly [
  id: string,
  kind: EdgeKind,
  src: string,
  dst: string,
  note: string | null,
  validFrom: number,
  validTo: number,
  recordedAt: number,
  at: number,
  resolution: Resolution | null,
  resolvedBy: string | null,
  resolvedAt: number | null,
  resolutionNote: string | null,
];

/** The graph holds no retracted edges, and writes an open end as a far instant, not as null. */
export function toEdge(tuple: readonly [...EdgeTuple, ...unknown[]]): Edge {
  const [id, kind, fromId, toId, note, validFrom, validTo, recordedAt, at, ...state] = tuple;
  const [resolution, resolvedBy, resolvedAt, resolutionNote] = state;
  return {
    id,
    kind,
    fromId,
    toId,
    note,
    validFrom: validFrom === DAWN ? null : validFrom,
    validTo: validTo === FOREVER ? null : validTo,
    recordedAt,
    retractedAt: null,
    at,
    resolution,
    resolvedBy,
    resolvedAt,
    resolutionNote,
  };
}
