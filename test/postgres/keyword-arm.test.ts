import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keywordDocument } from '../../src/memory/indexed-text.ts';
import { PAGE_KINDS, type PageKind, SENSITIVITIES } from '../../src/memory/page.ts';
import type { PageFilter } from '../../src/memory/page-store.ts';
import type { KeywordHit } from '../../src/memory/recall-store.ts';
import type { Stores } from '../../src/memory/stores.ts';
import type { View } from '../../src/memory/view.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { PASS_LIMITS, searchByKeywords } from '../../src/postgres/keyword-arm.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedPages, seedProject, write } from '../support/seed.ts';

type Written = {
  readonly id: string;
  readonly projectId: string;
  readonly path: string;
  readonly kind: PageKind;
  readonly tags: readonly string[];
  readonly sensitivity: number;
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
};

/** The first are common, the last rare. No word is a form of another. */
const WORDS = [
  'fix net driver memory leak queue flow rule engine build doc test crash kernel vlan',
  'stack buffer timer mbuf quokka zebra walrus heron otter lynx',
]
  .join(' ')
  .split(' ');
const PROJECTS = ['one', 'two', 'three'];
const TAGS = ['pinned', 'historical'];

let database: Database;
let stores: Stores;
let view: View;
let pages: readonly Written[];

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
  pages = await writeRandomPages();
  ({ view } = await callerFor(stores));
});
afterAll(() => database.close());

const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
/** The square makes the first words common and the last rare. */
const word = fc
  .double({ min: 0, max: 0.999, noNaN: true })
  .map((at) => WORDS[Math.floor(at * at * WORDS.length)] ?? '');
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(' '));
const randomPage = fc.record({
  project: oneOf(PROJECTS),
  title: fc.tuple(word, word).map((words) => words.join(' ')),
  body: fc.oneof(text(2), text(4), text(40)),
  hints: fc.uniqueArray(
    fc.tuple(word, word).map((words) => words.join(' ')),
    { maxLength: 2 },
  ),
  kind: oneOf(PAGE_KINDS),
  tags: fc.subarray(TAGS),
  sensitivity: oneOf(SENSITIVITIES),
});

/** The same 400 pages in every run: many more than fit a window. */
async function writeRandomPages(): Promise<Written[]> {
  const projects = new Map<string, string>();
  for (const name of PROJECTS) projects.set(name, (await seedProject(stores, name)).id);
  const drawn = fc.sample(randomPage, { numRuns: 400, seed: 20_260_101 });
  const inputs = drawn.map(({ project, ...page }, index) => ({
    ...page,
    projectId: projects.get(project) ?? '',
    path: `page/${index}`,
  }));
  const { result } = await write(stores, { pages: inputs });
  return inputs.map((page, index) => {
    const { terms, length } = keywordDocument(page);
    const counts = [...terms].map(
      ([term, { title, body, hint }]) => [term, title + body + hint] as const,
    );
    return {
      ...page,
      id: result[index]?.pageId ?? '',
      sensitivity: SENSITIVITIES.indexOf(page.sensitivity),
      terms: new Map(counts),
      length,
    };
  });
}

/** BM25 as the books have it: every page of the scope counted, then every page that passes scored. */
function searchNaively(
  scope: View,
  filter: PageFilter,
  terms: readonly string[],
): { id: string; path: string; score: number }[] {
  const searched = pages.filter(
    ({ projectId, sensitivity }) =>
      scope.projectIds.includes(projectId) &&
      (filter.projectIds?.includes(projectId) ?? true) &&
      sensitivity <= scope.clearance,
  );
  const meanLength = searched.reduce((sum, { length }) => sum + length, 0) / searched.length;
  const scoreOf = (page: Written) =>
    terms.reduce((sum, term) => {
      const tf = page.terms.get(term) ?? 0;
      const df = searched.filter((each) => each.terms.has(term)).length;
      const idf = Math.log(1 + (searched.length - df + 0.5) / (df + 0.5));
      return sum + (idf * tf) / (tf + 0.9 * (0.6 + (0.4 * page.length) / meanLength));
    }, 0);
  return searched
    .filter((page) => passes(page, filter) && terms.some((term) => page.terms.has(term)))
    .map((page) => ({ id: page.id, path: page.path, score: scoreOf(page) }))
    .sort((a, b) => b.score - a.score);
}

function passes({ id, kind, tags, sensitivity }: Written, filter: PageFilter): boolean {
  return (
    (filter.kinds?.includes(kind) ?? true) &&
    (filter.tags?.every((tag) => tags.includes(tag)) ?? true) &&
    sensitivity <= (filter.sensitivityCeiling ?? 3) &&
    !(filter.excludeIds?.includes(id) ?? false)
  );
}

