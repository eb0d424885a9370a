import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EDGE_KINDS } from '../../src/memory/edge.ts';
import type { EdgeListRequest, EdgePosition, GraphStore } from '../../src/memory/graph-store.ts';
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
import { hopsOf, referencePaths } from '../support/reference-walk.ts';
import { edgeOf, pageOf, type SeedGraph, toId, viewOf, writeGraph } from '../support/seed-graph.ts';

const GRAPHS = 40;

let database: Database;
let graph: GraphStore;

beforeAll(async () => {
  database = await openTestDatabase();
  graph = createLedgerGraph(database);
});

afterAll(() => database.close());

test('lists, counts and pages random edges as the reference does', {
  timeout: 60_000,
}, async () => {
  let tenants = 0;
  let listed = 0;

  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const tenant = `random-${tenants++}`;
      const [seeded] = draw(randomGraph(tenant), seed, 1);
      const [view] = draw(randomView(tenant), seed, 1);
      if (seeded === undefined || view === undefined) throw new Error('Nothing was drawn.');
      await writeGraph(database, seeded);
      const request = fc.record({
        pageId: randomPageId(seeded),
        kinds: randomKinds,
        direction: randomDirection,
        first: fc.integer({ min: 1, max: 5 }),
        skip: fc.integer({ min: 0, max: 4 }),
      });
      const drawn = draw(request, seed, 10).map((each) => {
        const isSeen = referencePaths(seeded, view, {
          ...each,
          from: each.pageId,
          to: each.pageId,
          maxDepth: 1,
        });
        const hops = isSeen.length === 0 ? [] : hopsOf(seeded, view, { ...each, where: {} });
        const last = hops[each.skip - 1]?.edge;
        return { ...each, hops, after: last === undefined ? null : toPosition(last) };
      });

      const lists = await graph.listEdges(view, drawn);

      for (const [index, { hops, after, skip, first }] of drawn.entries()) {
        const start = after === null ? 0 : skip;
        expect(lists[index]).toMatchObject({
          edges: hops
            .slice(start, start + first)
            .map(({ edge, direction }) => ({ edge: { id: edge.id }, direction })),
          hasMore: hops.length > start + first,
          total: hops.length,
        });
        listed += lists[index]?.edges.length ?? 0;
      }
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  );

  expect(listed).toBeGreaterThan(GRAPHS * 2);
});

test('reads edges of a hundred pages in one statement', async () => {
  const tenant = 'ring';
  const names = Array.from({ length: 100 }, (_, index) => `p${index}`);
  await writeGraph(database, {
    tenant,
    pages: names.map((name) => pageOf(tenant, name)),
    edges: names.map((name, index) => edgeOf(tenant, `${name} CAUSES p${(index + 1) % 100}`)),
  });
  const before = database.statements;

  const lists = await graph.listEdges(
    viewOf(tenant),
    names.map((name) => requestOf(toId(tenant, name))),
  );

  expect(database.statements - before).toBe(1);
  expect(lists.map(({ total }) => total)).toEqual(names.map(() => 2));
});

test('skips and repeats no edge while newer ones of the same instant are added', async () => {
  const tenant = 'growing';
  const spokes = Array.from({ length: 9 }, (_, index) => `s${index}`);
  await writeGraph(database, {
    tenant,
    pages: ['hub', 'late', ...spokes].map((name) => pageOf(tenant, name)),
    edges: spokes.map((spoke, index) =>
      edgeOf(tenant, `hub ${index % 2 === 0 ? 'REFERENCES' : 'CAUSES'} ${spoke}`, 5),
    ),
  });
  const hub = toId(tenant, 'hub');
  const read: string[] = [];
  let after: EdgePosition | null = null;

  for (let hasMore = true; hasMore; ) {
    const [list] = await graph.listEdges(viewOf(tenant), [requestOf(hub, { first: 2, after })]);
    read.push(...(list?.edges ?? []).map(({ edge }) => edge.id));
    const last = list?.edges.at(-1)?.edge;
    after = last === undefined ? null : toPosition(last);
    hasMore = list?.hasMore ?? false;
    if (read.length === 2) await addEdge(tenant, 'hub FIXES late', 99);
  }

  expect(new Set(read).size).toBe(read.length);
  expect(read).toHaveLength(spokes.length);
});

