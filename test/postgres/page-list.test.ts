import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parsePageCursor, toPageCursor } from '../../src/memory/cursor.ts';
import { listPages } from '../../src/memory/list-pages.ts';
import type { PageOrder, PagePosition, PageReader } from '../../src/memory/page-store.ts';
import type { View } from '../../src/memory/view.ts';
import type { Connection, Database } from '../../src/postgres/connect.ts';
import { listPages as listStoredPages } from '../../src/postgres/page-list.ts';
import { createPageReader } from '../../src/postgres/page-reader.ts';
import { openTestDatabase } from '../support/database.ts';
import { NOW, type Rows, rowsOf } from '../support/insert-rows.ts';

let database: Database;
let pages: PageReader;
let rows: Rows;
let project: string;

beforeAll(async () => {
  database = await openTestDatabase();
  pages = createPageReader(database);
});

beforeEach(async () => {
  rows = rowsOf(database);
  project = await rows.project();
});

afterAll(() => database.close());

const FIELDS = ['PATH', 'TITLE', 'RECORDED_AT', 'CREATED_AT', 'IMPORTANCE'] as const;
const DIRECTIONS = ['ASC', 'DESC'] as const;
const ORDERS: PageOrder[] = FIELDS.flatMap((field) =>
  DIRECTIONS.map((direction) => ({ field, direction })),
);
const PAST = { validAt: null, recordedAt: NOW };

/** Walks a list to its end by cursors; `between` runs before each further step. */
async function walk(
  view: View,
  order: PageOrder,
  first: number,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const paths: string[] = [];
  let after: string | null = null;
  for (;;) {
    const list = await listPages({ pages }, view, { filter: {}, order, first, after });
    paths.push(...list.entries.map(({ page }) => page.path));
    if (!list.hasMore) return paths;
    after = list.entries.at(-1)?.cursor ?? null;
    await between();
  }
}

/** Pages with many equal values in every field but the path. */
async function seedTies(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await rows.page({
      project,
      path: `p${index}`,
      importance: 1 + (index % 2),
      versions: [{ title: index % 3 === 0 ? 'Z' : 'a', recordedAt: 10 + (index % 2) }],
    });
  }
}

test.each(ORDERS)('pages through equal values once each, by $field $direction', async (order) => {
  await seedTies(9);
  const views = [rows.view(), rows.view({ asOf: PAST })];

  for (const view of views) {
    const whole = await walk(view, order, 100);
    const bySteps = await walk(view, order, 2);

    expect(whole).toHaveLength(9);
    expect(bySteps).toEqual(whole);
  }
});

test('orders text by bytes and numbers by value, and the other way round', async () => {
  await rows.page({ project, path: 'a', importance: 10, versions: [{ title: 'b' }] });
  await rows.page({ project, path: 'é', importance: 2, versions: [{ title: 'B' }] });
  await rows.page({ project, path: 'Z', importance: 9, versions: [{ title: 'ä' }] });
  const view = rows.view();

  expect(await walk(view, { field: 'PATH', direction: 'ASC' }, 9)).toEqual(['Z', 'a', 'é']);
  expect(await walk(view, { field: 'PATH', direction: 'DESC' }, 9)).toEqual(['é', 'a', 'Z']);
  expect(await walk(view, { field: 'TITLE', direction: 'ASC' }, 9)).toEqual(['é', 'a', 'Z']);
  expect(await walk(view, { field: 'IMPORTANCE', direction: 'ASC' }, 9)).toEqual(['é', 'Z', 'a']);
});

test('orders by the title and the recorded time of the version that the past sees', async () => {
  const versions = [{ title: 'a', recordedAt: 30, recordedTo: 50 }, { recordedAt: 50 }];
  await rows.page({ project, path: 'first', versions });
  await rows.page({ project, path: 'second', versions: [{ title: 'b', recordedAt: 20 }] });
  const view = rows.view({ asOf: { validAt: null, recordedAt: 40 } });

  const byTitle = await walk(view, { field: 'TITLE', direction: 'ASC' }, 1);
  const byTime = await walk(view, { field: 'RECORDED_AT', direction: 'ASC' }, 1);

  expect(byTitle).toEqual(['first', 'second']);
  expect(byTime).toEqual(['second', 'first']);
});

test.each(ORDERS)(
  'shows no page twice and skips none while pages are added, by $field $direction',
  async (order) => {
    await seedTies(8);
    let added = 0;

    const seen = await walk(rows.view(), order, 2, async () => {
      added += 1;
      await rows.page({
        project,
        path: `o${added}`,
        importance: 1 + (added % 2),
        versions: [{ title: added % 2 === 0 ? 'Z' : 'a', recordedAt: 10 + (added % 2) }],
      });
    });

    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((path) => path.startsWith('p')).sort()).toEqual(
      Array.from({ length: 8 }, (_, index) => `p${index}`),
    );
  },
);

test('tells nothing of hidden pages: neither by more, nor by count, nor by a place', async () => {
  await rows.page({ project, path: 'a' });
  await rows.page({ project, path: 'b', versions: [{ sensitivity: 3 }] });
  const view = rows.view({ clearance: 1 });
  const order: PageOrder = { field: 'PATH', direction: 'ASC' };

  const list = await listPages({ pages }, view, { filter: {}, order, first: 1, after: null });

  expect(list.entries.map(({ page }) => page.path)).toEqual(['a']);
  expect(list.hasMore).toBe(false);
  expect(await pages.count(view, {})).toBe(1);
});

