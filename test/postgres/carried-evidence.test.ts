import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedProject, write } from '../support/seed.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR = 3_600_000;

let database: Database;
let now = START;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

test('evidence outlives an extended version, and speaks for no content that replaced its own', async () => {
  const stores = createStores(database, () => now);
  const project = await seedProject(stores, 'carried');
  const say = async (body: string) => {
    now += HOUR;
    const page = { projectId: project.id, path: 'port', title: 'Port', body };
    const { result } = await write(stores, { pages: [page] });
    return result[0]?.pageId ?? '';
  };
  const id = await say('It is 8080.');
  await say('It is 8080.');
  const read = async (recordedAt: number | null) => {
    const { view } = await callerFor(stores);
    const asOf = recordedAt === null ? null : { validAt: null, recordedAt };
    const [summary] = await stores.pages.evidence({ ...view, asOf }, [id]);
    return summary && { count: summary.count, since: summary.countsSince };
  };

  await say('It is 8080.\nAlso behind the proxy.');
  const extended = await read(null);
  await say('It is 9090.');
  const replacedAt = now;
  const replaced = await read(null);
  await say('It is 9090.');
  const seenAgain = await read(null);

  expect(extended).toEqual({ count: 1, since: null });
  expect(replaced).toEqual({ count: 0, since: replacedAt });
  expect(seenAgain).toEqual({ count: 1, since: replacedAt });
  expect(await read(replacedAt - 1)).toEqual({ count: 1, since: null });
  expect(await read(replacedAt)).toEqual({ count: 0, since: replacedAt });
});
