import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf } from '../support/recall.ts';
import { callerFor, seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;

const START = Date.parse('2026-03-01T00:00:00Z');
const DAY = 86_400_000;
let now = START;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
});
afterEach(() => vi.useRealTimers());
afterAll(() => database.close());

const away = (store: string) => new StoreUnavailableError(store, null);

describe('arms that take no part', () => {
  test('are named for a read of the past, which finds what was there', async () => {
    const { project, filter } = await newProject(stores);
    now = START;
    await seedPages(stores, project, { page: 'the numbat lives' });
    now = START + 2 * DAY;
    await seedPages(stores, project, { page: 'something else' });
    const { view } = await callerFor(stores);
    const asOf = { validAt: null, recordedAt: START + DAY };

    const { hits, degraded } = await ask(stores, 'numbat', { filter, view: { ...view, asOf } });

    expect(degraded).toEqual([{ arm: 'DENSE', reason: 'HISTORICAL' }]);
    expect(hits.map(({ page }) => [page.version, page.body])).toEqual([[1, 'the numbat lives']]);
    expect(hits[0]?.explain.dense).toBeNull();
  });

  test.each([
    ['the encoder', { embedder: { embed: () => Promise.reject(away('encoder')) } }, 'DENSE'],
    ['the graph', { graph: { listEdges: () => Promise.reject(away('neo4j')) } }, 'GRAPH'],
  ] as const)('are left out when %s does not answer', async (_what, broken, arm) => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, { page: 'a cassowary' });
    const partly = {
      ...stores,
      embedder: { ...stores.embedder, ...('embedder' in broken ? broken.embedder : {}) },
      graph: { ...stores.graph, ...('graph' in broken ? broken.graph : {}) },
    };

    const answer = await ask(partly, 'cassowary', { filter });

    expect(answer.degraded).toEqual([{ arm, reason: 'FAILED' }]);
    expect(pathsOf(answer)).toEqual(['page']);
  });

  test('are left out when the search by meaning fails half way', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, { page: 'a cassowary' });
    const failing: Stores = {
      ...stores,
      recall: {
        ...stores.recall,
        session: (view, work) =>
          stores.recall.session(view, (session) =>
            work({
              ...session,
              searchByVector: () => Promise.reject(new StoreUnavailableError('postgres', null)),
            }),
          ),
      },
    };

    const answer = await ask(failing, 'cassowary', { filter });

    expect(answer.degraded).toEqual([{ arm: 'DENSE', reason: 'FAILED' }]);
    expect(pathsOf(answer)).toEqual(['page']);
  });

  test('are left out when they are late', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, { page: 'a cassowary' });
    const { view } = await callerFor(stores);
    const embed = () => new Promise<never>(() => undefined);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    const late = ask({ ...stores, embedder: { ...stores.embedder, embed } }, 'cassowary', {
      filter,
      view,
    });
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();

    const answer = await late;
    expect(answer.degraded).toEqual([{ arm: 'DENSE', reason: 'FAILED' }]);
    expect(pathsOf(answer)).toEqual(['page']);
  });

  test('are left out when the search by meaning is late', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, { page: 'a cassowary' });
    const { view } = await callerFor(stores);
    const asked = Promise.withResolvers<void>();
    const givenUp = Promise.withResolvers<never>();
    const ended = Promise.withResolvers<void>();
    const late: Stores = {
      ...stores,
      recall: {
        ...stores.recall,
        session: (given, work) =>
          stores.recall
            .session(given, async (session) => {
              const byWords = await session.searchByKeywords({
                filter,
                window: 20,
                terms: ['cassowari'],
              });
              return { session, byWords };
            })
            .then(({ session, byWords }) =>
              work({
                ...session,
                searchByKeywords: () => Promise.resolve(byWords),
                searchByVector: () => {
                  asked.resolve();
                  return givenUp.promise;
                },
              }),
            )
            .finally(ended.resolve),
      },
    };
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

    const answering = ask(late, 'cassowary', { filter, view });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    const answer = await answering;

    expect(answer.degraded).toEqual([{ arm: 'DENSE', reason: 'FAILED' }]);
    expect(pathsOf(answer)).toEqual(['page']);
    // What the store says in the end is nobody's business any more.
    givenUp.reject(away('postgres'));
    await ended.promise;
  });

  test('fail the query when it is the words', async () => {
    const session = () => Promise.reject(new StoreUnavailableError('postgres', null));

    await expect(
      ask({ ...stores, recall: { ...stores.recall, session } }, 'cassowary'),
    ).rejects.toThrow(StoreUnavailableError);
  });
});
