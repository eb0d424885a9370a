import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PageFilter } from '../../src/memory/page-store.ts';
import type { DenseHit } from '../../src/memory/recall-store.ts';
import type { View } from '../../src/memory/view.ts';
import type { Connection, Database } from '../../src/postgres/connect.ts';
import { MAX_EXACT_PASSAGES, searchByVector, similarities } from '../../src/postgres/dense-arm.ts';
import { openTestDatabase } from '../support/database.ts';
import { type Rows, rowsOf } from '../support/insert-rows.ts';

const MODEL = 'test@1';
const DIMENSIONS = 256;

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A unit vector at that angle to the query, in one of many planes. */
function at(degrees: number, plane = 1): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const angle = (degrees / 180) * Math.PI;
  vector[0] = Math.cos(angle);
  vector[1 + (plane % (DIMENSIONS - 1))] = Math.sin(angle);
  return vector;
}

const QUERY = at(0);

type Passage = { readonly page: string; readonly ordinal?: number; readonly vector: Float32Array };

/** Puts passages in as they are; null vectors and other models too. */
async function insertPassages(
  { tenant }: Rows,
  project: string,
  passages: readonly Passage[],
  model = MODEL,
): Promise<void> {
  await database.query({
    text: `
      insert into passage (tenant, page_id, ordinal, project_id, start_offset, end_offset, model,
        embedding)
      select $1, x.page, x.ordinal, $2, 10 * x.ordinal, 10 * x.ordinal + 5, $3, x.vector::vector
      from unnest($4::uuid[], $5::int4[], $6::text[]) as x(page, ordinal, vector)
    `,
    values: [
      tenant,
      project,
      model,
      passages.map(({ page }) => page),
      passages.map(({ ordinal }) => ordinal ?? 0),
      passages.map(({ vector }) => `[${vector.join(',')}]`),
    ],
  });
}

/** As many pages as there are vectors, with one passage each; by number of the vector. */
async function insertPages(
  rows: Rows,
  project: string,
  vectors: readonly Float32Array[],
  kind = 'NOTE',
): Promise<string[]> {
  const ids = vectors.map(() => randomUUID());
  await database.query({
    text: `
      insert into page (tenant, id, project_id, path, created_at, version, kind, title, sensitivity,
        importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived, keyword,
        keyword_length)
      select $1, x.id, $2, x.id::text, 0, 1, $4, '', 0, 5, '{}', '{}', '{}', 0, 253402300800000, 0,
        false, '', 0
      from unnest($3::uuid[]) as x(id)
    `,
    values: [rows.tenant, project, ids, kind],
  });
  const passages = vectors.map((vector, index) => ({ page: ids[index] ?? '', vector }));
  await insertPassages(rows, project, passages);
  return ids;
}

function search(
  view: View,
  {
    filter = {},
    window = 10,
    mostExact = MAX_EXACT_PASSAGES,
  }: {
    readonly filter?: PageFilter;
    readonly window?: number;
    readonly mostExact?: number;
  } = {},
): Promise<DenseHit[]> {
  const query = { filter, window, vector: QUERY, model: MODEL };
  return database.transaction('SEARCH', (connection) =>
    searchByVector(connection, view, query, mostExact),
  );
}

function idsOf(hits: readonly DenseHit[]): string[] {
  return hits.map(({ pageId }) => pageId);
}

