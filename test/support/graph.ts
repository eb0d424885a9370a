import { inject } from 'vitest';
import type { GraphStore } from '../../src/memory/graph-store.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { serveGraph } from '../../src/memory/serve-graph.ts';
import { connectNeo4j, type Graph, type Neo4jOptions } from '../../src/neo4j/driver.ts';
import { createGraphRebuilder } from '../../src/neo4j/graph-rebuilder.ts';
import { createProjectedGraph } from '../../src/neo4j/projected-graph.ts';
import { createChangeLog } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createGraphRecord } from '../../src/postgres/graph-record.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { listVisiblePages } from '../../src/postgres/visible-pages.ts';
import { openServerDatabase } from './database.ts';
import { type SeedGraph, writeGraph } from './seed-graph.ts';

export type TestGraph = {
  readonly store: GraphStore;
  readonly database: Database;
  readonly graph: Graph;
  /** Puts a graph into the ledger, and from there into Neo4j. */
  readonly write: (seeded: SeedGraph) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The graph as the server profile serves it, without a projector; tenants are its own. */
export async function openTestGraph({
  hubDegree,
}: {
  hubDegree?: number;
} = {}): Promise<TestGraph> {
  const database = await openServerDatabase();
  const graph = connectNeo4j(testNeo4j(database.url));
  const projected = createProjectedGraph(graph, hubDegree === undefined ? {} : { hubDegree });
  const changes = createChangeLog(database);
  const served = serveGraph({
    projected,
    ledger: createLedgerGraph(database),
    changes,
    listVisible: (view, ids) => listVisiblePages(database, view, ids),
    waitMs: 500,
  });
  await served.settled();
  const record = createGraphRecord(database);
  const rebuilder = createGraphRebuilder(graph);
  return {
    store: served.store,
    database,
    graph,
    async write(seeded) {
      await writeGraph(database, seeded);
      await rebuildGraph({ record, changes, rebuilder, graceMs: 0 }, seeded.tenant);
    },
    async close() {
      served.close();
      await graph.close();
      await database.close();
    },
  };
}

/** The Neo4j of the run, with a namespace for one database of a test: the server has but one graph. */
export function testNeo4j(databaseUrl: string): Neo4jOptions {
  const { neo4j } = inject('server');
  return { ...neo4j, namespace: `${new URL(databaseUrl).pathname.slice(1)}/` };
}
