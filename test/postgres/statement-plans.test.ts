import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStores } from '../../src/open-stores.ts';
import { createChangeLog } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedEdges, seedPages, seedProject } from '../support/seed.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

/**
 * Statistics that know one tenant say of every other that it has nothing, and a plan made for such
 * a tenant reads all that it has by now once for each row of a write.
 */
test('plans writes and point reads for the average tenant, never for the one that asks', async () => {
  const stores = createStores(database);
  const project = await seedProject(stores, 'new');
  const bodies = { a: '- fixes [[b]] and [[gone]]', b: 'x' };
  const { a, b } = await seedPages(stores, project, bodies);
  await seedPages(stores, project, { ...bodies, a: 'see [[b]]' });
  await seedEdges(stores, [[a, 'CAUSES', b]]);
  const { view } = await callerFor(stores);
  for (const asOf of [null, { validAt: view.now, recordedAt: view.now }]) {
    await stores.pages.findMany({ ...view, asOf }, [a, b]);
    await stores.pages.findManyByKey({ ...view, asOf }, [{ projectId: project.id, path: 'a' }]);
    await stores.pages.evidence({ ...view, asOf }, [a, b]);
    await stores.pages.listVersions({ ...view, asOf }, [{ pageId: a, first: 5, before: null }]);
  }

  const prepared = await database.query<{ name: string; custom_plans: number }>({
    text: `select name, custom_plans from pg_prepared_statements where name <> '' order by name`,
  });

  expect(prepared.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['page_lock_many', 'edge_upsert', 'page_find_many_now']),
  );
  expect(prepared.filter(({ custom_plans }) => custom_plans > 0)).toEqual([]);
});

/** A backlog of 200,000 changes took 60 to 160 ms for each batch where it was sorted; walked, 0.2 ms. */
test('takes a batch of a long backlog by walking the key, whatever the statistics say', async () => {
  const fill = (tenant: string, count: number) =>
    database.query({
      text: `
        insert into outbox (tenant, subject, subject_id, change, recorded_at)
        select ${tenant}, 'EDGE', gen_random_uuid(), 'UPSERT', 0 from generate_series(1, ${count}) n`,
    });
  await fill(`'small-' || n % 400`, 2_000);
  await database.query({ text: 'analyze outbox' });
  // Newer than the statistics.
  await fill(`'large'`, 5_000);

  const batch = await createChangeLog(database).readChanges('large', 0, 1_000);

  expect(batch?.changes).toHaveLength(1_000);
  const [prepared] = await database.query<{ custom_plans: number }>({
    text: `select custom_plans from pg_prepared_statements where name = 'outbox_list_after'`,
  });
  expect(prepared?.custom_plans).toBe(0);
  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `explain (costs off) execute outbox_list_after('large', 0, 1000)`,
  });
  const steps = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(steps).toContain('Index Scan using outbox_pkey');
  expect(steps).not.toContain('Sort');
});

/** 500 observations took a minute and a half where their pages were joined the other way round. */
test('looks up what each observation is about by its key, whatever the statistics say', async () => {
  const stores = createStores(database);
  const project = await seedProject(stores, 'observed');
  const { view } = await callerFor(stores);
  const request = { sessionId: crypto.randomUUID(), first: 20, after: null };
  await stores.sessions.listObservations(view, [request]);

  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `explain (costs off) execute observation_list('local', '{${project.id}}', 3,
      '{${request.sessionId}}', '{20}', '{null}', '{null}')`,
  });

  const steps = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(steps).toContain('using observation_page_pkey');
  expect(steps).not.toMatch(/Anti Join|Hash|Seq Scan on (?:observation_page|page)\b/u);
});