/** The same pages found by comparing all, and by the graph index. */
describe.each([
  ['comparing all', MAX_EXACT_PASSAGES],
  ['the graph index', 0],
])('by %s', (_way, mostExact) => {
  test('finds the nearest first, with the exact cosine', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const [far, near] = await insertPages(rows, project, [at(80), at(10)]);

    const hits = await search(rows.view(), { mostExact });

    expect(hits).toEqual([
      {
        pageId: near,
        similarity: expect.closeTo(Math.cos(Math.PI / 18), 6),
        passage: { ordinal: 0, start: 0, end: 5 },
      },
      expect.objectContaining({ pageId: far }),
    ]);
  });

  test('counts the best passage of a page, and the page once', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const page = await rows.page({ project });
    await insertPassages(
      rows,
      project,
      [50, 5, 30].map((angle, ordinal) => ({ page, ordinal, vector: at(angle) })),
    );

    const hits = await search(rows.view(), { mostExact });

    expect(hits).toEqual([
      expect.objectContaining({ pageId: page, passage: { ordinal: 1, start: 10, end: 15 } }),
    ]);
  });

  test('fills the window though one page has more near passages than that', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const long = await rows.page({ project });
    const vectors = Array.from({ length: 60 }, (_, plane) => at(3, plane));
    await insertPassages(
      rows,
      project,
      vectors.map((vector, ordinal) => ({ page: long, ordinal, vector })),
    );
    const others = await insertPages(rows, project, [at(20), at(21), at(22)]);

    const hits = await search(rows.view(), { window: 4, mostExact });

    expect(idsOf(hits)).toEqual([long, ...others]);
  });

  test('fills the window with pages that pass the filter, though others are nearer', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    await insertPages(
      rows,
      project,
      Array.from({ length: 300 }, (_, plane) => at(5, plane)),
    );
    const facts = await insertPages(
      rows,
      project,
      Array.from({ length: 12 }, (_, index) => at(60 + index)),
      'FACT',
    );

    const hits = await search(rows.view(), { filter: { kinds: ['FACT'] }, mostExact });

    expect(idsOf(hits)).toEqual(facts.slice(0, 10));
  });

  test('orders equal ones by path', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const pages = [];
    for (const path of ['c', 'a', 'b']) pages.push(await rows.page({ project, path }));
    await insertPassages(
      rows,
      project,
      pages.map((page) => ({ page, vector: at(30) })),
    );

    const [c, a, b] = pages;
    expect(idsOf(await search(rows.view(), { mostExact }))).toEqual([a, b, c]);
  });

  test('passes over what another encoder made, and what has no vector', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const foreign = await rows.page({ project });
    const empty = await rows.page({ project });
    await insertPassages(rows, project, [{ page: foreign, vector: QUERY }], 'other@1');
    await database.query({
      text: `insert into passage values ($1, $2, 0, $3, 0, 0, $4, null)`,
      values: [rows.tenant, empty, project, MODEL],
    });

    expect(await search(rows.view(), { mostExact })).toEqual([]);
  });

  test('sees no other project, tenant or clearance', async () => {
    const rows = rowsOf(database);
    const project = await rows.project();
    const secret = await rows.page({ project, sensitivity: 3 });
    await insertPassages(rows, project, [{ page: secret, vector: QUERY }]);
    const [open] = await insertPages(rows, project, [at(70)]);
    await insertPages(rows, await rows.project('hidden'), [QUERY]);

    const view = rows.view({ projectIds: [project], clearance: 2 });

    expect(idsOf(await search(view, { mostExact }))).toEqual([open]);
  });
});

