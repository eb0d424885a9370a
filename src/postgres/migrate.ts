import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryError } from '../memory/errors.ts';
import type { Connection, Database } from './connect.ts';

/** Any number that nothing else locks: "causeway" cut to what fits. */
const LOCK = 0x63_61_75_73;

const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/u;

/** The migrations of the store and those of this version do not belong together. */
export class MigrationError extends MemoryError {
  override readonly name = 'MigrationError';
  readonly code = 'MIGRATION_MISMATCH';
}

type Migration = { readonly name: string; readonly text: string; readonly sha256: string };
type Applied = { readonly name: string; readonly sha256: string };

/**
 * Brings the schema up to date: runs each file `NNNN_name.sql` of the folder that the store has not
 * seen, in order, each in one transaction. Safe to repeat, and to run from several processes at
 * once: one waits for the other. A file that fails leaves those before it applied.
 *
 * Open the database without `statementTimeoutMs`: an index over a large table takes its time.
 *
 * @returns names of the files applied now, without `.sql`
 * @throws {MigrationError} if an applied file was edited, is not in the folder (it may be of a newer
 *         version), or comes after one that is new; and if a file is misnamed or two share a number
 */
export async function migrate(
  database: Database,
  folder: string | URL,
): Promise<{ applied: readonly string[] }> {
  const migrations = await readMigrations(folder);
  const known = await database.transaction('WRITE', async (connection) => {
    await lock(connection);
    await connection.query({
      text: `
        create table if not exists schema_migration (
          name text collate "C" primary key,
          sha256 text not null,
          applied_at int8 not null
        )
      `,
    });
    return connection.query<Applied>({
      name: 'schema_migration_list',
      text: 'select name, sha256 from schema_migration order by name',
    });
  });
  refuseMismatch(migrations, known);

  const applied: string[] = [];
  for (const migration of migrations.slice(known.length)) {
    const isApplied = await database.transaction('WRITE', (connection) =>
      apply(connection, migration),
    );
    if (isApplied) applied.push(migration.name);
  }
  return { applied };
}

/** Gives false when another process was quicker. */
async function apply(connection: Connection, migration: Migration): Promise<boolean> {
  await lock(connection);
  const [row] = await connection.query<Applied>({
    name: 'schema_migration_find',
    text: 'select name, sha256 from schema_migration where name = $1',
    values: [migration.name],
  });
  if (row !== undefined) {
    refuseMismatch([migration], [row]);
    return false;
  }

  await connection.query({ text: migration.text });
  await connection.query({
    name: 'schema_migration_insert',
    text: 'insert into schema_migration (name, sha256, applied_at) values ($1, $2, $3)',
    values: [migration.name, migration.sha256, Date.now()],
  });
  return true;
}

/** One migrator at a time; held until the transaction ends. */
async function lock(connection: Connection): Promise<void> {
  await connection.query({
    name: 'schema_migration_lock',
    text: 'select pg_advisory_xact_lock($1)',
    values: [LOCK],
  });
}

/** What was applied must be a beginning of what there is. Both by name. */
function refuseMismatch(migrations: readonly Migration[], applied: readonly Applied[]): void {
  for (const [index, { name, sha256 }] of applied.entries()) {
    const expected = migrations[index];
    if (!migrations.some((migration) => migration.name === name)) {
      throw new MigrationError(
        `The store has the migration ${name}, which this version does not know. ` +
          'Use the version of Causeway that made it, or a newer one.',
      );
    }
    if (expected !== undefined && expected.name !== name) {
      throw new MigrationError(
        `Expected the migration ${expected.name} to be applied before ${name}, but it is new. ` +
          'Give it a number after the last one.',
      );
    }
    if (expected !== undefined && expected.sha256 !== sha256) {
      throw new MigrationError(
        `The migration ${name} was edited after it was applied to this store. ` +
          'Restore the file, and put the change into a new one.',
      );
    }
  }
}

async function readMigrations(folder: string | URL): Promise<Migration[]> {
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  const files = (await readdir(path)).filter((file) => file.endsWith('.sql')).sort();

  const migrations = await Promise.all(
    files.map(async (file) => {
      const name = FILE_NAME.exec(file)?.[1];
      if (name === undefined) {
        throw new MigrationError(`Expected a migration named NNNN_name.sql, but got ${file}.`);
      }
      const text = await readFile(join(path, file), 'utf8');
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );

  for (const [index, { name }] of migrations.entries()) {
    const next = migrations[index + 1]?.name;
    if (next?.slice(0, 4) === name.slice(0, 4)) {
      throw new MigrationError(`Expected one migration for a number, but got ${name} and ${next}.`);
    }
  }
  return migrations;
}
