import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveFeedback } from '../../src/memory/give-feedback.ts';
import { recordObservation } from '../../src/memory/record-observation.ts';
import { startSession } from '../../src/memory/start-session.ts';
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

test('evidence speaks for the version that it saw, though the clock is behind that', async () => {
  const stores = createStores(database, () => now);
  const project = await seedProject(stores, 'skewed');
  const page = { projectId: project.id, path: 'port', title: 'Port' };
  const say = async (body: string) => write(stores, { pages: [{ ...page, body }] });
  now += HOUR;
  await say('It is 8080.');
  // Another process, whose clock is an hour behind, replaces it: recorded a moment after what it replaced.
  now -= HOUR;
  const { result } = await say('It is 9090.');
  const id = result[0]?.pageId ?? '';
  const caller = await callerFor(stores);
  const count = async () => (await stores.pages.evidence(caller.view, [id]))[0];
  expect(await count()).toMatchObject({ count: 0, countsSince: now + HOUR + 1 });

  await say('It is 9090.');
  await giveFeedback(stores, caller, { pageId: id, verdict: 'USEFUL' });
  const sessionId = await startSession(stores, caller, {
    projectId: project.id,
    agent: 'claude',
    task: 'Look at the port',
  });
  await recordObservation(stores, caller, { sessionId, text: 'It is.', about: [{ id }] });

  expect(await count()).toMatchObject({ count: 3 });
  now += HOUR;
});

test('a session that speaks for each rewrite of a page is tallied once', async () => {
  const stores = createStores(database, () => now);
  const project = await seedProject(stores, 'tallied');
  const caller = await callerFor(stores);
  const sessionId = await startSession(stores, caller, {
    projectId: project.id,
    agent: 'claude',
    task: 'Rewrite the rule',
  });
  for (const body of ['Be quick.', 'Be careful.', 'Be both.']) {
    now += HOUR;
    const page = { projectId: project.id, path: 'rule', title: 'Rule', body };
    await write(stores, { pages: [page], sessionId });
  }

  const tally = await database.query({
    text: 'select sessions, pieces from evidence_tally where project_id = $1',
    values: [project.id],
  });

  expect(tally).toEqual([{ sessions: 1, pieces: 3 }]);
});