describe('among thousands of passages', () => {
  const CROWD = 3_000;
  let rows: Rows;
  let near: readonly string[];

  /** The same vectors each time, in all directions; far from the query, as all random ones are. */
  const crowd = Array.from({ length: CROWD }, (_, index) => {
    const values = Float32Array.from({ length: DIMENSIONS }, (_unused, at) =>
      Math.sin(1 + index * 12.9898 + at * 78.233 + index * at * 0.017),
    );
    const length = Math.hypot(...values);
    return values.map((value) => value / length);
  });

  beforeAll(async () => {
    rows = rowsOf(database);
    const project = await rows.project();
    await insertPages(rows, project, crowd);
    const angles = Array.from({ length: 10 }, (_, index) => at(10 + 2 * index, index));
    near = await insertPages(rows, project, angles);
    // Nearer than all of these, and not to be seen: in a hidden project, above the clearance, of others.
    await insertPages(
      rows,
      await rows.project('hidden'),
      angles.map(() => at(2)),
    );
    const secret = await Promise.all(angles.map(() => rows.page({ project, sensitivity: 3 })));
    await insertPassages(
      rows,
      project,
      secret.map((page) => ({ page, vector: at(1) })),
    );
    const others = rowsOf(database);
    await insertPages(
      others,
      await others.project(),
      angles.map(() => at(3)),
    );
    await database.query({ text: 'analyze' });
  });

  const visible = async () => {
    const [project] = await database.query<{ id: string }>({
      text: 'select project_id as id from page where id = $1',
      values: [near[0]],
    });
    return rows.view({ projectIds: [project?.id ?? ''], clearance: 2 });
  };

  test('the graph index is read, and little of it', async () => {
    const view = await visible();
    const plans: string[] = [];
    const query = { filter: {}, window: 10, vector: QUERY, model: MODEL };

    const hits = await database.transaction('SEARCH', (connection) => {
      const explaining: Connection = {
        async query(statement) {
          if (statement.name?.startsWith('passage_search_by_index')) {
            const plan = await connection.query({
              text: `explain (analyze, costs off, timing off) ${statement.text}`,
              values: statement.values ?? [],
            });
            plans.push(plan.flatMap((line) => Object.values(line)).join('\n'));
          }
          return connection.query(statement);
        },
      };
      return searchByVector(explaining, view, query);
    });

    expect(idsOf(hits)).toEqual(near);
    expect(plans).toHaveLength(1);
    const [, read] = /using passage_embedding .*rows=(\d+)/.exec(plans[0] ?? '') ?? [];
    expect(Number(read)).toBeGreaterThanOrEqual(near.length);
    expect(Number(read)).toBeLessThan(CROWD / 10);
  });

  test('only what the caller may see is found, as by comparing all', async () => {
    const view = await visible();

    const byIndex = await search(view, { window: 10 });
    const byAll = await search(view, { window: 10, mostExact: CROWD * 2 });

    expect(idsOf(byAll)).toEqual(near);
    expect(byIndex).toEqual(byAll);
  });
});

test('finds all ten pages of a tenant beside a crowd of nearer ones', async () => {
  const crowd = rowsOf(database);
  const few = rowsOf(database);
  await insertPages(
    crowd,
    await crowd.project(),
    Array.from({ length: 800 }, (_, index) => at(1 + (index % 7), index)),
  );
  const ids = await insertPages(
    few,
    await few.project(),
    Array.from({ length: 10 }, (_, index) => at(70 + index)),
  );

  expect(idsOf(await search(few.view()))).toEqual(ids);
  expect(idsOf(await search(few.view(), { mostExact: 0 }))).toEqual(ids);
});

test('gives the exact cosine of pages in the order asked, and null where there is none', async () => {
  const rows = rowsOf(database);
  const project = await rows.project();
  const [far, near] = await insertPages(rows, project, [at(80), at(10)]);
  const without = await rows.page({ project });
  const asked = [near, without, far].flatMap((id) => id ?? []);

  const hits = await similarities(database, rows.view(), asked, { vector: QUERY, model: MODEL });

  expect(hits.map((hit) => hit?.pageId ?? null)).toEqual([near, null, far]);
  expect(hits[0]?.similarity).toBeCloseTo(Math.cos(Math.PI / 18), 6);
});

test('agrees with a cosine in plain numbers for vectors of any length', async () => {
  const rows = rowsOf(database);
  const project = await rows.project();
  const vector = fc
    .array(fc.float({ min: -10, max: 10, noNaN: true }), {
      minLength: DIMENSIONS,
      maxLength: DIMENSIONS,
    })
    .map((values) => Float32Array.from(values))
    .filter((values) => values.some((value) => Math.abs(value) > 0.01));
  const vectors = fc.sample(vector, { numRuns: 30, seed: 7 });
  const ids = await insertPages(rows, project, vectors);

  const hits = await similarities(database, rows.view(), ids, { vector: QUERY, model: MODEL });

  expect(hits.map((hit) => hit?.similarity)).toEqual(
    vectors.map((values) => expect.closeTo((values[0] ?? 0) / Math.hypot(...values), 5)),
  );
});
