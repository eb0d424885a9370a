import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TYPED_EDGE_KINDS } from '../../src/memory/edge.ts';
import type { GraphStore, WalkQuery } from '../../src/memory/graph-store.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { countGrownTables } from '../../src/postgres/upkeep.ts';
import { openTestDatabase } from '../support/database.ts';
import { draw, randomGraph, randomView, randomWalkQuery } from '../support/random-graph.ts';
import { referenceWalk, toReference } from '../support/reference-walk.ts';
import { edgeOf, pageOf, type SeedGraph, toId, viewOf, writeGraph } from '../support/seed-graph.ts';

const GRAPHS = 60;
const QUERIES = 10;

let database: Database;
let graph: GraphStore;

beforeAll(async () => {
  database = await openTestDatabase();
  graph = createLedgerGraph(database);
});

afterAll(() => database.close());

test('answers random walks as the reference walk does', { timeout: 60_000 }, async () => {
  let tenants = 0;
  let reached = 0;
  let truncated = 0;

  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const tenant = `random-${tenants++}`;
      const [seeded] = draw(randomGraph(tenant), seed, 1);
      if (seeded === undefined) throw new Error('nothing was drawn');
      await writeGraph(database, seeded);
      const cases = draw(fc.tuple(randomView(tenant), randomWalkQuery(seeded)), seed, QUERIES);

      for (const [view, query] of cases) {
        const walk = await graph.walk(view, query);

        const expected = referenceWalk(seeded, view, query);
        expect(toReference(walk)).toEqual(expected);
        reached += expected.reached.length;
        truncated += expected.truncated.length;
      }
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  );

  // Walks that reach nothing would agree about nothing.
  expect(reached).toBeGreaterThan(GRAPHS * QUERIES * 2);
  expect(truncated).toBeGreaterThan(GRAPHS * 2);
});

test('never passes through a page that the view does not see', async () => {
  const tenant = 'secret';
  const name = (page: string) => toId(tenant, page);
  await writeGraph(database, {
    tenant,
    pages: [
      pageOf(tenant, 'a'),
      pageOf(tenant, 's', { sensitivity: 3 }),
      pageOf(tenant, 'b'),
      pageOf(tenant, 'c'),
    ],
    edges: [
      edgeOf(tenant, 'a CAUSES s', 9),
      edgeOf(tenant, 's CAUSES b'),
      edgeOf(tenant, 'a CAUSES c'),
    ],
  });

  const walk = await graph.walk(viewOf(tenant), queryOf([name('a'), name('s')], { fanOut: 1 }));
  const walkOfTheTrusted = await graph.walk(viewOf(tenant, { clearance: 3 }), queryOf([name('a')]));

  expect(walk.reached.map(({ pageId }) => pageId)).toEqual([name('a'), name('c')]);
  expect(walk.edges.map(({ toId: to }) => to)).toEqual([name('c')]);
  expect(walk.truncated).toEqual([]);
  expect(walkOfTheTrusted.reached).toHaveLength(4);
});

test('says that a page has more edges only when one more is visible', async () => {
  const tenant = 'fan';
  const spokes = ['1', '2', '3'];
  await writeGraph(database, {
    tenant,
    pages: ['hub', ...spokes].map((name) => pageOf(tenant, name)),
    edges: spokes.map((spoke, at) => edgeOf(tenant, `hub CAUSES ${spoke}`, at)),
  });
  const hub = toId(tenant, 'hub');

  const exact = await graph.walk(viewOf(tenant), queryOf([hub], { fanOut: 3 }));
  const crowded = await graph.walk(viewOf(tenant), queryOf([hub], { fanOut: 2 }));

  expect(exact.truncated).toEqual([]);
  expect(crowded.truncated).toEqual([{ reason: 'FAN_OUT', at: hub }]);
  expect(crowded.reached.slice(1).map(({ pageId }) => pageId)).toEqual([
    toId(tenant, '3'),
    toId(tenant, '2'),
  ]);
});

test('names the page whose edges led beyond the most pages, once', async () => {
  const tenant = 'full';
  await writeGraph(database, {
    tenant,
    pages: ['a', 'b', 'c', 'd'].map((name) => pageOf(tenant, name)),
    edges: ['a CAUSES b', 'b CAUSES c', 'b CAUSES d'].map((text) => edgeOf(tenant, text)),
  });
  const walkTo = (maxPages: number) =>
    graph.walk(viewOf(tenant), queryOf([toId(tenant, 'a')], { maxPages, depth: 4 }));

  const [cut, exact] = await Promise.all([walkTo(2), walkTo(4)]);

  expect(cut.reached).toHaveLength(2);
  expect(cut.truncated).toEqual([{ reason: 'MAX_PAGES', at: toId(tenant, 'b') }]);
  expect(exact.reached).toHaveLength(4);
  expect(exact.truncated).toEqual([]);
});

