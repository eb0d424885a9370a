import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MemoryError } from '../memory/errors.ts';
import type { Graph } from './driver.ts';
import { isSchemaRace } from './errors.ts';
import { readCypher } from './read-cypher.ts';

const LIST = readCypher('migration_list');
const NOTE = readCypher('migration_note');

/** A server that has just started takes seconds for its first answer. */
const TIMEOUT_MS = 60_000;

/** Longest wait for an index over a graph that is there already, in seconds. */
const INDEX_WAIT_SECONDS = 600;

/** Each time one at least of those who meet goes on: enough for as many processes. */
const MOST_TRIES = 20;
/** A constraint on an empty graph takes about 50 ms. */
const LONGEST_WAIT_MS = 400;

/** The graph was migrated by files that are not those of this version. */
export class GraphMigrationError extends MemoryError {
  override readonly name = 'GraphMigrationError';
  readonly code = 'GRAPH_MIGRATION_MISMATCH';
}

/**
 * Makes the constraints and indexes of the graph: runs each file `NNNN_name.cypher` of the folder
 * that is not recorded, in order. Each is one statement that may be run again, since Neo4j makes
 * and records a constraint in two transactions. Several processes may do this at once: Neo4j refuses
 * all but one that make the same thing, and those find it made when they try again.
 *
 * @returns names of the files run now, without `.cypher`
 * @throws {GraphMigrationError} if a recorded file was edited, or is not in the folder
 * @throws {StoreUnavailableError} if Neo4j does not answer
 */
export async function migrateGraph(
  graph: Graph,
  folder: string | URL,
): Promise<{ applied: readonly string[] }> {
  const migrations = await readMigrations(folder);
  const recorded = await graph.read(
    LIST,
    (run) => run<{ name: string; sha256: string }>(LIST, {}),
    TIMEOUT_MS,
  );
  for (const { name, sha256 } of recorded) {
    const known = migrations.find((migration) => migration.name === name);
    if (known?.sha256 !== sha256) {
      const fault = known === undefined ? 'is not known to this version' : 'was edited since';
      throw new GraphMigrationError(
        `The graph has the migration ${name}, which ${fault}. Use the version of Causeway that made it, or a newer one.`,
      );
    }
  }

  const applied: string[] = [];
  for (const { name, sha256, text } of migrations) {
    if (recorded.some((migration) => migration.name === name)) continue;
    await tryAgain(() => graph.command(text));
    await tryAgain(() =>
      graph.write(NOTE, (run) => run(NOTE, { name, sha256, at: Date.now() }), TIMEOUT_MS),
    );
    applied.push(name);
  }
  if (applied.length > 0) {
    await graph.command('CALL db.awaitIndexes($a.seconds)', { seconds: INDEX_WAIT_SECONDS });
  }
  return { applied };
}

/** Does again what lost to another process that makes the same thing. */
async function tryAgain(work: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!isSchemaRace(error) || tries === MOST_TRIES) throw error;
      // By chance, so that those who met once do not meet again.
      await delay(Math.random() * LONGEST_WAIT_MS);
    }
  }
}

async function readMigrations(folder: string | URL) {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.cypher')).sort();
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(path, file), 'utf8');
      const sha256 = createHash('sha256').update(text).digest('hex');
      return { name: file.slice(0, -'.cypher'.length), text, sha256 };
    }),
  );
}
