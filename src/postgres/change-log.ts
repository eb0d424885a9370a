import type {
  Behind,
  ChangeBatch,
  ChangedSubject,
  ChangeLog,
  ProjectedEdge,
  ProjectedPage,
  ProjectorTurn,
  RetractedEdge,
  Watermark,
} from '../memory/graph-projection.ts';
import { FOREVER } from '../memory/instant.ts';
import type { PageId } from '../memory/page.ts';
import type { ProjectionStatus } from '../memory/readiness.ts';
import type { Lag } from '../memory/served.ts';
import type { Connection, Database } from './connect.ts';
import { findNewest, OUTBOX_CHANNEL } from './outbox.ts';
import {
  forgetFailures,
  forgetFailuresUpTo,
  noteFailure,
  noteProjected,
  noteSetback,
} from './projection-notes.ts';

/** Names our advisory lock of the one projector. */
const PROJECTOR_LOCK = 7_003;

export function createProjectorTurn(database: Database): ProjectorTurn {
  return {
    take: () => database.tryHold(PROJECTOR_LOCK),
    listen: (onChange) => database.listen(OUTBOX_CHANNEL, onChange),
  };
}

/** The outbox and the ledger behind it, as projection reads them. */
export function createChangeLog(database: Database, clock: () => number = Date.now): ChangeLog {
  return {
    listBehind: () => listBehind(database, clock()),
    alignProjected: (watermarks) => alignProjected(database, watermarks),
    readChanges: (tenant, after, limit) =>
      database.transaction('SNAPSHOT', (connection) =>
        readChanges(connection, tenant, after, limit),
      ),
    noteProjected: (tenant, sequence) => noteProjected(database, tenant, sequence),
    noteSetback: (tenant, message, waitMs) =>
      noteSetback(database, tenant, message, clock() + waitMs),
    noteFailure: (tenant, change, message) =>
      noteFailure(database, tenant, change, message, clock()),
    forgetFailures: (tenant, subjects) => forgetFailures(database, tenant, subjects),
    forgetFailuresUpTo: (tenant, sequence) => forgetFailuresUpTo(database, tenant, sequence),
    findNewest: (tenant) => findNewest(database, tenant),
    findLag: (tenant, sequence) => findLag(database, tenant, sequence, clock()),
  };
}

function listBehind(connection: Connection, now: number): Promise<Behind[]> {
  return connection.query<Behind>({
    name: 'projection_list_behind',
    text: `
      select tenant, projected as sequence, setbacks from projection
      where projected < newest and retry_at <= $1 order by tenant
    `,
    values: [now],
  });
}

async function alignProjected(
  connection: Connection,
  watermarks: readonly Watermark[],
): Promise<void> {
  await connection.query({
    name: 'projection_align',
    text: `
      update projection p set projected = coalesce(w.sequence, 0)
      from projection q
      left join unnest($1::text[], $2::int8[]) as w(tenant, sequence) on w.tenant = q.tenant
      where q.tenant = p.tenant and p.projected <> coalesce(w.sequence, 0)
    `,
    values: [watermarks.map(({ tenant }) => tenant), watermarks.map(({ sequence }) => sequence)],
  });
}

/**
 * Give it a snapshot: the states must be those after the last of the changes, or later. One that is
 * planned for the average tenant walks the primary key; for a tenant that is newer than the statistics,
 * and taken for empty, each batch would read and sort all that is left: 60 to 160 ms at 200,000 rows.
 */
export async function readChanges(
  connection: Connection,
  tenant: string,
  after: number,
  limit: number,
): Promise<ChangeBatch | null> {
  const [kept] = await connection.query<{ pruned: number }>({
    name: 'projection_find_pruned',
    text: 'select pruned from projection where tenant = $1',
    values: [tenant],
  });
  if (after < (kept?.pruned ?? 0)) return null;

  const changes = await connection.query<ChangedSubject>({
    name: 'outbox_list_after',
    text: `
      select sequence, subject, subject_id as "subjectId" from outbox
      where tenant = $1 and sequence > $2
      order by sequence
      limit $3
    `,
    values: [tenant, after, limit],
  });
  const states = await readStates(connection, tenant, changes);
  return { tenant, after, reached: changes.at(-1)?.sequence ?? after, changes, ...states };
}

type States = Pick<ChangeBatch, 'pages' | 'deletedPages' | 'edges' | 'retractedEdges'>;

