import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';
import { rebuildVectorIndex, tidyTables } from '../../src/postgres/embedded/upkeep.ts';
import { withUpkeep } from '../../src/postgres/upkeep.ts';
import { seedPages, seedProject } from '../support/seed.ts';

let database: Database;
beforeAll(async () => {
  const dump = await readFile(inject('migratedDump'));
  const embedded = await openEmbedded({ dataFolder: null, loadFrom: new Uint8Array(dump) });
  database = withUpkeep(embedded, tidyTables);
});
afterAll(() => database.close());

/** Rows that no one can see any more, and the size of the table in bytes. */
async function measure(table: string): Promise<{ dead: number; bytes: number }> {
  await database.query({ text: 'select pg_stat_force_next_flush()' });
  const [row] = await database.query<{ dead: number; bytes: number }>({
    text: `
      select n_dead_tup as dead, pg_relation_size(relid) as bytes
      from pg_stat_user_tables where relname = $1`,
    values: [table],
  });
  if (row === undefined) throw new Error(`There is no table ${table}.`);
  return row;
}

/** Replaces 300 rows in one transaction, so many times. */
async function replaceRows(times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await database.transaction('WRITE', async (connection) => {
      await connection.query({ text: `delete from waiting_edge where tenant = 'worn'` });
      await connection.query({
        text: `
          insert into waiting_edge (tenant, from_project, from_path, to_project, to_path, kind,
            in_body, asserted, note, valid_from, valid_to)
          select 'worn', 'p', i::text, 'p', $1::text, 'CAUSES', true, false, repeat('n', 200), 0, 1
          from generate_series(1, 300) as i`,
        values: [time],
      });
    });
  }
}

test('a table whose rows are replaced over and over keeps few dead ones, and its size', async () => {
  await replaceRows(40);
  const early = await measure('waiting_edge');

  await replaceRows(80);

  const late = await measure('waiting_edge');
  // 36,000 rows were replaced; what is left is what came since the last look, and what is not worth one.
  expect(late.dead).toBeLessThan(500 + 9 * 300);
  expect(late.bytes).toBeLessThan(early.bytes * 1.3);
});

test('passages that are replaced over and over keep their room, and their graph is made anew', async () => {
  const stores = createStores(database);
  const notes = await seedProject(stores, 'notes', LOCAL_PRINCIPAL);
  const ids = await seedPages(stores, notes, { a: 'the harbour at dawn' });
  const replace = async (times: number) => {
    for (let time = 0; time < times; time++) {
      await database.transaction('WRITE', async (connection) => {
        await connection.query({ text: 'delete from passage where ordinal > 0' });
        await connection.query({
          text: `
            insert into passage
            select tenant, page_id, i, project_id, 0, 1, model, embedding
            from passage, generate_series(1, 100) as i where page_id = $1 and ordinal = 0`,
          values: [ids.a],
        });
      });
    }
  };
  await replace(20);
  const early = await measure('passage');

  await replace(40);

  const late = await measure('passage');
  expect(late.bytes).toBeLessThan(early.bytes * 1.3);
  const graph = await database.query<{ bytes: number }>({
    text: `select pg_relation_size('passage_embedding') as bytes`,
  });
  expect(await rebuildVectorIndex(database)).toBe(true);
  const again = await database.query<{ bytes: number }>({
    text: `select pg_relation_size('passage_embedding') as bytes`,
  });
  expect(again[0]?.bytes).toBeLessThan((graph[0]?.bytes ?? 0) / 4);
  expect(await rebuildVectorIndex(database)).toBe(false);
});
