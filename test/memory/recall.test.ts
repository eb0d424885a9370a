import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_KINDS } from '../../src/memory/page.ts';
import { RANKING_PROFILES } from '../../src/memory/ranking-profiles.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf, recomputeScore } from '../support/recall.ts';
import { callerFor, seedEdges, seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

describe('input', () => {
  test.each([0, -1, 101, 1.5])('refuses the limit %d', async (limit) => {
    await expect(ask(stores, 'x', { limit })).rejects.toMatchObject({ field: 'limit' });
  });

  test.each([0, -5, Number.NaN])('refuses the token budget %d', async (tokenBudget) => {
    await expect(ask(stores, 'x', { tokenBudget })).rejects.toMatchObject({ field: 'tokenBudget' });
  });

  test('refuses an unknown ranking and names those that are known', async () => {
    await expect(ask(stores, 'x', { ranking: 'best' })).rejects.toThrow(
      'ranking: expected one of baseline, rrf, chain, dates, sessions, dialogue, contradictions, but got best.',
    );
  });
});

describe('order', () => {
  test('is the same a hundred times, ties by path', async () => {
    const { project, filter } = await newProject(stores);
    const pages = Object.fromEntries(
      ['d', 'b', 'e', 'a', 'c'].map((path) => [path, { title: 'same', body: 'an equal axolotl' }]),
    );
    await seedPages(stores, project, pages);
    const { view } = await callerFor(stores);
    const first = await ask(stores, 'axolotl', { filter, view });

    for (let i = 0; i < 99; i++) {
      expect(await ask(stores, 'axolotl', { filter, view })).toEqual(first);
    }
    expect(pathsOf(first)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(first.hits.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5]);
  });

  test('costs a number of statements that does not grow with the hits', async () => {
    const { project, filter } = await newProject(stores);
    const many = Array.from({ length: 60 }, (_, index) => [
      `p${index}`,
      `a heron [[p${index + 1}]]`,
    ]);
    await seedPages(stores, project, { ...Object.fromEntries(many), odd: 'a lone otter' });
    const count = async (text: string, limit: number) => {
      const before = database.statements;
      const { hits } = await ask(stores, text, { filter, limit });
      return { hits: hits.length, statements: database.statements - before };
    };

    const few = await count('otter', 1);
    const lots = await count('heron', 50);

    expect(few).toMatchObject({ hits: 1 });
    expect(lots).toMatchObject({ hits: 50 });
    // One more for the list of projects that the test itself reads.
    expect(few.statements).toBeLessThanOrEqual(11);
    expect(lots.statements).toBeLessThanOrEqual(few.statements + 1);
  });

  test('lets a hinted kind win among equals, and loses no page to a wrong hint', async () => {
    const { project, filter } = await newProject(stores);
    await seedPages(stores, project, {
      event: { kind: 'EVENT', title: 'same', body: 'a numbat' },
      note: { kind: 'NOTE', title: 'same', body: 'a numbat' },
    });

    const hinted = await ask(stores, 'numbat', { filter, typeHints: ['NOTE'] });
    const wrong = await ask(stores, 'numbat', { filter, typeHints: ['RULE'] });

    expect(pathsOf(hinted)).toEqual(['note', 'event']);
    expect(hinted.hits[0]?.explain.typeHint).toEqual({ matched: true, value: 0.02 });
    expect(pathsOf(wrong)).toEqual(['event', 'note']);
  });

  test('fits a token budget, of which a larger one gives more of the same', async () => {
    const { project, filter } = await newProject(stores);
    const pages = Array.from({ length: 8 }, (_, index) => [
      `p${index}`,
      `quoll ${'word '.repeat(20)}`,
    ]);
    await seedPages(stores, project, Object.fromEntries(pages));
    const all = pathsOf(await ask(stores, 'quoll', { filter }));

    const one = pathsOf(await ask(stores, 'quoll', { filter, tokenBudget: 1 }));
    const some = pathsOf(await ask(stores, 'quoll', { filter, tokenBudget: 100 }));

    expect(one).toEqual(all.slice(0, 1));
    expect(some.length).toBeGreaterThan(1);
    expect(some.length).toBeLessThan(8);
    expect(some).toEqual(all.slice(0, some.length));
  });
});

describe('explanation', () => {
  const WORDS = ['heron', 'otter', 'lynx', 'quokka', 'walrus', 'zebra', 'ibex'];

  test('gives every score back from itself alone', { timeout: 60_000 }, async () => {
    const { project, filter } = await newProject(stores);
    const pages = WORDS.flatMap((word, at) =>
      PAGE_KINDS.slice(0, 5).map((kind, index) => [
        `${['', '_lint/', 'investigations/'][index % 3]}${word}${index}`,
        {
          kind,
          body: `${word} ${WORDS[(at + index) % WORDS.length]}`,
          tags: [['pinned'], ['canonical'], ['historical'], ['test-fixture'], []][index] ?? [],
        },
      ]),
    );
    const ids: string[] = Object.values(
      await seedPages(stores, project, Object.fromEntries(pages)),
    );
    const kinds = ['CAUSES', 'FIXES', 'CONTRADICTS', 'SUPERSEDES', 'REFERENCES'] as const;
    await seedEdges(
      stores,
      ids
        .slice(3)
        .map((id, index) => [id, kinds[index % 5] ?? 'CAUSES', ids[index] ?? ''] as const),
    );

    await fc.assert(
      fc.asyncProperty(
        fc.subarray(WORDS, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...RANKING_PROFILES),
        fc.subarray([...PAGE_KINDS], { maxLength: 3 }),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (words, { name: ranking }, typeHints, limit, includeSuperseded) => {
          const { hits } = await ask(stores, words.join(' '), {
            filter,
            ranking,
            typeHints,
            limit,
            includeSuperseded,
          });

          expect(hits.map(({ score }) => score)).toEqual(
            hits.map(({ explain }) => recomputeScore(explain)),
          );
          expect(hits.map(({ score }) => score)).toEqual(
            hits.map(({ score }) => score).toSorted((a, b) => b - a),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test('says by which words, where, how near, and over which edge', async () => {
    const { project, filter } = await newProject(stores);
    const ids = await seedPages(stores, project, {
      leak: { title: 'Memory leak', body: 'The wombat cache grows.', hints: ['wombat trouble'] },
      remedy: { kind: 'FIX', title: 'Bound it', body: 'Evict the oldest entries.' },
    });
    await seedEdges(stores, [[ids.remedy, 'FIXES', ids.leak]]);

    const { hits, degraded } = await ask(stores, 'wombat leak', { filter });

    const leak = hits.find(({ page }) => page.path === 'leak');
    const remedy = hits.find(({ page }) => page.path === 'remedy');
    expect(degraded).toEqual([]);
    expect(leak?.passage).toMatchObject({ text: 'The wombat cache grows.', start: 0 });
    expect(leak?.explain).toMatchObject({
      keyword: { rank: 1, terms: ['wombat', 'leak'], matchedIn: ['TITLE', 'BODY', 'HINT'] },
      dense: { rank: 1 },
      fusion: { method: 'CONVEX' },
      confidence: { evidenceCount: 0, distinctSessions: 0, inRanking: false },
    });
    expect(remedy?.explain).toMatchObject({
      keyword: null,
      graphVia: [{ edge: 'FIXES', direction: 'IN', fromId: ids.leak, depth: 1 }],
      authority: { factors: [{ name: 'KIND', multiplier: 0.12 }] },
    });
  });

  test('finds a page by its newest hints, and by earlier ones no more', async () => {
    const { project, filter } = await newProject(stores);
    const body = 'The same words.';
    await seedPages(stores, project, { same: { body, hints: ['quoll'], tags: ['old'] } });
    await seedPages(stores, project, { same: { body, hints: ['dunnart'], tags: ['new'] } });

    const [earlier, newest] = await Promise.all([
      ask(stores, 'quoll', { filter }),
      ask(stores, 'dunnart', { filter }),
    ]);

    expect(earlier.hits.map(({ explain }) => explain.keyword)).toEqual([null]);
    expect(newest.hits[0]?.explain.keyword).toMatchObject({ matchedIn: ['HINT'] });
    expect(newest.hits[0]?.page.tags).toEqual(['new']);
  });
});
