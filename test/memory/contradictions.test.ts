import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Resolution } from '../../src/memory/edge.ts';
import type { RecallHit } from '../../src/memory/explain-hits.ts';
import { resolveContradiction } from '../../src/memory/resolve-contradiction.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, recomputeScore } from '../support/recall.ts';
import { callerFor, type SeedPage, seedEdges, seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;
let now = Date.parse('2026-03-01T00:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
});
afterAll(() => database.close());

const QUESTION = 'heap budget of the indexer';

/** The challenged says all words of the question, the challenger few: by score alone it comes first. */
const PAGES = {
  claim: { title: 'Heap budget of the indexer', body: 'The heap budget of the indexer is 2 GB.' },
  doubt: 'The indexer ran out at 2 GB.',
  other: 'The heap of the gateway.',
} satisfies Record<string, SeedPage>;

/** A project of its own with the pages, and a contradiction of `claim` by `doubt`. */
async function seed(pages: Record<keyof typeof PAGES, SeedPage> = PAGES) {
  const { project, filter } = await newProject(stores);
  const ids = await seedPages(stores, project, pages);
  const [edgeId = ''] = await seedEdges(stores, [[ids.doubt, 'CONTRADICTS', ids.claim]]);
  now += 1_000;
  const hits = async (ranking = 'contradictions'): Promise<Map<string, RecallHit>> => {
    const found = await ask(stores, QUESTION, { filter, ranking, includeSuperseded: true });
    return new Map(found.hits.map((hit) => [hit.page.path, hit]));
  };
  const settle = async (outcome: Resolution) => {
    await resolveContradiction(stores, await callerFor(stores), { edgeId, outcome });
    now += 1_000;
  };
  return { project, ids, hits, settle, filter };
}

const capsOf = (hits: ReadonlyMap<string, RecallHit>) =>
  Object.fromEntries(
    [...hits].map(([path, hit]) => [path, hit.explain.authority.cap?.name ?? null]),
  );

test('the challenged is capped, stands just below its challenger, and explain names both', async () => {
  const { ids, hits } = await seed();

  const found = await hits();

  expect([...found.keys()].slice(0, 2)).toEqual(['doubt', 'claim']);
  const claim = found.get('claim');
  const doubt = found.get('doubt');
  expect(claim?.explain.authority.cap).toEqual({
    ...{ name: 'CONTRADICTED', limit: 0.65, by: [ids.doubt] },
  });
  expect(claim?.explain.authority.value).toBe(0.65);
  expect(claim?.explain.heldBelow).toEqual({ pageId: ids.doubt, score: doubt?.score });
  expect(claim?.score).toBeLessThan(doubt?.score ?? 0);
  for (const hit of found.values()) expect(recomputeScore(hit.explain)).toBe(hit.score);
});

test('only the two pages of the edge are concerned, whatever else was recorded at that instant', async () => {
  const { hits } = await seed();

  const without = await hits('baseline');
  const found = await hits();

  expect(capsOf(found)).toEqual({ doubt: null, claim: 'CONTRADICTED', other: null });
  expect(found.get('other')?.score).toBe(without.get('other')?.score);
  expect(found.get('doubt')?.score).toBe(without.get('doubt')?.score);
});

test('upheld, the challenged stays capped and below', async () => {
  const { hits, settle } = await seed();

  await settle('UPHELD');

  const found = await hits();
  expect([...found.keys()].slice(0, 2)).toEqual(['doubt', 'claim']);
  expect(capsOf(found)).toMatchObject({ claim: 'CONTRADICTED' });
});

describe.each(['DISMISSED', 'RECONCILED'] as const)('%s', (outcome) => {
  test('lifts the cap and the order, and reopening brings both back', async () => {
    const { hits, settle } = await seed();
    const plain = await hits('baseline');

    await settle(outcome);
    const settled = await hits();
    await settle('UNRESOLVED');
    const reopened = await hits();

    expect(scoresOf(settled)).toEqual(scoresOf(plain));
    expect([...settled.keys()][0]).toBe('claim');
    expect([...reopened.keys()].slice(0, 2)).toEqual(['doubt', 'claim']);
    expect(capsOf(reopened)).toMatchObject({ claim: 'CONTRADICTED' });
  });
});

