import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../src/postgres/connect.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
let folder: string;

beforeAll(async () => {
  database = await openTestDatabase();
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-migrate-'));
  // As a store that has seen no migration: `public` is where the unqualified names go.
  await database.query({ text: 'drop schema public cascade; create schema public' });
  await writeMigration('0001_fruit', 'create table fruit (name text primary key);');
  await writeMigration(
    '0002_apple',
    "insert into fruit values ('apple'); insert into fruit values ('pear');",
  );
});

afterEach(() => rm(folder, { recursive: true, force: true }));

afterAll(() => database.close());

test('applies every file in order, and none twice', async () => {
  const first = await migrate(database, pathToFileURL(folder));
  const second = await migrate(database, folder);

  expect(first).toEqual({ applied: ['0001_fruit', '0002_apple'] });
  expect(second).toEqual({ applied: [] });
  expect(await fruits()).toEqual(['apple', 'pear']);
});

test('records name, checksum and time', async () => {
  const before = Date.now();

  await migrate(database, folder);

  const [row] = await database.query<{ applied_at: number }>({
    text: 'select * from schema_migration order by name',
  });
  expect(row).toEqual({
    name: '0001_fruit',
    sha256: '6409b822195eee2024f6c6f6d76f0ab2c366c9e9b6b58d6343dfc9f02bfb1179',
    applied_at: expect.any(Number),
  });
  expect(row?.applied_at).toBeGreaterThanOrEqual(before);
});

test('applies only what is new', async () => {
  await migrate(database, folder);
  await writeMigration('0003_plum', "insert into fruit values ('plum');");

  const { applied } = await migrate(database, folder);

  expect(applied).toEqual(['0003_plum']);
});

test('keeps what came before a file that fails, and nothing of that file', async () => {
  await writeMigration('0003_plum', "insert into fruit values ('plum'); select 1 / 0;");

  await expect(migrate(database, folder)).rejects.toMatchObject({ code: '22012' });

  expect(await fruits()).toEqual(['apple', 'pear']);
  await writeMigration('0003_plum', "insert into fruit values ('plum');");
  expect(await migrate(database, folder)).toEqual({ applied: ['0003_plum'] });
});

test('applies each file once when several start at the same time', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database, folder)));

  expect(runs.flatMap(({ applied }) => applied).sort()).toEqual(['0001_fruit', '0002_apple']);
  expect(await fruits()).toEqual(['apple', 'pear']);
});

test('refuses a file that was edited after it was applied', async () => {
  await migrate(database, folder);
  await writeMigration('0001_fruit', 'create table fruit (name text);');

  await expect(migrate(database, folder)).rejects.toMatchObject({
    code: 'MIGRATION_MISMATCH',
    message: expect.stringContaining('0001_fruit was edited'),
  });
});

test('refuses a store with a migration that it does not know', async () => {
  await writeMigration('0003_future', 'select 1;');
  await migrate(database, folder);
  await rm(join(folder, '0003_future.sql'));

  await expect(migrate(database, folder)).rejects.toMatchObject({
    code: 'MIGRATION_MISMATCH',
    message: expect.stringContaining('0003_future, which this version does not know'),
  });
});

test('refuses a new file that comes before one that is applied', async () => {
  await rm(join(folder, '0001_fruit.sql'));
  await writeMigration('0002_apple', 'create table fruit (name text);');
  await migrate(database, folder);
  await writeMigration('0001_late', 'select 1;');

  await expect(migrate(database, folder)).rejects.toMatchObject({
    code: 'MIGRATION_MISMATCH',
    message: expect.stringContaining('0001_late to be applied before 0002_apple'),
  });
});

test('refuses a misnamed file, and two files of one number, before it runs any', async () => {
  await writeMigration('3-plum', 'select 1;');
  await expect(migrate(database, folder)).rejects.toMatchObject({
    code: 'MIGRATION_MISMATCH',
    message: expect.stringContaining('3-plum.sql'),
  });

  await rm(join(folder, '3-plum.sql'));
  await writeMigration('0002_pear', 'select 1;');
  await expect(migrate(database, folder)).rejects.toMatchObject({
    code: 'MIGRATION_MISMATCH',
    message: expect.stringContaining('0002_apple and 0002_pear'),
  });
  const [row] = await database.query({ text: "select to_regclass('fruit') as fruit" });
  expect(row).toEqual({ fruit: null });
});

async function writeMigration(name: string, text: string): Promise<void> {
  await writeFile(join(folder, `${name}.sql`), text);
}

async function fruits(): Promise<string[]> {
  const rows = await database.query<{ name: string }>({
    text: 'select name from fruit order by name',
  });
  return rows.map(({ name }) => name);
}
