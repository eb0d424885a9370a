import type { Config } from './config.ts';
import { openStaticMiniLm } from './embedding/static-minilm.ts';
import type { KeyStore } from './memory/api-key.ts';
import type { GraphStore } from './memory/graph-store.ts';
import { checkReadiness, type ProjectionStatus, type Readiness } from './memory/readiness.ts';
import type { TextStore } from './memory/redact-store.ts';
import { createRedactor, type Redactor } from './memory/redaction.ts';
import type { IndexStore } from './memory/reindex.ts';
import { createRunBook } from './memory/run-book.ts';
import { NO_LAG } from './memory/served.ts';
import type { Stores } from './memory/stores.ts';
import { createWordTerms } from './memory/word-terms.ts';
import { createOpenAiCompatible } from './models/openai-compatible.ts';
import { type OpenGraph, openGraph } from './open-graph.ts';
import { createBriefingStore } from './postgres/briefing-store.ts';
import { createChangeFeed } from './postgres/change-feed.ts';
import { findProjectionStatus } from './postgres/change-log.ts';
import { connectPostgres, type Database } from './postgres/connect.ts';
import { keepProjects } from './postgres/embedded/kept-projects.ts';
import { openEmbedded } from './postgres/embedded/open.ts';
import { rebuildVectorIndex, tidyTables } from './postgres/embedded/upkeep.ts';
import { requireEmbedder } from './postgres/embedder-record.ts';
import { createIndexStore } from './postgres/index-store.ts';
import { createKeyStore } from './postgres/key-store.ts';
import { createLedgerGraph } from './postgres/ledger-graph.ts';
import { createLintStore } from './postgres/lint-store.ts';
import { createMemoryWriter } from './postgres/memory-writer.ts';
import { migrate } from './postgres/migrate.ts';
import { createPageReader } from './postgres/page-reader.ts';
import { createPersonStore } from './postgres/person-store.ts';
import { createProjectStore } from './postgres/project-store.ts';
import { createRecallStore } from './postgres/recall-store.ts';
import { createReflectionStore } from './postgres/reflection-store.ts';
import { createSessionStore } from './postgres/session-store.ts';
import { createStatusStore, type GraphService } from './postgres/status-store.ts';
import { createTextStore } from './postgres/text-store.ts';
import { countGrownTables, withUpkeep } from './postgres/upkeep.ts';
import { readPatterns } from './read-patterns.ts';
import { startPruning } from './start-pruning.ts';

/** One to read changes with, one to spare. */
const PROJECTOR_CONNECTIONS = 2;

const MIGRATIONS = new URL('../migrations/postgres/', import.meta.url);

/** Everything memory needs, over one database that is migrated already; edges from the ledger unless said, and no model. */
export function createStores(
  database: Database,
  clock: () => number = Date.now,
  graph: GraphStore = createLedgerGraph(database),
  redactor: Redactor = createRedactor(),
  graphService: GraphService | null = null,
): Stores {
  return {
    projects: createProjectStore(database),
    pages: createPageReader(database),
    writer: createMemoryWriter(database, clock),
    sessions: createSessionStore(database, clock),
    people: createPersonStore(database, clock),
    graph,
    recall: createRecallStore(database),
    changes: createChangeFeed(database),
    lints: createLintStore(database),
    briefings: createBriefingStore(database),
    statuses: createStatusStore(database, graphService, clock),
    reflections: createReflectionStore(database),
    embedder: openStaticMiniLm(),
    words: createWordTerms(),
    runs: createRunBook(),
    model: null,
    redactor,
    clock,
  };
}

export type OpenStores = {
  readonly stores: Stores;
  /** For an operator: all tenants. */
  readonly indexes: IndexStore;
  readonly texts: TextStore;
  readonly keys: KeyStore;
  readonly database: Database;
  /** Null where the ledger serves edges. */
  readonly graph: OpenGraph | null;
  readonly readiness: () => Promise<Readiness>;
  readonly close: () => Promise<void>;
};

