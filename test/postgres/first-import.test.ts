import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { countGrownTables, withUpkeep } from '../../src/postgres/upkeep.ts';
import { openTestDatabase } from '../support/database.ts';
import { seedPages, seedProject } from '../support/seed.ts';

const BATCHES = 6;
const BATCH_SIZE = 400;

let database: Database;

beforeAll(async () => {
  database = withUpkeep(await openTestDatabase(), countGrownTables);
});

afterAll(() => database.close());

// Plans are kept, and on an empty table one by the tenant alone looks as good as one by the key.
test('reads as few pages for the last of a first import as for the first', async () => {
  const stores = createStores(database);
  const project = await seedProject(stores, 'imported');
  const writeBatch = (batch: number) => {
    const pages = Array.from({ length: BATCH_SIZE }, (_, at) => [
      `batch${batch}/page${at}`,
      at === 0 ? 'first' : `- causes [[batch${batch}/page${at - 1}]]`,
    ]);
    return seedPages(stores, project, Object.fromEntries(pages));
  };

  const read: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const before = await countRead();
    await writeBatch(batch);
    read.push((await countRead()) - before);
  }

  expect(read.at(-1)).toBeLessThanOrEqual(read[0] ?? 0);
});

/** Entries that were read in the indexes of pages, of all connections. */
async function countRead(): Promise<number> {
  await database.query({ text: 'select pg_stat_force_next_flush()' });
  const [row] = await database.query<{ read: number }>({
    text: `select sum(idx_tup_read)::int8 as read from pg_stat_user_indexes where relname = 'page'`,
  });
  return row?.read ?? Number.NaN;
}
