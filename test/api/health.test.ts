import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;

beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const get = (path: string) =>
  app.fetch(new Request(`http://localhost${path}`, { redirect: 'manual' }));

test('says that it lives, and whether each store answers', async () => {
  const live = await get('/health/live');

  expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
  const projection = { lag: { events: 0, seconds: 0 }, failures: 0, setbacks: 0 };
  const neo4j = { state: 'up', reason: null, isProjecting: true, projection };
  // The projector takes its turn some moments after the start.
  await vi.waitFor(async () => {
    const ready = await get('/health/ready');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({
      status: 'ok',
      postgres: 'up',
      neo4j: inject('profile') === 'embedded' ? null : neo4j,
    });
  }, 10_000);
});

test('leads the bare address to GraphiQL', async () => {
  const answer = await get('/');

  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/graphql']);
});

test('tells that it cannot answer once the record is gone', async () => {
  const other = await openTestApp();
  await other.database.close();

  const ready = await other.fetch(new Request('http://localhost/health/ready'));

  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: 'down', postgres: 'down' });
  await other.close();
});
