import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import type { Database } from '../../src/postgres/connect.ts';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';

/**
 * A migrated, empty database of its own for the test file that asks; close it when done.
 *
 * The one place that chooses where tests run: a run against a server would make a database from a
 * migrated template here, and hand out `connectPostgres` on it.
 */
export async function openTestDatabase(): Promise<Database> {
  const dump = await readFile(inject('migratedDump'));
  return openEmbedded({ dataFolder: null, loadFrom: new Uint8Array(dump) });
}
