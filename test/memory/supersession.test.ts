import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findClosing, findCycle, type Supersession } from '../../src/memory/supersession.ts';

const page = fc.integer({ min: 0, max: 8 });
const edges = fc.array(
  fc.tuple(page, page).map(([from, to]): Supersession => ({ fromId: `${from}`, toId: `${to}` })),
  { maxLength: 20 },
);

test('finds no circle where every page replaces older ones only', () => {
  fc.assert(
    fc.property(edges, (all) => {
      const downward = all.filter(({ fromId, toId }) => fromId > toId);
      expect(findCycle(downward)).toBeNull();
    }),
  );
});

test('finds a circle exactly where some page reaches itself, and names it edge by edge', () => {
  fc.assert(
    fc.property(edges, (all) => {
      const cycle = findCycle(all);

      expect(cycle !== null).toBe(all.some(({ fromId, toId }) => reaches(all, toId, fromId)));
      for (const [index, id] of (cycle ?? []).entries()) {
        const next = cycle?.[(index + 1) % cycle.length];
        expect(all).toContainEqual({ fromId: id, toId: next });
      }
      expect(new Set(cycle).size).toBe(cycle?.length ?? 0);
    }),
  );
});

test('looks at a hundred thousand replacements in a row, and at layers with 2^60 ways', () => {
  const chain = Array.from({ length: 100_000 }, (_, index) => ({
    fromId: `${index}`,
    toId: `${index + 1}`,
  }));
  const layers = Array.from({ length: 60 }, (_, layer) =>
    ['a', 'b'].flatMap((from) =>
      ['a', 'b'].map((to) => ({ fromId: `${layer}${from}`, toId: `${layer + 1}${to}` })),
    ),
  ).flat();

  expect(findCycle(chain)).toBeNull();
  expect(findCycle([...chain, { fromId: '100000', toId: '0' }])).toHaveLength(100_001);
  expect(findCycle(layers)).toBeNull();
});

test('finds, one by one in their order, the added edges that close a circle', () => {
  fc.assert(
    fc.property(edges, edges, (all, added) => {
      const there = all.filter(({ fromId, toId }) => fromId > toId);
      const kept: Supersession[] = [];
      const left = added.filter((edge) => {
        const closes = reaches([...there, ...kept], edge.toId, edge.fromId);
        if (!closes) kept.push(edge);
        return closes;
      });

      const closing = findClosing(there, added);

      expect(closing).toEqual(left);
      expect(findCycle([...there, ...kept])).toBeNull();
    }),
  );
});

/** By repeated widening: slow, and simple enough to be right. */
function reaches(all: readonly Supersession[], from: string, to: string): boolean {
  const reached = new Set([from]);
  for (let before = 0; before !== reached.size; ) {
    before = reached.size;
    for (const { fromId, toId } of all) if (reached.has(fromId)) reached.add(toId);
  }
  return reached.has(to);
}
