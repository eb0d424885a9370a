import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EDGE_KINDS } from '../../src/memory/edge.ts';
import type { EdgePosition } from '../../src/memory/graph-store.ts';
import { openTestGraph, type TestGraph } from '../support/graph.ts';
import {
  draw,
  randomDirection,
  randomGraph,
  randomKinds,
  randomPageId,
  randomView,
  randomWalkQuery,
} from '../support/random-graph.ts';
import { hopsOf, referencePaths, referenceWalk, toReference } from '../support/reference-walk.ts';
import { edgeOf, pageOf, type SeedGraph, toId, viewOf } from '../support/seed-graph.ts';

const GRAPHS = 15;
const QUERIES = 10;

let testGraph: TestGraph;

describe.each([
  ['by scans', 1_000],
  // Nearly every page of a random graph is a hub then.
  ['through the indexes', 2],
])('edges read %s', (name, hubDegree) => {
  beforeAll(async () => {
    testGraph = await openTestGraph({ hubDegree });
  });
  afterAll(() => testGraph.close());

  test('walks random graphs as the reference does', { timeout: 120_000 }, async () => {
    let byNeo4j = 0;
    await overRandomGraphs(`walk ${name}`, async (seeded, seed) => {
      const cases = draw(
        fc.tuple(randomView(seeded.tenant), randomWalkQuery(seeded)),
        seed,
        QUERIES,
      );
      for (const [view, query] of cases) {
        const walk = await testGraph.store.walk(view, query);

        expect(toReference(walk)).toEqual(referenceWalk(seeded, view, query));
        if (walk.served.by === 'NEO4J') byNeo4j += 1;
        expect(walk.served.isStale).toBe(false);
      }
    });
    expect(byNeo4j).toBeGreaterThan(GRAPHS * 2);
  });

  test('lists random edges as the reference does', { timeout: 120_000 }, async () => {
    let listed = 0;
    await overRandomGraphs(`list ${name}`, async (seeded, seed) => {
      const [drawnView] = draw(randomView(seeded.tenant), seed, 1);
      if (drawnView === undefined) throw new Error('Nothing was drawn.');
      const view = { ...drawnView, asOf: null };
      const request = fc.record({
        pageId: randomPageId(seeded),
        kinds: randomKinds,
        direction: randomDirection,
        first: fc.integer({ min: 1, max: 5 }),
        skip: fc.integer({ min: 0, max: 4 }),
      });
      const drawn = draw(request, seed, QUERIES).map((each) => {
        const ends = { from: each.pageId, to: each.pageId, maxDepth: 1 };
        const isSeen = referencePaths(seeded, view, { ...each, ...ends }).length > 0;
        const hops = isSeen ? hopsOf(seeded, view, { ...each, where: {} }) : [];
        const last = hops[each.skip - 1]?.edge;
        return { ...each, hops, after: last === undefined ? null : toPosition(last) };
      });

      const lists = await testGraph.store.listEdges(view, drawn);

      for (const [index, { hops, after, skip, first }] of drawn.entries()) {
        const start = after === null ? 0 : skip;
        expect(lists[index]).toMatchObject({
          edges: hops
            .slice(start, start + first)
            .map(({ edge, direction }) => ({ edge: { id: edge.id }, direction })),
          hasMore: hops.length > start + first,
          total: hops.length,
          served: { by: 'NEO4J' },
        });
        listed += lists[index]?.edges.length ?? 0;
      }
    });
    expect(listed).toBeGreaterThan(GRAPHS);
  });

  test('finds the paths that trying every way finds', { timeout: 120_000 }, async () => {
    let found = 0;
    await overRandomGraphs(`path ${name}`, async (seeded, seed) => {
      const query = fc.record({
        from: randomPageId(seeded),
        to: randomPageId(seeded),
        kinds: randomKinds,
        direction: randomDirection,
        maxDepth: fc.integer({ min: 1, max: 4 }),
        k: fc.integer({ min: 1, max: 5 }),
      });
      for (const [view, asked] of draw(fc.tuple(randomView(seeded.tenant), query), seed, QUERIES)) {
        const { paths } = await testGraph.store.shortestPaths(view, asked);

        const expected = referencePaths(seeded, view, asked).slice(0, asked.k);
        expect(paths.map((path) => path.map(({ edge }) => edge.id))).toEqual(expected);
        found += expected.length;
      }
    });
    expect(found).toBeGreaterThan(GRAPHS);
  });

  test('gives every field of an edge as the ledger does', async () => {
    const tenant = `fields ${name}`;
    const [leak, outage] = [toId(tenant, 'leak'), toId(tenant, 'outage')];
    await testGraph.write({
      tenant,
      pages: [pageOf(tenant, 'leak'), pageOf(tenant, 'outage')],
      edges: [edgeOf(tenant, 'leak CAUSES outage', 7)],
    });

    const [list] = await testGraph.store.listEdges(viewOf(tenant), [
      { pageId: leak, kinds: EDGE_KINDS, direction: 'OUT', first: 1, after: null },
    ]);

    expect(list?.edges).toEqual([
      {
        direction: 'OUT',
        edge: {
          id: expect.any(String),
          kind: 'CAUSES',
          fromId: leak,
          toId: outage,
          note: null,
          validFrom: null,
          validTo: null,
          recordedAt: 1,
          retractedAt: null,
          at: 7,
          resolution: null,
          resolvedBy: null,
          resolvedAt: null,
          resolutionNote: null,
        },
      },
    ]);
  });

  test('leaves it to the ledger to list contradictions by their state', async () => {
    const tenant = `states ${name}`;
    await testGraph.write({
      tenant,
      pages: [pageOf(tenant, 'doubt'), pageOf(tenant, 'claim')],
      edges: [edgeOf(tenant, 'doubt CONTRADICTS claim', 7)],
    });
    const asked = { kinds: EDGE_KINDS, direction: 'IN', first: 9, after: null } as const;

    const lists = await testGraph.store.listEdges(viewOf(tenant), [
      { ...asked, pageId: toId(tenant, 'claim'), resolutions: ['DISMISSED'] },
      { ...asked, pageId: toId(tenant, 'claim'), resolutions: ['UNRESOLVED'] },
    ]);

    expect(lists.map(({ total, served }) => [total, served.by])).toEqual([
      [0, 'LEDGER'],
      [1, 'LEDGER'],
    ]);
  });
});

async function overRandomGraphs(
  name: string,
  check: (seeded: SeedGraph, seed: number) => Promise<void>,
): Promise<void> {
  let tenants = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const [seeded] = draw(randomGraph(`${name} ${tenants++}`), seed, 1);
      if (seeded === undefined) throw new Error('Nothing was drawn.');
      await testGraph.write(seeded);
      await check(seeded, seed);
    }),
    { numRuns: GRAPHS, endOnFailure: true },
  );
}

function toPosition({ kind, at, id }: SeedGraph['edges'][number]): EdgePosition {
  return { bare: kind === 'REFERENCES', at, id };
}
