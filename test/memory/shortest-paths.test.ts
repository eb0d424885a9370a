import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Direction } from '../../src/memory/edge.ts';
import type { Truncation } from '../../src/memory/graph-store.ts';
import { type Expand, type Hop, searchShortestPaths } from '../../src/memory/shortest-paths.ts';

type Arrow = readonly [from: string, to: string];

/** A store of a few arrows that follows at most `fanOut` of each page; the later ones are newer. */
function storeOf(arrows: readonly Arrow[], fanOut: number) {
  const hopsOf = (pageId: string, direction: Direction): Hop[] =>
    arrows
      .flatMap(([from, to], at): Hop[] => {
        const edge = { id: `${at}`, at, bare: false, pageId };
        return [
          ...(from === pageId && direction !== 'IN'
            ? [{ ...edge, otherId: to, direction: 'OUT' as const }]
            : []),
          ...(to === pageId && direction !== 'OUT'
            ? [{ ...edge, otherId: from, direction: 'IN' as const }]
            : []),
        ];
      })
      .reverse();

  const expand: Expand = async (pageIds, direction, seen) => ({
    hops: pageIds.flatMap((id) =>
      hopsOf(id, direction)
        .slice(0, fanOut)
        .filter(({ otherId }) => !seen.includes(otherId)),
    ),
    truncated: pageIds
      .filter((id) => hopsOf(id, direction).length > fanOut)
      .map((at): Truncation => ({ reason: 'FAN_OUT', at })),
  });
  return { hopsOf, expand };
}

/** Hops of the shortest way, by trying whole levels from one end; null when there is none. */
function leastLength(
  hopsOf: (pageId: string, direction: Direction) => readonly Hop[],
  { from, to, direction, maxDepth }: ReturnType<typeof queryOf>,
): number | null {
  let level = new Set([from]);
  for (let length = 0; length <= maxDepth; length++) {
    if (level.has(to)) return length;
    level = new Set([...level].flatMap((id) => hopsOf(id, direction).map((hop) => hop.otherId)));
  }
  return null;
}

const queryOf = (from: string, to: string, direction: Direction = 'OUT') => ({
  from,
  to,
  direction,
  maxDepth: 8,
  k: 5,
});

test('leaves out the longer of two ways when an edge that one end cut shows from the other', async () => {
  // `a` follows the newest two of its three arrows; the one to `b` shows from `b` alone.
  const { expand } = storeOf(
    [
      ['m', 'b'],
      ['a', 'b'],
      ['a', 'm'],
      ['a', 'n'],
    ],
    2,
  );

  const { paths, truncated } = await searchShortestPaths({ ...queryOf('a', 'b'), expand });

  expect(paths.map((path) => path.map(({ otherId }) => otherId))).toEqual([['b']]);
  expect(truncated).toEqual([{ reason: 'FAN_OUT', at: 'a' }]);
});

const graph = fc.integer({ min: 3, max: 9 }).chain((size) => {
  const page = fc.integer({ min: 0, max: size - 1 }).map(String);
  return fc.record({
    arrows: fc
      .array(fc.tuple(page, page), { minLength: size, maxLength: size * 4 })
      .map((all) => all.filter(([from, to]) => from !== to)),
    from: page,
    to: page,
    direction: fc.constantFrom<Direction>('OUT', 'IN', 'BOTH'),
    fanOut: fc.integer({ min: 1, max: 6 }),
  });
});

test('gives ways of one length, which is the least while nothing was left out', async () => {
  let cut = 0;
  let whole = 0;

  await fc.assert(
    fc.asyncProperty(graph, async ({ arrows, from, to, direction, fanOut }) => {
      const { hopsOf, expand } = storeOf(arrows, fanOut);
      const query = queryOf(from, to, direction);

      const { paths, truncated } = await searchShortestPaths({ ...query, expand });

      const lengths = [...new Set(paths.map((path) => path.length))];
      const least = leastLength(hopsOf, query);
      if (truncated.length > 0) {
        cut += paths.length;
        expect(lengths.length).toBeLessThanOrEqual(1);
        for (const length of lengths) expect(length).toBeGreaterThanOrEqual(least ?? Infinity);
      } else {
        whole += paths.length;
        expect(lengths).toEqual(least === null ? [] : [least]);
      }
      for (const path of paths) {
        const pages = [from, ...path.map(({ otherId }) => otherId)];
        expect(path.map(({ pageId }) => pageId)).toEqual(pages.slice(0, -1));
        expect(pages.at(-1)).toBe(to);
        expect(new Set(pages).size).toBe(pages.length);
      }
    }),
    { numRuns: 3_000 },
  );

  expect(Math.min(cut, whole)).toBeGreaterThan(100);
});
