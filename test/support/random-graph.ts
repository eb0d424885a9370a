import fc from 'fast-check';
import { DIRECTIONS, EDGE_KINDS, type EdgeKind } from '../../src/memory/edge.ts';
import type { WalkQuery } from '../../src/memory/graph-store.ts';
import type { PageKind } from '../../src/memory/page.ts';
import type { PageFilter } from '../../src/memory/page-store.ts';
import type { View } from '../../src/memory/view.ts';
import { OPEN, SINCE_EVER } from '../../src/postgres/time-bounds.ts';
import { type SeedGraph, toId, viewOf } from './seed-graph.ts';

const KINDS: readonly PageKind[] = ['PROBLEM', 'FIX'];

/** Instants from 0 to 9, so that intervals meet often. */
const instant = fc.integer({ min: 0, max: 9 });

/** Instants that are asked for: mostly when much is known. */
const lateInstant = mostly(fc.integer({ min: 4, max: 9 }), instant);

const interval = fc.record({
  validFrom: mostly(fc.constant(SINCE_EVER), instant),
  validTo: mostly(fc.constant(OPEN), instant),
  recordedAt: mostly(fc.integer({ min: 0, max: 3 }), instant),
  recordedTo: mostly(fc.constant(OPEN), instant),
});

const sensitivity = mostly(fc.constant(0), fc.integer({ min: 1, max: 3 }));

/** A graph of 4 to 14 pages in two projects, with hidden pages, old versions and ended edges. */
export function randomGraph(tenant: string): fc.Arbitrary<SeedGraph> {
  return fc.integer({ min: 4, max: 14 }).chain((size) => {
    const index = fc.integer({ min: 0, max: size - 1 });
    const page = fc.record({
      project: fc.oneof({ weight: 4, arbitrary: fc.constant('main') }, fc.constant('side')),
      kind: fc.constantFrom(...KINDS),
      sensitivity,
      archived: fc.boolean(),
      versions: fc.array(
        interval.chain((times) =>
          fc
            .record({ kind: fc.constantFrom(...KINDS), sensitivity })
            .map((v) => ({ ...times, ...v })),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    });
    const edge = fc.record({
      from: index,
      to: index,
      kind: fc.constantFrom(...EDGE_KINDS),
      times: interval,
      at: instant,
    });

    return fc
      .record({
        pages: fc.array(page, { minLength: size, maxLength: size }),
        edges: fc.array(edge, { minLength: size, maxLength: size * 5 }),
      })
      .map(({ pages, edges }) => ({
        tenant,
        pages: pages.map(({ project, versions, ...rest }, place) => ({
          ...rest,
          id: toId(tenant, place),
          projectId: toId(tenant, project),
          path: String(place),
          versions: versions.toSorted((a, b) => a.recordedAt - b.recordedAt),
        })),
        edges: withoutDuplicates(edges).map(({ from, to, times, ...rest }, place) => ({
          ...rest,
          ...times,
          id: toId(tenant, 'edge', place),
          fromId: toId(tenant, from),
          toId: toId(tenant, to),
        })),
      }));
  });
}

type Drawn = {
  readonly from: number;
  readonly to: number;
  readonly kind: EdgeKind;
  readonly times: { readonly recordedTo: number };
};

/** No loops, and one edge without an end for each pair and kind, as the ledger demands. */
function withoutDuplicates<Item extends Drawn>(edges: readonly Item[]): Item[] {
  const open = new Set<string>();
  return edges.filter(({ from, to, kind, times }) => {
    const key = `${from}/${to}/${kind}`;
    const isTwice = times.recordedTo === OPEN && open.has(key);
    if (times.recordedTo === OPEN) open.add(key);
    return from !== to && !isTwice;
  });
}

/** Present and past, with all or one of the projects, at any clearance. */
export function randomView(tenant: string): fc.Arbitrary<View> {
  return fc
    .record({
      projects: mostly(fc.constant(['main', 'side']), fc.constantFrom(['main'], ['side'], [])),
      clearance: mostly(fc.constant(2), fc.integer({ min: 0, max: 3 })),
      now: lateInstant,
      asOf: fc.oneof(
        fc.constant(null),
        fc.record({ validAt: fc.option(lateInstant), recordedAt: lateInstant }),
      ),
    })
    .map(({ projects, ...rest }) =>
      viewOf(tenant, { ...rest, projectIds: projects.map((name) => toId(tenant, name)) }),
    );
}

export const randomKinds = fc.oneof(
  fc.constant(EDGE_KINDS),
  fc.subarray([...EDGE_KINDS], { minLength: 1 }),
);

export const randomDirection = fc.constantFrom(...DIRECTIONS);

/** Pages of the graph, and one that is nowhere. */
export function randomPageId(graph: SeedGraph): fc.Arbitrary<string> {
  return mostly(fc.constantFrom(...graph.pages.map(({ id }) => id)), fc.constant(toId('nowhere')));
}

export function randomWalkQuery(graph: SeedGraph): fc.Arbitrary<WalkQuery> {
  const where: fc.Arbitrary<PageFilter> = fc.oneof(
    fc.constant({}),
    fc.constantFrom<PageFilter>(
      { kinds: ['FIX'] },
      { sensitivityCeiling: 0 },
      { excludeArchived: true },
      { excludeIds: graph.pages.slice(0, 2).map(({ id }) => id) },
    ),
  );
  return fc.record({
    from: fc.uniqueArray(randomPageId(graph), { minLength: 1, maxLength: 4 }),
    kinds: randomKinds,
    direction: randomDirection,
    depth: fc.integer({ min: 1, max: 8 }),
    maxPages: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 8 })),
    fanOut: fc.oneof(fc.constant(50), fc.integer({ min: 1, max: 4 })),
    where,
  });
}

/**
 * The values that an arbitrary gives for a seed. Without bias: small graphs where nothing is
 * visible would agree about nothing.
 */
export function draw<Value>(arbitrary: fc.Arbitrary<Value>, seed: number, count: number): Value[] {
  return fc.sample(fc.noBias(arbitrary), { seed, numRuns: count });
}

function mostly<Value, Rare>(
  arbitrary: fc.Arbitrary<Value>,
  rare: fc.Arbitrary<Rare>,
): fc.Arbitrary<Value | Rare> {
  return fc.oneof({ weight: 7, arbitrary }, { weight: 1, arbitrary: rare });
}
