import { setTimeout as delay } from 'node:timers/promises';
import { StoreUnavailableError } from './memory/errors.ts';
import type { ChangedSubject, GraphRecord } from './memory/graph-projection.ts';
import type { GraphStore } from './memory/graph-store.ts';
import { type RebuildSources, rebuildGraph } from './memory/rebuild-graph.ts';
import { serveGraph } from './memory/serve-graph.ts';
import type { VerifySources } from './memory/verify-graph.ts';
import { connectNeo4j, createBookmarks, type Graph, type Neo4jOptions } from './neo4j/driver.ts';
import { findNeo4jVersion } from './neo4j/find-version.ts';
import { createGraphRebuilder } from './neo4j/graph-rebuilder.ts';
import { createGraphWriter } from './neo4j/graph-writer.ts';
import { migrateGraph } from './neo4j/migrate.ts';
import { createProjectedGraph } from './neo4j/projected-graph.ts';
import { startProjector } from './neo4j/projector.ts';
import { createChangeLog, createProjectorTurn } from './postgres/change-log.ts';
import type { Database } from './postgres/connect.ts';
import { createGraphRecord } from './postgres/graph-record.ts';
import { createLedgerGraph } from './postgres/ledger-graph.ts';
import type { GraphService } from './postgres/status-store.ts';
import { listVisiblePages } from './postgres/visible-pages.ts';

const MIGRATIONS = new URL('../migrations/neo4j/', import.meta.url);

/** A batch takes a third of a second; a Neo4j that is held up must not hold up the end of the process. */
const CLOSE_PATIENCE_MS = 3_000;

/** Readers that began before a swap end within the time limit of a read. */
const SWAP_GRACE_MS = 4_000;

/** A projector and a rebuild by hand go one transaction at a time each. */
const CARRYING_CONNECTIONS = 4;

export type GraphOptions = {
  readonly database: Database;
  /** For the projector: another pool over the same database, so that requests and it do not wait for each other. */
  readonly projectorDatabase: Database;
  readonly neo4j: Neo4jOptions;
  /** Most time that a reader waits for its own write to be projected, in milliseconds. */
  readonly waitMs: number;
  readonly clock?: () => number;
  /** Takes changes that could not be carried, and bugs of the projector. */
  readonly report?: (message: string, error: unknown) => void;
};

export type OpenGraph = {
  readonly store: GraphStore;
  readonly service: GraphService;
  /** Whether questions go to Neo4j; while it does not answer, the ledger does. */
  readonly isReady: () => boolean;
  /** Why they do not: a code of Neo4j or its driver. Null while they do, and before the first try. */
  readonly awayReason: () => string | null;
  /** Ends with the try to reach Neo4j that is under way, however that goes. */
  readonly settled: () => Promise<void>;
  /** Whether this process carries the changes. */
  readonly isProjecting: () => boolean;
  readonly record: GraphRecord;
  readonly rebuildSources: RebuildSources;
  readonly verifySources: VerifySources;
  /** The projector ends with its batch, or without it when that takes long: the outbox has it still. */
  readonly close: () => Promise<void>;
};

/** The graph served from Neo4j over a database that is migrated, with the ledger behind it. */
export function openGraph({
  database,
  projectorDatabase,
  neo4j,
  waitMs,
  clock = Date.now,
  report = () => {},
}: GraphOptions): OpenGraph {
  const bookmarks = createBookmarks();
  const reading = connectNeo4j({ ...neo4j, bookmarks, patience: 'READER' });
  const carrying = connectNeo4j({
    ...neo4j,
    bookmarks,
    patience: 'CARRIER',
    maxConnections: CARRYING_CONNECTIONS,
  });
  const changes = createChangeLog(database, clock);
  const record = createGraphRecord(database);
  const rebuilder = createGraphRebuilder(carrying);
  const writer = createGraphWriter(carrying);
  const projected = createProjectedGraph(reading);
  const rebuildSources = { record, changes, rebuilder, graceMs: SWAP_GRACE_MS };
  const served = serveGraph({
    projected,
    ledger: createLedgerGraph(database),
    changes,
    listVisible: (view, ids) => listVisiblePages(database, view, ids),
    waitMs,
    reportAway: (reason, error) =>
      report(`Neo4j is not asked, the ledger serves edges: ${mendOf(reason)}`, error),
  });
  const projector = startProjector(
    {
      changes: createChangeLog(projectorDatabase, clock),
      writer,
      prepare: async () => {
        await migrateGraph(carrying, MIGRATIONS);
      },
      rebuild: async (tenant) => {
        await rebuildGraph(rebuildSources, tenant);
      },
      reportFailure: (tenant, change, error) => report(toText(tenant, change), error),
      reportSetback: (tenant, waitMs, error) =>
        report(`tenant ${tenant} could not be projected; tried again after ${waitMs} ms`, error),
    },
    createProjectorTurn(projectorDatabase),
    (error) => report('the projector failed and goes on', error),
  );

  return {
    store: served.store,
    service: { findVersion: async () => (served.isReady() ? findVersion(reading) : null) },
    isReady: served.isReady,
    awayReason: served.awayReason,
    settled: served.settled,
    isProjecting: projector.isActive,
    record,
    rebuildSources,
    verifySources: { record, changes, projected, graph: rebuilder, watermarks: writer },
    async close() {
      served.close();
      const ended = projector.close();
      await Promise.race([ended, delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
      await Promise.all([reading.close(), carrying.close()]);
      await ended;
    },
  };
}

/** What to look at. The driver says the same of a wrong address and of one that speaks no TLS, or only TLS. */
function mendOf(reason: string): string {
  if (reason.startsWith('Neo.ClientError.Security.')) {
    return `it refuses the login (${reason}). Look at NEO4J_USER and NEO4J_PASSWORD.`;
  }
  return `there is no connection (${reason}). Look at NEO4J_URI: its address, and whether the server expects TLS (+s).`;
}

/** Null for a database that went away just now: the next reader finds out by itself. */
async function findVersion(graph: Graph): Promise<string | null> {
  try {
    return (await findNeo4jVersion(graph))?.version ?? null;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}

function toText(tenant: string, { subject, subjectId, sequence }: ChangedSubject): string {
  return `change ${sequence} of tenant ${tenant} could not be projected: ${subject} ${subjectId}`;
}
