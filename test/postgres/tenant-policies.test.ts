import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { seedPages, seedProject } from '../support/seed.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
  const stores = createStores(database);
  for (const tenant of ['ours', 'theirs']) {
    const principal = { ...LOCAL_PRINCIPAL, tenant };
    const notes = await seedProject(stores, 'notes', principal);
    await seedPages(stores, notes, { a: 'Words of [[b]].', b: 'More.' }, principal);
  }
});
afterAll(() => database.close());

const ALL_TABLES = `
  select n.nspname as schema, t.relname as name, t.relrowsecurity as is_on,
    exists (select from pg_policy p where p.polrelid = t.oid) as has_policy
  from pg_class t join pg_namespace n on n.oid = t.relnamespace
  where t.relkind in ('r', 'p', 'f', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
    and n.nspname !~ '^pg_(toast|temp)'
  order by 1, 2`;

test('every table of every schema is under a policy', async () => {
  const tables = await database.query<{
    schema: string;
    name: string;
    is_on: boolean;
    has_policy: boolean;
  }>({ text: ALL_TABLES });

  const bare = tables.filter(({ is_on, has_policy }) => !(is_on && has_policy));
  expect(bare.map(({ schema, name }) => `${schema}.${name}`)).toEqual([]);
  expect(tables.length).toBeGreaterThan(20);
});

test('what cuts is the tenant alone, in reads and in writes, but for what is of the whole store', async () => {
  const policies = await database.query<{ name: string; read: string; written: string | null }>({
    text: `
      select polrelid::regclass::text as name, pg_get_expr(polqual, polrelid) as read,
        pg_get_expr(polwithcheck, polrelid) as written
      from pg_policy where polname <> 'tenant_alone' or pg_get_expr(polqual, polrelid)
        <> '(tenant = current_setting(''causeway.tenant''::text, true))'
        or pg_get_expr(polwithcheck, polrelid) is distinct from pg_get_expr(polqual, polrelid)
      order by 1`,
  });

  expect(policies).toEqual([
    { name: 'embedder', read: 'true', written: null },
    { name: 'schema_migration', read: 'true', written: null },
  ]);
});

test('the role of tenants bypasses nothing, owns nothing, and can not sign in', async () => {
  const [role] = await database.query({
    text: `
      select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb,
        (select count(*) from pg_class where relowner = r.oid) as owned
      from pg_roles r where rolname = 'causeway_tenant'`,
  });

  expect(role).toEqual({
    rolsuper: false,
    rolbypassrls: false,
    rolcanlogin: false,
    rolcreaterole: false,
    rolcreatedb: false,
    owned: 0,
  });
});

test('views that it may read cut at the same setting', async () => {
  const views = await database.query<{ name: string; text: string }>({
    text: `
      select viewname as name, definition as text from pg_views
      where has_table_privilege('causeway_tenant', format('%I.%I', schemaname, viewname), 'select')
        and schemaname not in ('pg_catalog', 'information_schema')
      order by 1`,
  });

  expect(views.map(({ name }) => name)).toEqual(['idempotency_key_of_tenant', 'page_of_tenant']);
  for (const { text } of views) {
    expect(text).toMatch(/WHERE \(tenant = current_setting\('causeway\.tenant'::text, true\)\);$/u);
  }
});

const alone = (tenant: string, text: string) => database.ofTenant(tenant).query({ text });
const inTransaction = (tenant: string, text: string) =>
  database.ofTenant(tenant).transaction('WRITE', (connection) => connection.query({ text }));

describe.each([
  ['alone', alone],
  ['in a transaction', inTransaction],
])('a statement %s that names no tenant', (_how, run) => {
  test('sees the rows of its own tenant, in every table', async () => {
    const all = await database.query<{ name: string }>({
      text: `select relname as name from pg_class t join pg_attribute a on a.attrelid = t.oid
        where a.attname = 'tenant' and t.relkind in ('r', 'v') and t.relname <> 'api_key'
          and t.relnamespace = 'public'::regnamespace`,
    });
    const texts = all.map(({ name }) => `select '${name}' as name, tenant from ${name}`);
    const union = texts.join(' union ');

    expect(await database.query({ text: `select count(distinct tenant) as n from page` })).toEqual([
      { n: 2 },
    ]);
    const seen = await run('ours', union);
    expect(new Set(seen.map((row) => 'tenant' in row && row.tenant))).toEqual(new Set(['ours']));
    expect(seen.length).toBeGreaterThan(5);
    expect(await run('nobody', union)).toEqual([]);
  });

  test('changes no row of another', async () => {
    await run('ours', `update page set title = 'Ours' where true`);
    const removed = await run('nobody', 'delete from page returning id');

    const titles = await database.query({
      text: `select tenant, min(title) = 'Ours' as ours, count(*) as n from page group by 1 order by 1`,
    });
    expect(removed).toEqual([]);
    expect(titles).toEqual([
      { tenant: 'ours', ours: true, n: 2 },
      { tenant: 'theirs', ours: false, n: 2 },
    ]);
  });

  test('can not write a row for another', async () => {
    const writing = run(
      'ours',
      `insert into project (tenant, id, name, description, created_at)
       values ('theirs', gen_random_uuid(), 'planted', '', 0)`,
    );

    await expect(writing).rejects.toMatchObject({ code: '42501' });
  });

  test('can not read keys of callers, not even its own', async () => {
    await expect(run('ours', 'select * from api_key')).rejects.toMatchObject({ code: '42501' });
  });
});

test('without any tenant the role sees nothing', async () => {
  const seen = await database.transaction('WRITE', async (connection) => {
    await connection.query({ text: 'set local role causeway_tenant' });
    return connection.query({
      text: 'select id from page union all select id from page_of_tenant',
    });
  });

  expect(seen).toEqual([]);
});

test('a tenant and its role are gone after each statement and transaction, also after a failed one', async () => {
  const who = `select current_user <> 'causeway_tenant' as is_operator,
    coalesce(current_setting('causeway.tenant', true), '') as tenant`;
  await database.ofTenant('ours').query({ text: 'select 1' });
  await database
    .ofTenant('ours')
    .query({ text: 'select 1 / 0' })
    .catch(() => undefined);
  await database
    .ofTenant('ours')
    .transaction('WRITE', (connection) => connection.query({ text: 'select 1' }));

  // Every connection of the pool is asked.
  const after = await Promise.all(Array.from({ length: 10 }, () => database.query({ text: who })));

  for (const rows of after) expect(rows).toEqual([{ is_operator: true, tenant: '' }]);
});

test.each(["o'hara", 'back\\slash', '"; drop table page; --', "'; reset role; --", 'été 東京'])(
  'a tenant named %s is taken as it is',
  async (tenant) => {
    const text = `select current_setting('causeway.tenant') as tenant, current_user as role`;

    const expected = [{ tenant, role: 'causeway_tenant' }];
    expect(await alone(tenant, text)).toEqual(expected);
    expect(await inTransaction(tenant, text)).toEqual(expected);
  },
);