async function readStates(
  connection: Connection,
  tenant: string,
  changes: readonly ChangedSubject[],
): Promise<States> {
  const idsOf = (subject: ChangedSubject['subject']) => [
    ...new Set(changes.filter((each) => each.subject === subject).map((each) => each.subjectId)),
  ];
  const pageIds = idsOf('PAGE');
  const edgeIds = idsOf('EDGE');
  const pages = pageIds.length === 0 ? [] : await findPages(connection, tenant, pageIds);
  const edges = edgeIds.length === 0 ? [] : await findEdges(connection, tenant, edgeIds);
  const known = new Set(pages.map(({ id }) => id));
  return {
    pages,
    deletedPages: pageIds.filter((id) => !known.has(id)),
    edges: edges.filter(({ isActive }) => isActive).map(toProjectedEdge),
    retractedEdges: edges.filter(({ isActive }) => !isActive).map(toRetractedEdge),
  };
}

/** A page `p` as `ProjectedPage`. */
export const PROJECTED_PAGE = `p.id, p.project_id as project, p.path, p.title, p.kind, p.sensitivity,
  p.tags, p.archived, p.superseded, p.valid_from as "validFrom", p.valid_to as "validTo"`;

/** An edge `e` as `ProjectedEdge`. */
export const PROJECTED_EDGE = `e.id, e.kind, e.from_id as src, e.to_id as dst, e.note,
  e.valid_from as "validFrom", e.valid_to as "validTo", e.recorded_at as "recordedAt", e.at,
  e.resolution, e.resolved_by as "resolvedBy", e.resolved_at as "resolvedAt",
  e.resolution_note as "resolutionNote"`;

function findPages(
  connection: Connection,
  tenant: string,
  ids: readonly PageId[],
): Promise<ProjectedPage[]> {
  return connection.query<ProjectedPage>({
    name: 'page_list_projected',
    text: `select ${PROJECTED_PAGE} from page p where p.tenant = $1 and p.id = any($2::uuid[])`,
    values: [tenant, ids],
  });
}

type EdgeState = ProjectedEdge & { readonly isActive: boolean };

function findEdges(
  connection: Connection,
  tenant: string,
  ids: readonly string[],
): Promise<EdgeState[]> {
  return connection.query<EdgeState>({
    name: 'edge_list_projected',
    text: `
      select ${PROJECTED_EDGE}, e.recorded_to = ${FOREVER} as "isActive"
      from edge e where e.tenant = $1 and e.id = any($2::uuid[])
    `,
    values: [tenant, ids],
  });
}

function toProjectedEdge({ isActive, ...edge }: EdgeState): ProjectedEdge {
  return edge;
}

function toRetractedEdge({ id, kind, src, dst }: EdgeState): RetractedEdge {
  return { id, kind, src, dst };
}

async function findLag(
  connection: Connection,
  tenant: string,
  sequence: number,
  now: number,
): Promise<Lag> {
  const [row] = await connection.query<{ events: number; oldest: number | null }>({
    name: 'outbox_find_lag',
    text: `
      select count(*) as events, min(recorded_at) as oldest from outbox
      where tenant = $1 and sequence > $2
    `,
    values: [tenant, sequence],
  });
  const { events, oldest } = row ?? { events: 0, oldest: null };
  return { events, seconds: oldest === null ? 0 : Math.max(0, now - oldest) / 1_000 };
}

type ProjectionStatusRow = Omit<ProjectionStatus, 'lag'> & {
  readonly events: number;
  readonly oldest: number;
};
const NOTHING_BEHIND: ProjectionStatusRow = { events: 0, oldest: 0, failures: 0, setbacks: 0 };

/** Over all tenants; for whoever watches over the service. */
export async function findProjectionStatus(
  connection: Connection,
  now: number,
): Promise<ProjectionStatus> {
  const [row] = await connection.query<ProjectionStatusRow>({
    name: 'projection_find_status',
    text: `
      select count(o.sequence) as events, coalesce(min(o.recorded_at), $1) as oldest,
        (select count(*) from projection_failure) as failures,
        (select count(*) from projection where projected < newest and setbacks > 0) as setbacks
      from projection p
      join outbox o on o.tenant = p.tenant and o.sequence > p.projected
      where p.projected < p.newest
    `,
    values: [now],
  });
  const { events, oldest, failures, setbacks } = row ?? NOTHING_BEHIND;
  const seconds = events === 0 ? 0 : Math.max(0, now - oldest) / 1_000;
  return { lag: { events, seconds }, failures, setbacks };
}
