import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import { readChanges } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { KEEP_CHANGES_MS, pruneOutbox } from '../../src/postgres/prune-outbox.ts';
import { openTestDatabase } from '../support/database.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY = 24 * 60 * 60 * 1_000;

let database: Database;
let stores: Stores;
let tenant: string;
let count = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
beforeEach(() => {
  count += 1;
  tenant = `tenant-${count}`;
});
afterAll(() => database.close());

/** Changes of the tenant as old as said, in days; answers their sequences. */
async function log(...daysAgo: readonly number[]): Promise<number[]> {
  const rows = await database.query<{ sequence: number }>({
    text: `
      insert into outbox (tenant, subject, subject_id, change, recorded_at)
      select $1, 'PAGE', gen_random_uuid(), 'UPSERT', a.at
      from unnest($2::int8[]) with ordinality as a(at, position) order by a.position
      returning sequence
    `,
    values: [tenant, daysAgo.map((days) => NOW - days * DAY)],
  });
  await database.query({
    text: `
      insert into projection (tenant, newest) select $1, max(sequence) from outbox where tenant = $1
      on conflict (tenant) do update set newest = excluded.newest
    `,
    values: [tenant],
  });
  return rows.map(({ sequence }) => sequence);
}

async function sequencesLeft(): Promise<number[]> {
  const rows = await database.query<{ sequence: number }>({
    text: 'select sequence from outbox where tenant = $1 order by sequence',
    values: [tenant],
  });
  return rows.map(({ sequence }) => sequence);
}

const prune = (isProjected = false) => pruneOutbox(database, { now: NOW, isProjected });

test('removes what is older than seven days, and notes how far', async () => {
  const sequences = await log(9, 8, 7, 6, 0);
  const [, eighth = 0, seventh = 0] = sequences;

  const removed = await prune();

  expect(KEEP_CHANGES_MS).toBe(7 * DAY);
  expect(removed).toBe(2);
  expect(await sequencesLeft()).toEqual(sequences.slice(2));
  expect(await readChanges(database, tenant, eighth - 1, 10)).toBeNull();
  expect((await readChanges(database, tenant, eighth, 10))?.changes[0]?.sequence).toBe(seventh);
  expect(await prune()).toBe(0);
});

test('keeps what is not in the graph database yet, whatever its age', async () => {
  const sequences = await log(30, 20, 10, 9);
  await database.query({
    text: 'update projection set projected = $2 where tenant = $1',
    values: [tenant, sequences[1]],
  });

  expect(await prune(true)).toBe(2);
  expect(await sequencesLeft()).toEqual(sequences.slice(2));
  expect(await prune(false)).toBe(2);
});

test('makes no hole where the clock of one process was late', async () => {
  const sequences = await log(10, 1, 10, 1);

  await prune();

  expect(await sequencesLeft()).toEqual(sequences.slice(1));
});

test('keeps the newest sequence when every change is gone', async () => {
  const sequences = await log(10, 10);
  const newest = sequences.at(-1) ?? 0;

  await prune();

  expect(await sequencesLeft()).toEqual([]);
  expect(await stores.changes.findNewest(tenant)).toBe(newest);
  expect(await readChanges(database, tenant, newest, 10)).toMatchObject({ changes: [] });
});

test('removes more than one statement takes, of every tenant', async () => {
  await log(...Array.from({ length: 10_001 }, () => 10), 1);
  const first = tenant;
  tenant = `${tenant}-other`;
  await log(10, 1);

  const [removed, again] = await Promise.all([prune(), prune()]);

  expect(removed + again).toBe(10_002);
  expect(await sequencesLeft()).toHaveLength(1);
  tenant = first;
  expect(await sequencesLeft()).toHaveLength(1);
});