const query = fc.record({
  terms: fc
    .uniqueArray(word, { minLength: 1, maxLength: 9 })
    .map((words) => [
      ...keywordDocument({ title: words.join(' '), body: '', hints: [] }).terms.keys(),
    ]),
  projects: fc.subarray([0, 1, 2], { minLength: 1 }),
  wanted: fc.option(fc.subarray([0, 1, 2])),
  clearance: fc.nat(3),
  kinds: fc.option(fc.subarray([...PAGE_KINDS])),
  tags: fc.option(fc.subarray(TAGS)),
  ceiling: fc.option(fc.nat(3)),
  excluded: fc.option(fc.array(fc.nat(399), { maxLength: 60 })),
  window: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 9, max: 60 })),
  limits: oneOf([
    PASS_LIMITS,
    { onePass: 0, firstPass: 1 },
    { onePass: 0, firstPass: 4 },
    { onePass: 1_000_000, firstPass: 1 },
  ]),
});

test('finds what scoring every page would find, by one pass and by two', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(query, async (q) => {
      const at = (indexes: readonly number[]) =>
        indexes.map((index) => view.projectIds[index] ?? '');
      const scope = { ...view, projectIds: at(q.projects), clearance: q.clearance };
      const filter: PageFilter = {
        ...(q.wanted && { projectIds: at(q.wanted) }),
        ...(q.kinds && { kinds: q.kinds }),
        ...(q.tags && { tags: q.tags }),
        ...(q.ceiling !== null && { sensitivityCeiling: q.ceiling }),
        ...(q.excluded && { excludeIds: q.excluded.map((index) => pages[index]?.id ?? '') }),
      };
      const arm = { filter, terms: q.terms, window: q.window };

      const hits = await searchByKeywords(database.ofTenant(scope.tenant), scope, arm, q.limits);

      const expected = searchNaively(scope, filter, q.terms);
      expect(hits.map(({ score }) => score)).toEqual(
        expected.slice(0, q.window).map(({ score }) => expect.closeTo(score, 9)),
      );
      const scores = new Map(expected.map(({ id, score }) => [id, score]));
      for (const { pageId, score } of hits) expect(score).toBeCloseTo(scores.get(pageId) ?? 0, 9);
      expect(new Set(hits.map(({ pageId }) => pageId)).size).toBe(hits.length);
    }),
    { numRuns: 400 },
  );
});

test('finds the same by one pass and by two where names outweigh their parts', {
  timeout: 60_000,
}, async () => {
  const named = query.chain((q) =>
    fc.record({
      q: fc.constant(q),
      name: oneOf(q.terms),
      parts: fc.subarray(q.terms),
    }),
  );
  await fc.assert(
    fc.asyncProperty(named, async ({ q, name, parts }) => {
      const arm = {
        filter: {},
        terms: q.terms,
        names: [{ term: name, parts: parts.filter((part) => part !== name) }],
        window: q.window,
      };

      const byTwo = await searchByKeywords(database.ofTenant(view.tenant), view, arm, {
        onePass: 0,
        firstPass: 1,
      });

      const byOne = await searchByKeywords(database.ofTenant(view.tenant), view, arm, {
        onePass: 1e6,
        firstPass: 1,
      });
      expect(byTwo).toEqual(byOne);
    }),
    { numRuns: 150 },
  );
});

test('a name outweighs any number of its parts, wherever it stands', async () => {
  const project = await seedProject(stores, 'names');
  const ids = await seedPages(stores, project, {
    a: 'pre edit '.repeat(50),
    named: `${'heron otter lynx '.repeat(500)} pre-edit`,
  });
  const { view: all } = await callerFor(stores);

  const [first, second, ...more] = await searchByKeywords(database.ofTenant(all.tenant), all, {
    filter: { projectIds: [project.id] },
    terms: ['pre-edit', 'pre', 'edit'],
    names: [{ term: 'pre-edit', parts: ['pre', 'edit'] }],
    window: 9,
  });

  expect([first?.pageId, second?.pageId, more]).toEqual([ids.named, ids.a, []]);
  expect(second?.score).toBeLessThan((first?.score ?? 0) / 2);
});

