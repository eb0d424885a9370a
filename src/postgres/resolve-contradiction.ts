import type { Edge, EdgeId } from '../memory/edge.ts';
import { InvalidInputError, NotFoundError } from '../memory/errors.ts';
import { FOREVER } from '../memory/instant.ts';
import type {
  Committed,
  Idempotency,
  ResolutionChange,
  ResolvedEdge,
} from '../memory/memory-writer.ts';
import type { View } from '../memory/view.ts';
import { EdgeRetractedError } from '../memory/write-conflicts.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { EDGE_COLUMNS, type EdgeRow, toEdge } from './edge-rows.ts';
import { once } from './idempotency.ts';
import { appendChanges } from './outbox.ts';
import { writeTransaction } from './write-transaction.ts';

/** As `MemoryWriter.resolveContradiction`. */
export async function resolveContradiction(
  database: TenantDatabase,
  view: View,
  change: ResolutionChange,
  idempotency: Idempotency | null,
  now: number,
): Promise<Committed<ResolvedEdge>> {
  const { tenant } = view;
  const toPageIds = ({ edge }: ResolvedEdge) => [edge.fromId, edge.toId];
  return writeTransaction(database, tenant, (connection) =>
    once(connection, { tenant, idempotency, now, toPageIds }, async () => {
      const edge = await findContradiction(connection, view, change.edgeId);
      const result = await settle(connection, view, edge, change, now);
      const told = { subject: 'EDGE', subjectId: edge.id, change: 'UPSERT' } as const;
      const changes = result.changed ? [told] : [];
      return { result, graphSequence: await appendChanges(connection, tenant, changes, now) };
    }),
  );
}

/** The edge as it is now, if it is one that can be settled. */
async function findContradiction(connection: Connection, view: View, id: EdgeId): Promise<Edge> {
  const [row] = await connection.query<EdgeRow>({
    name: 'edge_find_to_resolve',
    text: `
      select ${EDGE_COLUMNS}
      from edge e
      join page f on f.tenant = $1 and f.id = e.from_id
      join page t on t.tenant = $1 and t.id = e.to_id
      where e.tenant = $1 and e.id = $4
        and f.project_id = any($2::uuid[]) and f.sensitivity <= $3
        and t.project_id = any($2::uuid[]) and t.sensitivity <= $3
    `,
    values: [view.tenant, view.projectIds, view.clearance, id],
  });
  if (row === undefined) throw new NotFoundError('edge', 'an edge');
  const edge = toEdge(row);
  if (edge.kind !== 'CONTRADICTS') {
    throw new InvalidInputError('edge', 'an edge of the kind CONTRADICTS', `one of ${edge.kind}`);
  }
  if (edge.retractedAt !== null) {
    throw new EdgeRetractedError('edge', await findActive(connection, view.tenant, edge));
  }
  return edge;
}

async function settle(
  connection: Connection,
  { tenant }: View,
  edge: Edge,
  { outcome, note, by }: ResolutionChange,
  now: number,
): Promise<ResolvedEdge> {
  if (edge.resolution === outcome && (note === null || note === edge.resolutionNote)) {
    return { edge, changed: false };
  }
  // A state begins after the one before, and after the row: each can be read, whatever the clock does.
  const [row] = await connection.query<EdgeRow>({
    name: 'edge_resolve',
    text: `
      with replaced as (
        select e.id, greatest($6, e.resolved_at + 1, e.recorded_at + 1) as at
        from edge e where e.tenant = $1 and e.id = $2
      ), kept as (
        insert into edge_resolution (tenant, edge_id, replaced_at, resolution, resolved_by,
          resolved_at, resolution_note)
        select $1, e.id, replaced.at, e.resolution, e.resolved_by, e.resolved_at, e.resolution_note
        from edge e join replaced on replaced.id = e.id
        where e.tenant = $1 and e.resolved_at is not null
      )
      update edge e
      set resolution = $3, resolved_by = $4, resolved_at = replaced.at, resolution_note = $5
      from replaced
      where e.tenant = $1 and e.id = replaced.id
      returning ${EDGE_COLUMNS}
    `,
    values: [tenant, edge.id, outcome, by, note, now],
  });
  if (row === undefined) throw new Error('Expected the edge that was just found, but it is gone.');
  return { edge: toEdge(row), changed: true };
}

async function findActive(
  connection: Connection,
  tenant: string,
  { kind, fromId, toId }: Edge,
): Promise<EdgeId | null> {
  const [row] = await connection.query<{ id: EdgeId }>({
    name: 'edge_find_active_of_pair',
    text: `
      select id from edge
      where tenant = $1 and from_id = $2 and to_id = $3 and kind = $4
        and recorded_to = ${FOREVER}
    `,
    values: [tenant, fromId, toId, kind],
  });
  return row?.id ?? null;
}