export type StoreOptions = Pick<Config, 'dataFolder' | 'databaseUrl' | 'neo4j' | 'graphWaitMs'> & {
  /** Patterns of secrets beside the built-in ones. */
  readonly redactPatterns?: Config['redactPatterns'];
  readonly model?: Config['model'];
  /** Opens a store whose vectors are of another embedder too, to make them anew. */
  readonly isReindexing?: boolean;
  /** Takes what goes wrong beside any request. */
  readonly report?: (message: string, error: unknown) => void;
};

/**
 * Opens the stores that are configured, brings them up to date, and hands them out. Neo4j may be
 * away: then the ledger serves edges until it is there.
 *
 * @throws {ConfigError} if a pattern of secrets is none
 * @throws {StoreUnavailableError} if Postgres does not answer
 * @throws {DataFolderUnusableError} if the folder of the embedded store is none, or can't be written
 * @throws {DataFolderLockedError} if another process has the embedded store
 * @throws {MigrationError} if the store is of another version
 * @throws {EmbedderMismatchError} if its vectors are of another embedder
 */
export async function openStores(options: StoreOptions): Promise<OpenStores> {
  const { databaseUrl: url, neo4j, graphWaitMs: waitMs, report = () => {} } = options;
  const redactor = createRedactor(await readPatterns(options.redactPatterns ?? null));
  const database =
    url === null ? await openEmbeddedDatabase(options.dataFolder) : await openServerDatabase(url);
  if (options.isReindexing !== true) {
    await requireEmbedder(database, openStaticMiniLm()).catch(closeAndThrow(database));
  }
  // The embedded engine has but one connection, and its projector is of this process.
  const projectorDatabase =
    url === null || neo4j === null
      ? database
      : connectPostgres({ url, maxConnections: PROJECTOR_CONNECTIONS });
  const graph =
    neo4j === null ? null : openGraph({ database, projectorDatabase, neo4j, waitMs, report });
  const stopPruning = startPruning(database, { isProjected: graph !== null, report });
  const stores = {
    ...createStores(database, Date.now, graph?.store, redactor, graph?.service),
    model: options.model ? createOpenAiCompatible(options.model) : null,
  };
  return {
    stores: url === null ? { ...stores, projects: keepProjects(stores.projects) } : stores,
    indexes: createIndexStore(database),
    texts: createTextStore(database, Date.now),
    keys: createKeyStore(database),
    database,
    graph,
    readiness: () => checkStores(database, graph),
    async close() {
      stopPruning();
      await graph?.close();
      await projectorDatabase.close();
      await database.close();
    },
  };
}

async function openEmbeddedDatabase(dataFolder: string): Promise<Database> {
  const database = await openEmbedded({ dataFolder });
  await migrateOrClose(database);
  await tidyTables(database);
  await rebuildVectorIndex(database);
  return withUpkeep(database, tidyTables);
}

async function openServerDatabase(url: string): Promise<Database> {
  // An index over a large table takes longer than any statement of a request may.
  const migrating = connectPostgres({ url, maxConnections: 1, statementTimeoutMs: 0 });
  await migrateOrClose(migrating);
  await migrating.close();
  return withUpkeep(connectPostgres({ url }), countGrownTables);
}

async function migrateOrClose(database: Database): Promise<void> {
  await migrate(database, MIGRATIONS).catch(closeAndThrow(database));
}

function closeAndThrow(database: Database) {
  return async (error: unknown): Promise<never> => {
    await database.close();
    throw error;
  };
}

/** Whether the stores of one service answer. */
export function checkStores(database: Database, graph: OpenGraph | null): Promise<Readiness> {
  return checkReadiness({ findStatus: () => findStatus(database, graph), graph });
}

/** Without a graph database nothing is carried, and nothing lags. */
async function findStatus(database: Database, graph: OpenGraph | null): Promise<ProjectionStatus> {
  if (graph !== null) return findProjectionStatus(database, Date.now());
  await database.query({ name: 'postgres_ping', text: 'select 1' });
  return { lag: NO_LAG, failures: 0, setbacks: 0 };
}
