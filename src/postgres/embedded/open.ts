import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { createDatabase, type Database } from '../connect.ts';
import { Channels } from '../listener.ts';
import { createPool } from '../pool.ts';
import { unpackEmptyStore } from './empty-store.ts';
import { type Engine, startEngine } from './engine.ts';
import { DataFolderUnusableError, DataFolderVersionError } from './errors.ts';
import { lockDataFolder } from './lock.ts';

/** The major version of Postgres that the engine is; its folders open with no other. */
const POSTGRES_MAJOR = '18';

/** Most time to wait for the one connection: others may be at long work. */
const CONNECT_TIMEOUT_MS = 30_000;

export type EmbeddedDatabase = Database & {
  /**
   * The whole database as a tar archive, about 40 MB when empty; statements wait meanwhile.
   * Opens again as `loadFrom`, with this version of the engine only.
   */
  dump(): Promise<Uint8Array<ArrayBuffer>>;
};

/**
 * Opens Postgres inside this process (PGlite in a worker thread), for one process at a time.
 *
 * It has one connection, so statements and transactions run one after another. A statement that
 * runs too long cannot be cancelled; it holds up the others, not the event loop. Writes survive the
 * death of the process, but not always that of the machine, since the engine does not sync its
 * files. When the engine itself breaks (out of memory, disk full), every later statement fails
 * with a `StoreUnavailableError` until the process opens it anew.
 *
 * @param dataFolder  made when missing; null keeps everything in memory
 * @param loadFrom    what `dump` gave, for a store that does not exist yet
 * @throws {DataFolderUnusableError} if it is no folder, or may not be written
 * @throws {DataFolderLockedError} if the folder is in use
 * @throws {DataFolderVersionError} if the folder is of another Postgres version, or of none
 */
export async function openEmbedded({
  dataFolder,
  loadFrom,
}: {
  readonly dataFolder: string | null;
  readonly loadFrom?: Uint8Array<ArrayBuffer>;
}): Promise<EmbeddedDatabase> {
  if (dataFolder !== null) makeFolder(dataFolder);
  const unlock = dataFolder === null ? () => undefined : lockDataFolder(dataFolder);

  try {
    const engine = await openStore(dataFolder, loadFrom ?? null);
    return serve(engine, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

function makeFolder(dataFolder: string): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    accessSync(dataFolder, constants.W_OK);
  } catch (error) {
    throw new DataFolderUnusableError(dataFolder, error);
  }
}

async function openStore(
  dataFolder: string | null,
  dump: Uint8Array<ArrayBuffer> | null,
): Promise<Engine> {
  if (dataFolder === null) return startEngine({ folder: null, dump });

  const folder = join(dataFolder, 'postgres');
  if (existsSync(folder)) {
    if (dump !== null) throw new Error(`Cannot load a dump into ${folder}, which exists.`);
    refuseOtherVersions(folder);
  } else {
    await createStore(folder, dump);
  }
  return startEngine({ folder, dump: null });
}

/** Makes a store aside and then names it, so that one half made is never taken for a whole one. */
async function createStore(folder: string, dump: Uint8Array<ArrayBuffer> | null): Promise<void> {
  const aside = `${folder}.new`;
  rmSync(aside, { recursive: true, force: true });
  if (dump !== null || !(await unpackEmptyStore(aside))) {
    const engine = await startEngine({ folder: aside, dump });
    await engine.close();
  }
  renameSync(aside, folder);
}

function refuseOtherVersions(folder: string): void {
  const file = join(folder, 'PG_VERSION');
  const found = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  if (found !== POSTGRES_MAJOR) throw new DataFolderVersionError(folder, found, POSTGRES_MAJOR);
}

function serve(engine: Engine, unlock: () => void): EmbeddedDatabase {
  const channels = new Channels();
  const pool = createPool({
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    // The engine has no passwords; these two keep node-postgres from asking the environment.
    user: 'postgres',
    database: 'postgres',
    stream: () => engine.connect(),
    onConnect: channels.adopt.bind(channels),
  });
  const database = createDatabase({
    pool,
    listening: pool,
    holding: null,
    channels,
    hasOneTenant: true,
    // It can't cancel a statement.
    searchTimeoutMs: 0,
    answerTimeoutMs: 0,
  });

  return {
    get statements() {
      return database.statements;
    },
    query: database.query,
    ofTenant: database.ofTenant,
    transaction: database.transaction,
    listen: database.listen,
    tryHold: database.tryHold,

    async dump() {
      // Without a checkpoint the archive would have to be recovered whenever it is opened.
      await database.query({ text: 'checkpoint' });
      return engine.dump();
    },

    async close() {
      await database.close();
      await engine.close();
      unlock();
    },
  };
}
