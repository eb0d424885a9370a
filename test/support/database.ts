import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';
import { withDatabase } from './server-setup.ts';

/**
 * A migrated, empty database of its own for the test file that asks; close it when done. Embedded or
 * on the Postgres server of the run, as the suite is asked to run: see `vitest.config.ts`.
 */
export async function openTestDatabase(): Promise<Database> {
  return inject('profile') === 'server' ? openServerDatabase() : openEmbeddedDatabase();
}

async function openEmbeddedDatabase(): Promise<Database> {
  const dump = await readFile(inject('migratedDump'));
  return openEmbedded({ dataFolder: null, loadFrom: new Uint8Array(dump) });
}

/** A database on the server of the run; it goes when it is closed. */
export async function openServerDatabase(): Promise<Database & { readonly url: string }> {
  const { databaseUrl, template } = inject('server');
  const name = `test_${randomBytes(8).toString('hex')}`;
  const admin = connectPostgres({ url: databaseUrl, maxConnections: 1 });
  await admin.query({ text: `create database ${name} template ${template}` });
  const url = withDatabase(databaseUrl, name);
  const database = connectPostgres({ url });
  let isClosed = false;
  return {
    ...database,
    url,
    get statements() {
      return database.statements;
    },
    async close() {
      await database.close();
      if (!isClosed) await admin.query({ text: `drop database if exists ${name} with (force)` });
      isClosed = true;
      await admin.close();
    },
  };
}
