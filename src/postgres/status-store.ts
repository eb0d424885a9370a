import type { EdgeKind } from '../memory/edge.ts';
import type { EvidenceSource } from '../memory/evidence.ts';
import type { PageKind, PageStatus } from '../memory/page.ts';
import type { ProjectionStatus } from '../memory/readiness.ts';
import type { Counted, StatusStore, StoreCounts, StoreVersions } from '../memory/status-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection, Database } from './connect.ts';
import { HOLDS, IS_SEEN, scopeValues, viewValues } from './page-view.ts';
import { PAGE_STATUS, SEES_ALL } from './seen-page.ts';

/** A graph database beside the record. */
export type GraphService = {
  /** Null while it does not answer. */
  readonly findVersion: () => Promise<string | null>;
};

/** Numbers and versions of a Postgres database, and of the graph database that is filled from it. */
export function createStatusStore(
  database: Database,
  graph: GraphService | null,
  clock: () => number,
): StatusStore {
  return {
    count: (view, model) =>
      database
        .ofTenant(view.tenant)
        .transaction('SNAPSHOT', (connection) => count(connection, view, model)),
    async findVersions() {
      const [own, neo4j] = await Promise.all([
        findVersions(database),
        graph?.findVersion() ?? null,
      ]);
      return { ...own, neo4j };
    },
    findProjection: async (tenant) =>
      graph && findProjection(database.ofTenant(tenant), tenant, clock()),
  };
}

type PageCount = {
  readonly kind: PageKind;
  readonly status: PageStatus;
  readonly count: number;
};

async function count(connection: Connection, view: View, model: string): Promise<StoreCounts> {
  const values = viewValues(view);
  const pages = await connection.query<PageCount>({
    text: `
      select p.kind, ${PAGE_STATUS} as status, count(*) as count
      from page p where ${IS_SEEN} group by 1, 2
    `,
    values,
  });
  const edges = await connection.query<Counted<EdgeKind>>({
    text: countSeen(`select e.kind as name, e.from_id, e.to_id from edge e where ${HOLDS}`, [
      'from_id',
      'to_id',
    ]),
    values: values.slice(0, 4),
  });
  const evidence = await connection.query<Counted<EvidenceSource>>({
    text: countSeen(
      `select b.source_kind as name, b.page_id from evidence b
        where b.tenant = $1 and $4::int8 is not null`,
      ['page_id'],
    ),
    values: values.slice(0, 4),
  });
  const [backlog] = await connection.query<{ count: number }>({
    text: `
      select count(*) as count from passage t
      join page p on p.tenant = t.tenant and p.id = t.page_id
      where t.tenant = $1 and t.model <> $4 and ${IS_SEEN}
    `,
    values: [...scopeValues(view), model],
  });
  return {
    pagesByKind: sumBy(pages, ({ kind }) => kind),
    pagesByStatus: sumBy(pages, (row) => row.status),
    edgesByKind: edges,
    evidenceBySource: evidence,
    embeddingBacklog: backlog?.count ?? 0,
  };
}

/** Rows by name; the pages of a row are looked up only where some are hidden from the view. */
function countSeen(rows: string, pageIds: readonly string[]): string {
  const joins = pageIds.map(
    (id, index) => `
      join page p${index} on p${index}.tenant = $1 and p${index}.id = r.${id}
        and p${index}.project_id = any($2::uuid[]) and p${index}.sensitivity <= $3::int2`,
  );
  return `
    with seen as materialized (select ${SEES_ALL} as all_of_it)
    select name, count(*) as count from (
      select r.name from (${rows}) r where (select all_of_it from seen)
      union all
      select r.name from (${rows}) r ${joins.join('')} where not (select all_of_it from seen)
    ) counted
    group by name
    order by name
  `;
}

function sumBy<Name extends string>(
  rows: readonly PageCount[],
  nameOf: (row: PageCount) => Name,
): readonly Counted<Name>[] {
  const groups = [...Map.groupBy(rows, nameOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return groups.map(([name, own]) => ({
    name,
    count: own.reduce((sum, row) => sum + row.count, 0),
  }));
}

async function findVersions(connection: Connection): Promise<Omit<StoreVersions, 'neo4j'>> {
  const [row] = await connection.query<Omit<StoreVersions, 'neo4j'>>({
    name: 'store_find_versions',
    text: `
      select current_setting('server_version') as postgres,
        (select extversion from pg_extension where extname = 'vector') as pgvector,
        (select max(name) from schema_migration) as migration
    `,
  });
  if (row === undefined) throw new Error('Expected the versions of Postgres, but got none.');
  return row;
}

/** Changes that wait, and when the first of them was made. */
type Oldest = { readonly events: number; readonly oldest: number };

async function findProjection(
  connection: Connection,
  tenant: string,
  now: number,
): Promise<ProjectionStatus> {
  const [row] = await connection.query<Omit<ProjectionStatus, 'lag'> & Oldest>({
    name: 'projection_find_status_of_tenant',
    text: `
      select count(o.sequence) as events, coalesce(min(o.recorded_at), $2) as oldest,
        (select count(*) from projection_failure where tenant = $1) as failures,
        (select count(*) from projection
          where tenant = $1 and projected < newest and setbacks > 0) as setbacks
      from projection p
      join outbox o on o.tenant = $1 and o.sequence > p.projected
      where p.tenant = $1 and p.projected < p.newest
    `,
    values: [tenant, now],
  });
  if (row === undefined) throw new Error('Expected one row of numbers, but got none.');
  const { events, oldest, failures, setbacks } = row;
  return { lag: { events, seconds: Math.max(0, now - oldest) / 1_000 }, failures, setbacks };
}
