import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSession } from '../../src/memory/start-session.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf } from '../support/recall.ts';
import { callerFor, write } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

/** Turns of a dialogue, in their order; what answers a question has no word of it. */
const TURNS = {
  greeting: 'Hello there.',
  question: 'Where does the gateway keep its certificates?',
  answer: 'Under the vault mount, rotated by the operator.',
  later: 'Lunch was good.',
};

async function newDialogue(isSession: boolean) {
  const { project, filter } = await newProject(stores);
  const caller = await callerFor(stores);
  const request = { projectId: project.id, agent: 'test', task: 'talk' };
  const sessionId = isSession ? await startSession(stores, caller, request) : null;
  for (const [path, body] of Object.entries(TURNS)) {
    const page = { projectId: project.id, path, title: 'Turn', body };
    await write(stores, { pages: [page], sessionId });
  }
  return filter;
}

const QUESTION = 'gateway certificates';

test('a page lends a part of its score to those near it in the session, less with the distance', async () => {
  const filter = await newDialogue(true);

  const { hits } = await ask(stores, QUESTION, { filter, ranking: 'sessions' });

  expect(hits[0]?.page.path).toBe('question');
  const answer = hits.find(({ page }) => page.path === 'answer');
  expect(answer?.explain.graphVia).toContainEqual({
    edge: 'FOLLOWS',
    direction: 'IN',
    fromId: hits[0]?.page.id,
    depth: 1,
    path: [],
  });
  const lent = answer?.explain.fusion.contributions.find(({ arm }) => arm === 'GRAPH');
  expect((lent?.weight ?? 0) * (lent?.value ?? 0)).toBeCloseTo(
    0.8 *
      (hits[0]?.explain.fusion.contributions ?? [])
        .filter(({ arm }) => arm !== 'GRAPH')
        .reduce((sum, { weight, value }) => sum + weight * value, 0),
    12,
  );
});

test('the way from a later page to the one before it is told as such', async () => {
  const filter = await newDialogue(true);

  const { hits } = await ask(stores, QUESTION, { filter, ranking: 'sessions' });
  const greeting = hits.find(({ page }) => page.path === 'greeting');

  expect(greeting?.explain.graphVia[0]).toMatchObject({ edge: 'FOLLOWS', direction: 'OUT' });
});

test('costs one statement more where the arms found the neighbours too, and nothing where the ranking leaves sessions out', async () => {
  const filter = await newDialogue(true);
  const plain = await newDialogue(false);
  const count = async (ranking: string) => {
    const before = database.statements;
    await ask(stores, QUESTION, { filter, ranking });
    return database.statements - before;
  };
  const scoresOf = async (of: object, ranking: string) => {
    const { hits } = await ask(stores, QUESTION, { filter: of, ranking });
    return hits.map(({ page, score }) => [page.path, score]);
  };

  expect((await count('sessions')) - (await count('baseline'))).toBe(1);
  expect(await scoresOf(filter, 'baseline')).toEqual(await scoresOf(plain, 'baseline'));
  expect(await scoresOf(plain, 'sessions')).toEqual(await scoresOf(plain, 'baseline'));
});

test('a neighbour that a filter does not let through stays out', async () => {
  const filter = await newDialogue(true);

  const found = await ask(stores, QUESTION, {
    filter: { ...filter, pathPrefix: 'question' },
    ranking: 'sessions',
  });

  expect(pathsOf(found)).toEqual(['question']);
});

test('a read of the past has no neighbours', async () => {
  const filter = await newDialogue(true);
  const { view } = await callerFor(stores);
  const past = { ...view, asOf: { validAt: null, recordedAt: view.now } };

  const { hits } = await ask(stores, QUESTION, { filter, view: past, ranking: 'sessions' });

  expect(hits.flatMap(({ explain }) => explain.graphVia)).toEqual([]);
});

test('a turn that asks stands below one that tells the same, where the ranking is for dialogue', async () => {
  const { project, filter } = await newProject(stores);
  const { view } = await callerFor(stores);
  for (const [path, body] of [
    ['asks', 'Did the gateway rotate certificates?'],
    ['long', `Did the gateway rotate certificates? ${'It is in the vault. '.repeat(60)}Is it?`],
    ['tells', 'The gateway did rotate certificates.'],
  ] as const) {
    await write(stores, { pages: [{ projectId: project.id, path, title: 'Turn', body }] });
  }
  const askedOf = async (ranking: string, past = false) => {
    const asOf = past ? { validAt: null, recordedAt: Date.now() } : null;
    const { hits } = await ask(stores, 'gateway rotate certificates', {
      ...{ filter, ranking, view: { ...view, asOf } },
    });
    return hits.flatMap(({ page, explain }) =>
      explain.authority.factors.some(({ name }) => name === 'ASKS') ? [page.path] : [],
    );
  };

  expect(await askedOf('dialogue')).toEqual(['asks']);
  expect(await askedOf('dialogue', true)).toEqual(['asks']);
  expect(await askedOf('baseline')).toEqual([]);
});
