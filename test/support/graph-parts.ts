import { expect } from 'vitest';
import type { GraphWriter } from '../../src/memory/graph-projection.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { serveGraph } from '../../src/memory/serve-graph.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { type VerifySources, verifyGraph } from '../../src/memory/verify-graph.ts';
import { connectNeo4j, type Graph, type Neo4jOptions } from '../../src/neo4j/driver.ts';
import { createGraphRebuilder } from '../../src/neo4j/graph-rebuilder.ts';
import { createGraphWriter } from '../../src/neo4j/graph-writer.ts';
import { migrateGraph } from '../../src/neo4j/migrate.ts';
import { createProjectedGraph } from '../../src/neo4j/projected-graph.ts';
import { type Projector, startProjector } from '../../src/neo4j/projector.ts';
import { createStores } from '../../src/open-stores.ts';
import { createChangeLog } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createGraphRecord } from '../../src/postgres/graph-record.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { OUTBOX_CHANNEL } from '../../src/postgres/outbox.ts';
import { listVisiblePages } from '../../src/postgres/visible-pages.ts';
import type { RandomWriter } from './random-writer.ts';

const MIGRATIONS = new URL('../../migrations/neo4j/', import.meta.url);

export type GraphParts = {
  readonly stores: Stores;
  readonly graph: Graph;
  readonly settled: () => Promise<void>;
  readonly verifySources: VerifySources;
  readonly close: () => Promise<void>;
};

/** What `openGraph` puts together, without a projector. */
export function openGraphParts(database: Database, neo4j: Neo4jOptions): GraphParts {
  const graph = connectNeo4j(neo4j);
  const changes = createChangeLog(database);
  const record = createGraphRecord(database);
  const projected = createProjectedGraph(graph);
  const served = serveGraph({
    projected,
    ledger: createLedgerGraph(database),
    changes,
    listVisible: (view, ids) => listVisiblePages(database, view, ids),
    waitMs: 10_000,
  });
  return {
    stores: createStores(database, Date.now, served.store),
    graph,
    settled: served.settled,
    verifySources: {
      record,
      changes,
      projected,
      graph: createGraphRebuilder(graph),
      watermarks: createGraphWriter(graph),
    },
    async close() {
      served.close();
      await graph.close();
    },
  };
}

/**
 * Carries changes, a few at a time, whoever else does: it takes no lock.
 *
 * @param onFault  takes what can't be carried, and bugs
 */
export function startUnlockedProjector(
  database: Database,
  graph: Graph,
  batchSize: number,
  onFault: (error: unknown) => void,
  writer: GraphWriter = createGraphWriter(graph),
): Projector {
  const changes = createChangeLog(database);
  const record = createGraphRecord(database);
  const rebuilder = createGraphRebuilder(graph);
  return startProjector(
    {
      changes: {
        ...changes,
        readChanges: (tenant, after, limit) =>
          changes.readChanges(tenant, after, Math.min(limit, batchSize)),
      },
      writer,
      prepare: async () => {
        await migrateGraph(graph, MIGRATIONS);
      },
      rebuild: async (tenant) => {
        await rebuildGraph({ record, changes, rebuilder, graceMs: 0 }, tenant);
      },
      reportFailure: (_tenant, _change, error) => onFault(error),
      reportSetback: (_tenant, _waitMs, error) => onFault(error),
    },
    {
      take: async () => ({ isHeld: () => true, release: async () => undefined }),
      listen: (onChange) => database.listen(OUTBOX_CHANNEL, onChange),
    },
    onFault,
  );
}

/** Expects the graph of each writer's tenant to be equal to the ledger, and its writes to be there. */
export async function expectWhole(
  sources: VerifySources,
  writers: readonly RandomWriter[],
): Promise<void> {
  for (const writer of writers) await writer.expectReadable();
  for (const tenant of new Set(writers.map((writer) => writer.tenant))) {
    const { differences, sums } = await verifyGraph(sources, tenant);
    expect(differences).toEqual([]);
    expect(sums.find(({ what }) => what === 'PAGE')?.graph.count).toBeGreaterThan(0);
  }
}