test('counts anew when a page is changed or moved out of sight', async () => {
  const project = await seedProject(stores, 'changing');
  const ids = await seedPages(stores, project, { a: 'ibex', b: 'ibex yak', c: 'yak' });
  await seedPages(stores, project, { a: 'gnu', b: { body: 'ibex', sensitivity: 'RESTRICTED' } });
  const { view: all } = await callerFor(stores);
  const arm = { filter: { projectIds: [project.id] }, terms: ['ibex', 'yak'], window: 9 };

  const seen = await searchByKeywords(database.ofTenant(all.tenant), all, arm);
  const internally = await searchByKeywords(
    database.ofTenant(all.tenant),
    { ...all, clearance: 1 },
    arm,
  );

  expect(seen.map(({ pageId }) => pageId).toSorted()).toEqual([ids.b, ids.c].toSorted());
  expect(internally.map(({ pageId }) => pageId)).toEqual([ids.c]);
  // Two pages are left to be counted, one of them has the word: ln(1 + 1.5 / 1.5).
  expect(internally[0]?.score).toBeLessThan(Math.log(2));
});

test('does not let a page that the caller may not read change a score', async () => {
  const project = await seedProject(stores, 'leaky');
  await seedPages(stores, project, { open: 'numbat sighting', other: 'nothing' });
  const before = await internalScores(project.id);
  expect(before).toHaveLength(1);

  await seedPages(stores, project, {
    secret: { body: 'numbat numbat', sensitivity: 'RESTRICTED' },
  });

  expect(await internalScores(project.id)).toEqual(before);
});

async function internalScores(projectId: string): Promise<readonly KeywordHit[]> {
  const { view: all } = await callerFor(stores);
  const arm = { filter: { projectIds: [projectId] }, terms: ['numbat'], window: 9 };
  return searchByKeywords(database.ofTenant(all.tenant), { ...all, clearance: 1 }, arm);
}

test('tells which terms a page has, and where', async () => {
  const project = await seedProject(stores, 'places');
  const ids = await seedPages(stores, project, {
    title: { title: 'okapi', body: 'nothing' },
    hint: { title: 'none', body: 'tapir', hints: ['where is the okapi'] },
    all: { title: 'okapi', body: 'okapi tapir', hints: ['okapi'] },
  });
  const { view: all } = await callerFor(stores);

  const hits = await searchByKeywords(database.ofTenant(all.tenant), all, {
    filter: { projectIds: [project.id] },
    terms: ['tapir', 'okapi', 'unheard'],
    window: 9,
  });

  const told = hits.map(({ pageId, terms, matchedIn }) => [pageId, { terms, matchedIn }]);
  expect(Object.fromEntries(told)).toEqual({
    [ids.title]: { terms: ['okapi'], matchedIn: ['TITLE'] },
    [ids.hint]: { terms: ['tapir', 'okapi'], matchedIn: ['BODY', 'HINT'] },
    [ids.all]: { terms: ['tapir', 'okapi'], matchedIn: ['TITLE', 'BODY', 'HINT'] },
  });
});

test('orders equal scores by path, through both ways', async () => {
  const project = await seedProject(stores, 'equal');
  const paths = ['d', 'b', 'a', 'c', 'e'];
  const ids = await seedPages(
    stores,
    project,
    Object.fromEntries(paths.map((path) => [path, { title: 'same', body: 'axolotl' }])),
  );
  const { view: all } = await callerFor(stores);
  const arm = { filter: { projectIds: [project.id] }, terms: ['axolotl'], window: 3 };

  for (const limits of [PASS_LIMITS, { onePass: 0, firstPass: 1 }]) {
    const hits = await searchByKeywords(database.ofTenant(all.tenant), all, arm, limits);

    expect(hits.map(({ pageId }) => pageId)).toEqual([ids.a, ids.b, ids.c]);
  }
});

test('finds nothing for terms that no page has, and for none', async () => {
  const arm = { filter: {}, window: 9 };

  expect(
    await searchByKeywords(database.ofTenant(view.tenant), view, { ...arm, terms: ['unheard'] }),
  ).toEqual([]);
  expect(
    await searchByKeywords(database.ofTenant(view.tenant), view, { ...arm, terms: [] }),
  ).toEqual([]);
});

test('finds in the past the words of then, scored by the pages of then', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const then = createStores(database, () => now);
  const project = await seedProject(then, 'then');
  const ids = await seedPages(then, project, { a: 'kakapo', b: 'parrot' });
  const { view: atFirst } = await callerFor(then);
  const arm = { filter: { projectIds: [project.id] }, terms: ['kakapo'], window: 9 };
  const present = await searchByKeywords(database.ofTenant(atFirst.tenant), atFirst, arm);

  now += 86_400_000;
  await seedPages(then, project, { a: 'gone', c: 'kakapo', d: 'kakapo' });
  const asOf = { validAt: null, recordedAt: now - 1 };
  const past = await searchByKeywords(database.ofTenant(atFirst.tenant), { ...atFirst, asOf }, arm);

  expect(past).toEqual(present);
  expect(past.map(({ pageId }) => pageId)).toEqual([ids.a]);
});
