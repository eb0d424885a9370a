import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { KEEP_ANSWERS_MS, pruneIdempotencyKeys } from '../../src/postgres/prune-idempotency.ts';
import { openTestDatabase } from '../support/database.ts';
import { seedProject, write } from '../support/seed.ts';

const NOW = Date.UTC(2026, 0, 31);
const DAY = 24 * 60 * 60 * 1_000;
const OTHER = { ...LOCAL_PRINCIPAL, tenant: 'other' };

let database: Database;
let stores: Stores;
let notes: Project;
let now = NOW;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

/** Writes a page with a key, so many days ago. */
async function writeAgo(days: number, { id: projectId } = notes, principal = LOCAL_PRINCIPAL) {
  now = NOW - days * DAY;
  const idempotencyKey = `${days} days ago`;
  const pages = [{ projectId, path: `p/${days}`, title: 'a page' }];
  const { result } = await write(stores, { pages, idempotencyKey }, principal);
  return result[0]?.outcome;
}

test('answers a retry for seven days, and takes one that comes later for a new request', async () => {
  const ops = await seedProject(stores, 'ops', OTHER);
  for (const days of [8, 6, 0]) await writeAgo(days);
  await writeAgo(9, ops, OTHER);

  const removed = await pruneIdempotencyKeys(database, { now: NOW });

  expect(KEEP_ANSWERS_MS).toBe(7 * DAY);
  expect(removed).toBe(2);
  expect(await writeAgo(8)).toBe('RECONSOLIDATED');
  expect(await writeAgo(6)).toBe('CREATED');
  expect(await pruneIdempotencyKeys(database, { now: NOW })).toBe(1);
});

test('removes more than one statement takes, also when two processes do it at once', async () => {
  await database.query({
    text: `
      insert into idempotency_key
        (tenant, principal, key, operation, request_sha256, answer, created_at)
      select $1, 'me', i::text, 'writePages', '', 'null', $2 from generate_series(1, 2500) as i`,
    values: [LOCAL_PRINCIPAL.tenant, NOW - 10 * DAY],
  });

  const removed = await Promise.all([
    pruneIdempotencyKeys(database, { now: NOW }),
    pruneIdempotencyKeys(database, { now: NOW }),
  ]);

  expect(removed[0] + removed[1]).toBe(2500);
});