test('gives up on a hub of hidden neighbours after the cap, and says so', async () => {
  const tenant = 'hidden-hub';
  const hidden = 20_005;
  await writeGraph(database, {
    tenant,
    pages: [pageOf(tenant, 'hub'), pageOf(tenant, 'old'), pageOf(tenant, 'young')],
    edges: [edgeOf(tenant, 'hub CAUSES old', 1), edgeOf(tenant, 'hub CAUSES young', 99_999)],
  });
  await writeHidden(tenant, 'hub', hidden);
  const hub = toId(tenant, 'hub');

  const walk = await graph.walk(viewOf(tenant), queryOf([hub], { direction: 'BOTH' }));

  expect(walk.reached.map(({ pageId }) => pageId)).toEqual([hub, toId(tenant, 'young')]);
  expect(walk.truncated).toEqual([{ reason: 'SCAN', at: hub }]);
});

test('reads little of a hub of 5,000 edges', async () => {
  const tenant = 'hub';
  await writeGraph(database, hubOf(tenant, 5_000));
  // To a tenant that is newer than the statistics no plan fits.
  await database.query({ text: 'analyze page, edge' });

  const walk = await graph.walk(
    viewOf(tenant),
    queryOf([toId(tenant, 'spoke', 1)], { direction: 'BOTH', depth: 4, maxPages: 1_000 }),
  );
  const read = await rowsRead(() =>
    graph.walk(viewOf(tenant), queryOf([toId(tenant, 'hub')], { direction: 'BOTH', depth: 1 })),
  );

  expect(walk.reached).toHaveLength(2 + 50);
  expect(walk.truncated).toEqual([{ reason: 'FAN_OUT', at: toId(tenant, 'hub') }]);
  expect(read).toBeLessThan(2_000);
});

test('gives the same answer each time, in two statements', async () => {
  const tenant = 'hub-again';
  await writeGraph(database, hubOf(tenant, 100));
  const query = queryOf([toId(tenant, 'hub')], { direction: 'BOTH' });
  const before = database.statements;

  const first = await graph.walk(viewOf(tenant), query);
  const second = await graph.walk(viewOf(tenant), query);

  expect(database.statements - before).toBe(4);
  expect(second).toEqual(first);
});

test('starts nowhere for another tenant', async () => {
  const tenant = 'first-tenant';
  await writeGraph(database, hubOf(tenant, 3));
  const other = viewOf('second-tenant', { projectIds: [toId(tenant, 'main')], clearance: 3 });

  const walk = await graph.walk(other, queryOf([toId(tenant, 'hub')]));

  expect(walk).toMatchObject({ reached: [], edges: [], truncated: [] });
});

function queryOf(from: readonly string[], more: Partial<WalkQuery> = {}): WalkQuery {
  const size = { depth: 3, maxPages: 100, fanOut: 50 };
  return { from, kinds: TYPED_EDGE_KINDS, direction: 'OUT', ...size, where: {}, ...more };
}

/** A page that causes many others, all at once. */
function hubOf(tenant: string, spokes: number): SeedGraph {
  const names = Array.from({ length: spokes }, (_, index) => index);
  const hub = pageOf(tenant, 'hub');
  return {
    tenant,
    pages: [
      hub,
      ...names.map((index) => pageOf(tenant, `s${index}`, { id: toId(tenant, 'spoke', index) })),
    ],
    edges: names.map((index) =>
      edgeOf(tenant, `hub CAUSES s${index}`, 7, { toId: toId(tenant, 'spoke', index) }),
    ),
  };
}

/** Restricted pages that a page causes, each newer than the last. */
async function writeHidden(tenant: string, from: string, count: number): Promise<void> {
  await database.query({
    text: `insert into page (tenant, id, project_id, path, created_at, version, kind, title,
        sensitivity, importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived,
        keyword, keyword_length)
      select p.tenant, gen_random_uuid(), p.project_id, 'hidden' || n, p.created_at, p.version,
        p.kind, p.title, 3, p.importance, p.tags, p.attributes, p.hints, p.valid_from, p.valid_to,
        p.recorded_at, p.archived, p.keyword, p.keyword_length
      from page p, generate_series(1, $3::int4) n where p.tenant = $1 and p.id = $2`,
    values: [tenant, toId(tenant, from), count],
  });
  await countGrownTables(database);
  await database.query({
    text: `insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, valid_from,
        valid_to, recorded_at, at)
      select $1, gen_random_uuid(), $2, id, 'CAUSES', false, true, valid_from, valid_to, 1,
        1 + row_number() over ()
      from page where tenant = $1 and sensitivity = 3`,
    values: [tenant, toId(tenant, from)],
  });
}

/** Rows of edges and pages that work fetches, by the statistics of the engine. */
async function rowsRead(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await database.query({ text: 'select pg_stat_force_next_flush()' });
    const [row] = await database.query<{ rows: number }>({
      text: `select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int4 as rows
        from pg_stat_user_tables where relname in ('edge', 'page')`,
    });
    return row?.rows ?? Number.NaN;
  };
  const before = await count();
  await work();
  return (await count()) - before;
}