test('costs one statement for a list and one for a count', async () => {
  await seedTies(3);
  const view = rows.view();
  const order: PageOrder = { field: 'PATH', direction: 'ASC' };
  const before = database.statements;

  await pages.list(view, { filter: {}, order, first: 2, after: null });
  await pages.count(view, {});

  expect(database.statements - before).toBe(2);
});

describe('among 5,000 pages', () => {
  const PAGES = 5_000;
  let crowd: Rows;
  beforeAll(async () => {
    crowd = rowsOf(database);
    const place = await crowd.project();
    await database.query({
      text: `
        with made as (
          insert into page (tenant, id, project_id, path, created_at, version, kind, title,
            sensitivity, importance, tags, attributes, hints, valid_from, valid_to, recorded_at,
            archived, keyword, keyword_length)
          select $1, gen_random_uuid(), $2, 'p' || i, i / 3, 1, 'NOTE', 't' || i / 3, 0, 1 + i % 10,
            '{}', '{}', '{}', -62135596800000, 253402300800000, i / 3, false, '', 0
          from generate_series(1, ${PAGES}) i
          returning *
        )
        insert into page_version (tenant, page_id, version, project_id, kind, title, body,
          sensitivity, valid_from, valid_to, recorded_at, keyword, keyword_length)
        select tenant, id, version, project_id, kind, title, '', sensitivity, valid_from, valid_to,
          recorded_at, '', 0
        from made
      `,
      values: [crowd.tenant, place],
    });
    await database.query({ text: 'analyze page' });
    await database.query({ text: 'analyze page_version' });
  });

  /** What each part of the plan gave, as the database counted it. */
  async function rowsRead(order: PageOrder, after: PagePosition | null): Promise<number[]> {
    const plans: string[] = [];
    const query = { filter: {}, order, first: 20, after };
    await database.transaction('READ', async (connection) => {
      const explaining: Connection = {
        async query({ text, values }) {
          const plan = await connection.query({
            text: `explain (analyze, costs off, timing off) ${text}`,
            values: values ?? [],
          });
          plans.push(...plan.flatMap((line) => Object.values(line).map(String)));
          return [];
        },
      };
      await listStoredPages(explaining, crowd.view(), query);
    });
    const counted = /rows=(\d+)|Rows Removed by \w+: (\d+)/gu;
    return [...plans.join('\n').matchAll(counted)].map(([, kept, removed]) =>
      Number(kept ?? removed),
    );
  }

  test.each(ORDERS)('reads no more of them than it shows, by $field $direction', async (order) => {
    const first = await pages.list(crowd.view(), {
      filter: {},
      order,
      first: PAGES / 2,
      after: null,
    });
    const [middle] = first.pages.slice(-1);
    if (middle === undefined) throw new Error('There is none.');
    const after = parsePageCursor(toPageCursor(middle, order), order);

    const atStart = await rowsRead(order, null);
    const inTheMiddle = await rowsRead(order, after);

    expect(atStart.length).toBeGreaterThan(0);
    expect(Math.max(...atStart)).toBeLessThan(100);
    expect(Math.max(...inTheMiddle)).toBeLessThan(100);
  });
});

test('steps of any size give the same list', async () => {
  await seedTies(7);
  const view = rows.view();

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ORDERS),
      fc.integer({ min: 1, max: 8 }),
      async (order, first) => {
        expect(await walk(view, order, first)).toEqual(await walk(view, order, 100));
      },
    ),
    { numRuns: 25 },
  );
});

test.each([
  [0, 'INVALID_INPUT'],
  [-1, 'INVALID_INPUT'],
  [1.5, 'INVALID_INPUT'],
  [Number.NaN, 'INVALID_INPUT'],
  [1_001, 'LIMIT_EXCEEDED'],
])('refuses to list %s pages', async (first, code) => {
  const order: PageOrder = { field: 'PATH', direction: 'ASC' };

  await expect(
    listPages({ pages }, rows.view(), { filter: {}, order, first, after: null }),
  ).rejects.toMatchObject({ code, field: 'first' });
});

test.each([
  ['a tag with NUL', { tags: ['ok', 'a\0'] }, 'filter.tags.1'],
  ['a tag with half a pair', { tags: ['\ud800'] }, 'filter.tags.0'],
  ['an attribute with NUL', { attributes: { a: ['\0'] } }, 'filter.attributes'],
  ['an attribute named with half a pair', { attributes: { '\udc00': 1 } }, 'filter.attributes'],
  ['a ceiling that is no rank', { sensitivityCeiling: 4 }, 'filter.sensitivityCeiling'],
])('refuses %s before the store is asked', async (_what, filter, field) => {
  const order: PageOrder = { field: 'PATH', direction: 'ASC' };
  const before = database.statements;

  await expect(
    listPages({ pages }, rows.view(), { filter, order, first: 1, after: null }),
  ).rejects.toMatchObject({ code: 'INVALID_INPUT', field });
  expect(database.statements).toBe(before);
});