test('pages that challenge each other are both capped, and neither is ordered by it', async () => {
  const { ids, hits } = await seed();
  await seedEdges(stores, [[ids.claim, 'CONTRADICTS', ids.doubt]]);

  const found = await hits();

  expect(capsOf(found)).toEqual({ claim: 'CONTRADICTED', doubt: 'CONTRADICTED', other: null });
  expect([found.get('claim'), found.get('doubt')].map((hit) => hit?.explain.heldBelow)).toEqual([
    null,
    null,
  ]);
  expect(found.get('claim')?.score).toBeGreaterThan(found.get('doubt')?.score ?? 0);
});

test.each<[string, (seeded: Awaited<ReturnType<typeof seed>>) => Promise<unknown>]>([
  [
    'superseded',
    ({ project }) => seedPages(stores, project, { next: '- supersedes [[doubt]]\n\nAll is well.' }),
  ],
  [
    'archived',
    ({ project }) => seedPages(stores, project, { doubt: { body: PAGES.doubt, archived: true } }),
  ],
  [
    'expired',
    ({ project }) =>
      seedPages(stores, project, {
        doubt: { body: PAGES.doubt, validTo: '2020-01-01T00:00:00Z' },
      }),
  ],
])('a challenger that is %s lifts the cap', async (_state, retire) => {
  const seeded = await seed();

  await retire(seeded);

  const found = await seeded.hits();
  expect(found.get('claim')?.explain.authority.cap).toBeNull();
  expect(found.get('claim')?.explain.heldBelow).toBeNull();
  expect(found.get('claim')?.explain.confidence.unresolvedContradictions).toBe(0);
});

test('a challenger that the caller may not read neither caps nor is named', async () => {
  const { filter } = await seed({
    ...PAGES,
    doubt: { body: PAGES.doubt, sensitivity: 'RESTRICTED' },
  });
  const { view } = await callerFor(stores);

  const { hits } = await ask(stores, QUESTION, {
    ...{ filter, ranking: 'contradictions', view: { ...view, clearance: 1 } },
  });

  expect(hits.map(({ page, explain }) => [page.path, explain.authority.cap])).toEqual([
    ['claim', null],
    ['other', null],
  ]);
});

test('where the profile leaves contradictions out, a contradiction changes nothing, byte for byte', async () => {
  const { filter, ids, settle } = await seed();
  /** Without confidence and the edge itself, which tell of the state whatever the ranking. */
  const answer = async () => {
    const { hits, ...rest } = await ask(stores, QUESTION, { filter, ranking: 'baseline' });
    const ranked = hits.map(({ page, explain: { confidence, graphVia, ...explain }, ...hit }) => ({
      ...{ id: page.id, hit, explain, ways: graphVia.map(({ path: _path, ...way }) => way) },
    }));
    return JSON.stringify({ ...rest, ranked });
  };
  // Settled as dismissed it says nothing; all that differs afterwards is the contradiction itself.
  await settle('DISMISSED');
  const before = await answer();

  await settle('UNRESOLVED');
  const during = await answer();
  await settle('UPHELD');

  expect(during).toBe(before);
  expect(await answer()).toBe(before);
  expect(before).toContain(ids.claim);
});

test('a read of the past ranks by the states of then', async () => {
  const { filter, settle } = await seed();
  const open = now - 1;
  await settle('DISMISSED');
  const { view } = await callerFor(stores);
  const capAt = async (recordedAt: number) => {
    const { hits } = await ask(stores, QUESTION, {
      ...{ filter, ranking: 'contradictions' },
      view: { ...view, asOf: { validAt: null, recordedAt } },
    });
    return hits.find(({ page }) => page.path === 'claim')?.explain.authority.cap?.name ?? null;
  };

  expect(await capAt(open)).toBe('CONTRADICTED');
  expect(await capAt(now)).toBeNull();
});

function scoresOf(hits: ReadonlyMap<string, RecallHit>) {
  return [...hits].map(([path, { score }]) => [path, score]);
}