test('tells nothing of a page between two readable ones', async () => {
  const tenant = 'secret';
  await writeGraph(database, secretBetween(tenant));
  const ids = [edgeOf(tenant, 'a CAUSES s').id, edgeOf(tenant, 'a CAUSES b').id];

  const [ofA, ofS] = await graph.listEdges(viewOf(tenant), [
    requestOf(toId(tenant, 'a'), { first: 1 }),
    requestOf(toId(tenant, 's')),
  ]);
  const [hidden, readable] = await graph.findManyEdges(viewOf(tenant), ids);

  expect(ofA).toMatchObject({ edges: [{ edge: { id: ids[1] } }], hasMore: false, total: 1 });
  expect(ofS).toMatchObject({ edges: [], hasMore: false, total: 0 });
  expect(hidden).toBeNull();
  expect(readable).toMatchObject({ id: ids[1], validFrom: null, retractedAt: null });
});

test('counts only when it is asked to', async () => {
  const tenant = 'uncounted';
  await writeGraph(database, secretBetween(tenant));
  const request = requestOf(toId(tenant, 'a'), { withTotal: false });

  const [list] = await graph.listEdges(viewOf(tenant), [request]);

  expect(list).toMatchObject({ edges: [{ direction: 'OUT' }], total: 0 });
});

test('lists only edges whose other end passes a filter, before the limit', async () => {
  const tenant = 'filtered';
  await writeGraph(database, {
    tenant,
    pages: [
      pageOf(tenant, 'a'),
      ...['b', 'c', 'd'].map((name) => pageOf(tenant, name)),
      pageOf(tenant, 'e', { kind: 'FIX' }),
    ],
    edges: ['e', 'b', 'c', 'd'].map((to, at) => edgeOf(tenant, `a CAUSES ${to}`, at)),
  });
  const request = requestOf(toId(tenant, 'a'), { first: 1 });

  const [list] = await graph.listEdges(viewOf(tenant), [request], 'AT_ONCE', { kinds: ['FIX'] });

  expect(list?.edges.map(({ edge }) => edge.toId)).toEqual([toId(tenant, 'e')]);
  expect(list).toMatchObject({ hasMore: false, total: 1 });
});

test('asks nothing when nothing is asked', async () => {
  const before = database.statements;

  expect(await graph.listEdges(viewOf('nobody'), [])).toEqual([]);
  expect(await graph.findManyEdges(viewOf('nobody'), [])).toEqual([]);
  expect(database.statements).toBe(before);
});

/** a leads to the hidden s, which leads to b; a leads to b itself too. */
function secretBetween(tenant: string): SeedGraph {
  return {
    tenant,
    pages: [pageOf(tenant, 'a'), pageOf(tenant, 's', { sensitivity: 3 }), pageOf(tenant, 'b')],
    edges: ['a CAUSES s', 's CAUSES b', 'a CAUSES b'].map((text) => edgeOf(tenant, text)),
  };
}

function requestOf(pageId: string, more: Partial<EdgeListRequest> = {}): EdgeListRequest {
  return { pageId, kinds: EDGE_KINDS, direction: 'BOTH', first: 10, after: null, ...more };
}

function toPosition({ kind, at, id }: { kind: string; at: number; id: string }): EdgePosition {
  return { bare: kind === 'REFERENCES', at, id };
}

async function addEdge(tenant: string, text: string, at: number): Promise<void> {
  const { id, kind, fromId, toId: to, validFrom, validTo } = edgeOf(tenant, text, at);
  await database.query({
    text: `insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, valid_from,
        valid_to, recorded_at, at) values ($1, $2, $3, $4, $5, false, true, $6, $7, 1, $8)`,
    values: [tenant, id, fromId, to, kind, validFrom, validTo, at],
  });
}
