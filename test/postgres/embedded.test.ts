import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { startEngine } from '../../src/postgres/embedded/engine.ts';
import { lockDataFolder } from '../../src/postgres/embedded/lock.ts';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';

let dataFolder: string;
let children: ChildProcess[];

beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'causeway-embedded-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) await kill(child);
  await rm(dataFolder, { recursive: true, force: true });
});

test('keeps rows over a close, and has the extensions that recall needs', async () => {
  const first = await openEmbedded({ dataFolder, loadFrom: await readDump() });
  await first.query({ text: 'create extension if not exists vector' });
  await first.query({ text: 'create extension if not exists btree_gin' });
  await first.query({ text: "create table kept as select '[1,2]'::halfvec(2) as embedding" });
  await first.close();

  const second = await openEmbedded({ dataFolder });
  const rows = await second.query({ text: 'select * from kept' });
  await second.close();

  expect(rows).toEqual([{ embedding: '[1,2]' }]);
  expect(await readdir(dataFolder)).toEqual(['postgres']);
});

test('makes an empty store where there is none, even after a start that broke off', async () => {
  await mkdir(join(dataFolder, 'postgres.new'));
  await writeFile(join(dataFolder, 'postgres.new', 'PG_VERSION'), '18\n');

  const database = await openEmbedded({ dataFolder });
  const rows = await database.query({ text: 'select 1 as one' });
  await database.close();

  expect(rows).toEqual([{ one: 1 }]);
  expect(await readdir(dataFolder)).toEqual(['postgres']);
});

test('loses no committed row when its process is killed, and takes over the lock', async () => {
  await (await openEmbedded({ dataFolder, loadFrom: await readDump() })).close();

  let committed = 0;
  for (const rows of [20, 1, 60]) {
    const writer = start('embedded-writer.ts');
    const enough = committed + rows;
    for await (const line of linesOf(writer)) {
      committed = Number(line);
      if (committed >= enough) break;
    }
    await kill(writer);
  }

  const database = await openEmbedded({ dataFolder });
  const [row] = await database.query<{ rows: number }>({
    text: 'select count(*) as rows from written where id <= $1 and length(body) = 3000',
    values: [committed],
  });
  await database.close();
  expect(row).toEqual({ rows: committed });
});

test('leaves the event loop free while a statement runs', async () => {
  const database = await openEmbedded({ dataFolder: null, loadFrom: await readDump() });
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);

  await database.query({ text: 'select count(*) from generate_series(1, 2000000)' });
  clearInterval(timer);
  await database.close();

  expect(turns).toBeGreaterThan(5);
});

test('leaves nothing of one connection to the next', async () => {
  const engine = await startEngine({ folder: null, dump: await readDump() });
  const first = new Client({ user: 'postgres', stream: () => engine.connect() });
  await first.connect();
  await first.query("set work_mem = '77MB'; prepare one as select 1");
  await first.query('begin');
  await first.query('create table half_made ()');
  await first.end();

  const second = new Client({ user: 'postgres', stream: () => engine.connect() });
  await second.connect();
  const { rows } = await second.query(`
    select to_regclass('half_made') as half_made, current_setting('work_mem') as work_mem,
      (select count(*)::int from pg_prepared_statements) as prepared
  `);
  await second.end();
  await engine.close();

  expect(rows).toEqual([{ half_made: null, work_mem: '4MB', prepared: 0 }]);
});

test('tells a broken engine as an unavailable store, and lets its folder go', async () => {
  const database = await openEmbedded({ dataFolder, loadFrom: await readDump() });
  await database.query({ text: 'create table target (id int8)' });

  // The engine exits when it is to read rows from the client.
  const broken = database.query({ text: 'copy target from stdin' });

  await expect(broken).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  await expect(database.query({ text: 'select 1' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  await database.close();
  const again = await openEmbedded({ dataFolder });
  expect(await again.query({ text: 'select * from target' })).toEqual([]);
  await again.close();
});

test('refuses a second opener and names the process that holds the folder', async () => {
  const holder = start('lock-holder.ts');
  await firstLine(holder);

  const opened = openEmbedded({ dataFolder });

  await expect(opened).rejects.toMatchObject({
    code: 'DATA_FOLDER_LOCKED',
    message: expect.stringContaining(`${dataFolder} is in use by process ${holder.pid} on `),
  });
  expect(existsSync(join(dataFolder, 'postgres'))).toBe(false);
});

test('refuses a second opener in the same process, until the first lets go', () => {
  const release = lockDataFolder(dataFolder);

  expect(() => lockDataFolder(dataFolder)).toThrow(`process ${process.pid} `);
  release();
  release();
  lockDataFolder(dataFolder)();
});

test('lets one of several processes take over the lock of one that was killed', async () => {
  const killed = start('lock-holder.ts');
  await firstLine(killed);
  await kill(killed);

  const answers = await Promise.all(
    Array.from({ length: 6 }, () => firstLine(start('lock-holder.ts'))),
  );

  expect(answers.filter((answer) => answer === 'locked')).toHaveLength(1);
  expect(answers.filter((answer) => answer.includes('is in use by process'))).toHaveLength(5);
  expect(await readdir(dataFolder)).toEqual(['causeway.lock']);
});

test('takes over a lock whose process id has another owner by now', async () => {
  await writeLock({ processStart: 'another boot/1' });

  lockDataFolder(dataFolder)();

  expect(await readdir(dataFolder)).toEqual([]);
});

test('respects a lock of another host while it shows signs of life', async () => {
  await writeLock({ host: 'another.example' });

  expect(() => lockDataFolder(dataFolder)).toThrow('on another.example');
  const longAgo = new Date(Date.now() - 3_600_000);
  await utimes(join(dataFolder, 'causeway.lock'), longAgo, longAgo);
  lockDataFolder(dataFolder)();
});

test('removes its lock when the process ends by itself', async () => {
  const holder = start('lock-holder.ts');
  await firstLine(holder);

  holder.stdin?.end();
  await once(holder, 'exit');

  expect(await readdir(dataFolder)).toEqual([]);
});

test('refuses a folder of another Postgres version, and one that is none, untouched', async () => {
  await mkdir(join(dataFolder, 'postgres'));

  await expect(openEmbedded({ dataFolder })).rejects.toMatchObject({
    code: 'DATA_FOLDER_VERSION',
    message: expect.stringContaining('is not a Postgres data folder'),
  });
  await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '19\n');
  await expect(openEmbedded({ dataFolder })).rejects.toMatchObject({
    code: 'DATA_FOLDER_VERSION',
    message: expect.stringContaining('was made by Postgres 19'),
  });
  expect(await readdir(dataFolder)).toEqual(['postgres']);
});

async function readDump(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(inject('migratedDump')));
}

function start(script: string): ChildProcess {
  const path = fileURLToPath(new URL(`../support/${script}`, import.meta.url));
  const child = spawn(process.execPath, [path, dataFolder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

async function* linesOf(child: ChildProcess): AsyncGenerator<string> {
  if (child.stdout === null) throw new Error('The child has no output.');
  yield* createInterface({ input: child.stdout });
}

async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of linesOf(child)) return line;
  throw new Error('The child said nothing.');
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function writeLock(changes: Readonly<Record<string, unknown>>): Promise<void> {
  const holder = {
    pid: process.pid,
    host: hostname(),
    startedAt: '2026-01-01T00:00:00.000Z',
    processStart: null,
    token: crypto.randomUUID(),
    ...changes,
  };
  await writeFile(join(dataFolder, 'causeway.lock'), JSON.stringify(holder));
}
