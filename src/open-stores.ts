import { openStaticMiniLm } from './embedding/static-minilm.ts';
import type { IndexStore } from './memory/reindex.ts';
import type { Stores } from './memory/stores.ts';
import type { Database } from './postgres/connect.ts';
import { openEmbedded } from './postgres/embedded/open.ts';
import { refreshStatistics, withUpkeep } from './postgres/embedded/upkeep.ts';
import { createIndexStore } from './postgres/index-store.ts';
import { createLedgerGraph } from './postgres/ledger-graph.ts';
import { createMemoryWriter } from './postgres/memory-writer.ts';
import { migrate } from './postgres/migrate.ts';
import { createPageReader } from './postgres/page-reader.ts';
import { createProjectStore } from './postgres/project-store.ts';
import { createRecallStore } from './postgres/recall-store.ts';

const MIGRATIONS = new URL('../migrations/postgres/', import.meta.url);

/** Everything memory needs, over one database that is migrated already. */
export function createStores(database: Database, clock: () => number = Date.now): Stores {
  return {
    projects: createProjectStore(database),
    pages: createPageReader(database),
    writer: createMemoryWriter(database, clock),
    graph: createLedgerGraph(database),
    recall: createRecallStore(database),
    embedder: openStaticMiniLm(),
    clock,
  };
}

export type OpenStores = {
  readonly stores: Stores;
  /** For an operator: all tenants. */
  readonly indexes: IndexStore;
  readonly close: () => Promise<void>;
};

/** Opens the embedded store in its folder, brings it up to date, and hands out the stores over it. */
export async function openEmbeddedStores({
  dataFolder,
}: {
  readonly dataFolder: string;
}): Promise<OpenStores> {
  const database = await openEmbedded({ dataFolder });
  try {
    await migrate(database, MIGRATIONS);
  } catch (error) {
    await database.close();
    throw error;
  }
  await refreshStatistics(database);
  const kept = withUpkeep(database);
  return {
    stores: createStores(kept),
    indexes: createIndexStore(kept),
    close: () => database.close(),
  };
}
