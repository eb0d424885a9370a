import type { EdgeKind } from '../memory/edge.ts';
import { type GraphCounts, toCounts } from '../memory/graph-counts.ts';
import type { GraphRecord, ProjectedEdge, ProjectedPage } from '../memory/graph-projection.ts';
import { FOREVER } from '../memory/instant.ts';
import { PROJECTED_EDGE, PROJECTED_PAGE, readChanges } from './change-log.ts';
import type { Connection, Database } from './connect.ts';

const IS_ASSERTED = `e.recorded_to = ${FOREVER}`;

/** Pages and active edges of the ledger, as a graph database holds them. */
export function createGraphRecord(database: Database): GraphRecord {
  return {
    async listTenants() {
      const rows = await database.query<{ tenant: string }>({
        name: 'projection_list_tenants',
        text: 'select tenant from projection order by tenant',
      });
      return rows.map(({ tenant }) => tenant);
    },

    listPages: (tenant, after, limit) =>
      database.query<ProjectedPage>({
        name: 'page_list_projected_after',
        text: `
          select ${PROJECTED_PAGE} from page p
          where p.tenant = $1 and p.id > $2 order by p.id limit $3
        `,
        values: [tenant, after, limit],
      }),

    listEdges: (tenant, after, limit) =>
      database.query<ProjectedEdge>({
        name: 'edge_list_projected_after',
        text: `
          select ${PROJECTED_EDGE} from edge e
          where e.tenant = $1 and e.id > $2 and ${IS_ASSERTED} order by e.id limit $3
        `,
        values: [tenant, after, limit],
      }),

    readRest: (tenant, after) =>
      database.transaction('SNAPSHOT', async (connection) => {
        const batch = await readChanges(connection, tenant, after, Number.MAX_SAFE_INTEGER);
        return batch === null ? null : { batch, counts: await countGraph(connection, tenant) };
      }),

    readSlice: (tenant, after, until) =>
      database.transaction('SNAPSHOT', async (connection) => ({
        pages: await connection.query<ProjectedPage>({
          name: 'page_list_projected_slice',
          text: `
            select ${PROJECTED_PAGE} from page p
            where p.tenant = $1 and p.id > $2 and p.id <= $3
          `,
          values: [tenant, after, until],
        }),
        edges: await connection.query<ProjectedEdge>({
          name: 'edge_list_projected_slice',
          text: `
            select ${PROJECTED_EDGE} from edge e
            where e.tenant = $1 and e.from_id > $2 and e.from_id <= $3 and ${IS_ASSERTED}
          `,
          values: [tenant, after, until],
        }),
      })),
  };
}

async function countGraph(connection: Connection, tenant: string): Promise<GraphCounts> {
  const [row] = await connection.query<{ pages: number }>({
    name: 'page_count_projected',
    text: 'select count(*) as pages from page where tenant = $1',
    values: [tenant],
  });
  const edges = await connection.query<{ kind: EdgeKind; count: number }>({
    name: 'edge_count_projected',
    text: `select e.kind, count(*) from edge e where e.tenant = $1 and ${IS_ASSERTED} group by e.kind`,
    values: [tenant],
  });
  return toCounts(row?.pages ?? 0, edges);
}
