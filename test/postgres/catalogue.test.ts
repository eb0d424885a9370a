import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('begins every key and index of a tenant with the tenant, but for the graph over vectors and keys of callers', async () => {
  const rows = await database.query<{ index: string; first: string | null }>({
    text: `
      select i.indexrelid::regclass::text as index, a.attname as first
      from pg_index i
      join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
      left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where t.relname not in ('schema_migration', 'embedder')
      order by 1
    `,
  });

  expect(rows.length).toBeGreaterThan(15);
  expect(rows.filter(({ first }) => first !== 'tenant').map(({ index }) => index)).toEqual([
    // Who calls is not known yet.
    'api_key_pkey',
    'passage_embedding',
  ]);
});

test('gives every table of a tenant the tenant', async () => {
  const rows = await database.query<{ table: string }>({
    text: `
      select t.relname as table from pg_class t
      where t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
        and not exists (
          select from pg_attribute a
          where a.attrelid = t.oid and a.attname = 'tenant' and a.attnotnull)
      order by 1
    `,
  });

  expect(rows).toEqual([{ table: 'embedder' }, { table: 'schema_migration' }]);
});
