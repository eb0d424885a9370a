import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStores } from '../../src/open-stores.ts';
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
