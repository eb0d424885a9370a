import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDGE_KINDS } from '../../src/memory/edge.ts';
import type { GraphStore } from '../../src/memory/graph-store.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  draw,
  randomDirection,
  randomGraph,
  randomKinds,
  randomPageId,
  randomView,
} from '../support/random-graph.ts';
import { referencePaths } from '../support/reference-walk.ts';
import { edgeOf, pageOf, toId, viewOf, writeGraph } from '../support/seed-graph.ts';

const GRAPHS = 50;
const QUERIES = 10;

let database: Database;
let graph: GraphStore;

beforeAll(async () => {
  database = await openTestDatabase();
  graph = createLedgerGraph(database);
});

afterAll(() => database.close());

test('finds in random graphs what trying every way finds', { timeout: 60_000 }, async () => {
  let tenants = 0;
  let found = 0;

  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const tenant = `random-${tenants++}`;
      const [seeded] = draw(randomGraph(tenant), seed, 1);
      if (seeded === undefined) throw new Error('Nothing was drawn.');
      await writeGraph(database, seeded);
      const query = fc.record({
        from: randomPageId(seeded),
        to: randomPageId(seeded),
        kinds: randomKinds,
        direction: randomDirection,
        // Trying every way is exponential; the chain below goes to the hard limit.
        maxDepth: fc.integer({ min: 1, max: 4 }),
        k: fc.integer({ min: 1, max: 5 }),
      });
      const cases = draw(fc.tuple(randomView(tenant), query), seed, QUERIES);

      for (const [view, asked] of cases) {
        const { paths, truncated } = await graph.shortestPaths(view, asked);

        const expected = referencePaths(seeded, view, asked).slice(0, asked.k);
        expect(paths.map((path) => path.map(({ edge }) => edge.id))).toEqual(expected);
        expect(truncated).toEqual([]);
        found += expected.length;
      }
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  );

  expect(found).toBeGreaterThan(GRAPHS);
});

test('takes the visible way round a page that is nearer and hidden', async () => {
  const tenant = 'secret';
  await writeGraph(database, {
    tenant,
    pages: [
      ...['a', 'b', 'x', 'y'].map((name) => pageOf(tenant, name)),
      pageOf(tenant, 's', { sensitivity: 3 }),
    ],
    edges: ['a CAUSES s', 's CAUSES b', 'a CAUSES x', 'x CAUSES y', 'y CAUSES b'].map((text) =>
      edgeOf(tenant, text),
    ),
  });
  const query = { ...pathOf(tenant, 'a', 'b'), maxDepth: 4 };

  const ofReader = await graph.shortestPaths(viewOf(tenant), query);
  const ofTrusted = await graph.shortestPaths(viewOf(tenant, { clearance: 3 }), query);
  const toHidden = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 'a', 's'));
  const inHidden = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 's', 's'));

  expect(ofReader.paths.map((path) => path.length)).toEqual([3]);
  expect(ofTrusted.paths.map((path) => path.length)).toEqual([2]);
  expect(toHidden).toMatchObject({ paths: [], truncated: [] });
  expect(inHidden).toMatchObject({ paths: [], truncated: [] });
});

test('follows a chain of eight edges both ways, and ends where it is told to', async () => {
  const tenant = 'chain';
  const names = Array.from({ length: 9 }, (_, index) => `p${index}`);
  await writeGraph(database, {
    tenant,
    pages: names.map((name) => pageOf(tenant, name)),
    edges: names.slice(1).map((name, index) => edgeOf(tenant, `p${index} FIXES ${name}`)),
  });

  const along = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 'p0', 'p8'));
  const against = await graph.shortestPaths(viewOf(tenant), {
    ...pathOf(tenant, 'p8', 'p0'),
    direction: 'IN',
  });
  const short = await graph.shortestPaths(viewOf(tenant), {
    ...pathOf(tenant, 'p0', 'p8'),
    maxDepth: 7,
  });

  expect(along.paths[0]?.map(({ edge }) => edge.toId)).toEqual(
    names.slice(1).map((name) => toId(tenant, name)),
  );
  expect(against.paths[0]?.map(({ direction }) => direction)).toEqual(Array(8).fill('IN'));
  expect(short.paths).toEqual([]);
});

test('gives the newest of many equal paths, always the same five', async () => {
  const tenant = 'many';
  const middles = Array.from({ length: 12 }, (_, index) => `m${index}`);
  await writeGraph(database, {
    tenant,
    pages: ['a', 'b', ...middles].map((name) => pageOf(tenant, name)),
    edges: middles.flatMap((name, at) => [
      edgeOf(tenant, `a CAUSES ${name}`, at),
      edgeOf(tenant, `${name} CAUSES b`, at),
    ]),
  });
  const ask = () => graph.shortestPaths(viewOf(tenant), { ...pathOf(tenant, 'a', 'b'), k: 5 });

  const [first, second] = await Promise.all([ask(), ask()]);

  expect(first.paths.map((path) => path[0]?.edge.at)).toEqual([11, 10, 9, 8, 7]);
  expect(second).toEqual(first);
});

test('goes from a page to itself without a step', async () => {
  const tenant = 'still';
  await writeGraph(database, {
    tenant,
    pages: [pageOf(tenant, 'a'), pageOf(tenant, 'b')],
    edges: [edgeOf(tenant, 'a CAUSES b'), edgeOf(tenant, 'b CAUSES a')],
  });

  const { paths } = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 'a', 'a'));

  expect(paths).toEqual([[]]);
});

test('says that it left out edges of a page that has too many', async () => {
  const tenant = 'hub';
  const spokes = Array.from({ length: 1_001 }, (_, index) => `s${index}`);
  await writeGraph(database, {
    tenant,
    pages: ['hub', 'end', ...spokes].map((name) => pageOf(tenant, name)),
    edges: [
      ...spokes.map((spoke) => edgeOf(tenant, `hub CAUSES ${spoke}`, 9)),
      edgeOf(tenant, 's0 CAUSES end', 9),
    ],
  });

  const { truncated } = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 'hub', 'nowhere'));
  const found = await graph.shortestPaths(viewOf(tenant), pathOf(tenant, 'hub', 'end'));

  // A page that is not there ends the search before it begins.
  expect(truncated).toEqual([]);
  expect(found.truncated).toEqual([{ reason: 'FAN_OUT', at: toId(tenant, 'hub') }]);
});

function pathOf(tenant: string, from: string, to: string) {
  const ends = { from: toId(tenant, from), to: toId(tenant, to) };
  return { ...ends, kinds: EDGE_KINDS, direction: 'OUT', maxDepth: 8, k: 1 } as const;
}
