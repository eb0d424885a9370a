import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Arm, Contribution } from '../../src/memory/fuse-rankings.ts';
import {
  type Below,
  cutToLimit,
  justBelow,
  type Ranked,
  rankHits,
  type Weighed,
} from '../../src/memory/rank-hits.ts';
import { NO_FEEDBACK } from '../../src/memory/salience.ts';

type Given = {
  readonly path?: string;
  readonly authority?: number;
  readonly typeHint?: number;
  readonly first?: readonly Arm[];
};

/** A page of that score; `first` are the arms whose first hit it is. */
function page(id: string, score: number, given: Given = {}): Weighed {
  const { path = id, authority = 1, typeHint = 0, first = [] } = given;
  const contributions = first.map((arm): Contribution => ({ arm, weight: 1, rank: 1, value: 0 }));
  return {
    facts: {
      id,
      path,
      kind: 'NOTE',
      tags: [],
      isSuperseded: false,
      asks: false,
      feedback: NO_FEEDBACK,
    },
    fused: { pageId: id, score, contributions },
    authority: { value: authority, factors: [], cap: null },
    typeHint: { matched: typeHint > 0, value: typeHint },
  };
}

function idsOf(ranked: readonly Ranked[]): string[] {
  return ranked.map(({ facts }) => facts.id);
}

test('sorts by the fused score and the type hint, times authority', () => {
  const ranked = rankHits([
    page('a', 0.5),
    page('b', 0.4, { authority: 1.5 }),
    page('c', 0.49, { typeHint: 0.02 }),
  ]);

  expect(ranked.map(({ facts, score }) => [facts.id, score])).toEqual([
    ['b', 0.4 * 1.5],
    ['c', 0.49 + 0.02],
    ['a', 0.5],
  ]);
});

test('breaks ties by path, then by id', () => {
  const ranked = rankHits([
    page('3', 1, { path: 'b' }),
    page('2', 1, { path: 'a' }),
    page('1', 1, { path: 'b' }),
  ]);

  expect(idsOf(ranked)).toEqual(['2', '1', '3']);
});

describe('pages that belong below another', () => {
  test('holds the better one just below, and says by what', () => {
    const ranked = rankHits([page('old', 0.9), page('new', 0.3)], [{ lower: 'old', upper: 'new' }]);

    expect(idsOf(ranked)).toEqual(['new', 'old']);
    expect(ranked[1]).toMatchObject({
      score: justBelow(0.3),
      heldBelow: { pageId: 'new', score: 0.3 },
    });
  });

  test('leaves one alone that is below already', () => {
    const ranked = rankHits([page('old', 0.1), page('new', 0.3)], [{ lower: 'old', upper: 'new' }]);

    expect(ranked[1]).toMatchObject({ score: 0.1, heldBelow: null });
  });

  test('puts an equal one below, whatever the path', () => {
    const ranked = rankHits([page('a', 0.3), page('b', 0.3)], [{ lower: 'a', upper: 'b' }]);

    expect(idsOf(ranked)).toEqual(['b', 'a']);
  });

  test('follows a chain of replacements', () => {
    const below = [
      { lower: 'v1', upper: 'v2' },
      { lower: 'v2', upper: 'v3' },
    ];

    expect(idsOf(rankHits([page('v1', 9), page('v2', 5), page('v3', 1)], below))).toEqual([
      'v3',
      'v2',
      'v1',
    ]);
  });

  test('holds below the lowest of several', () => {
    const below = [
      { lower: 'x', upper: 'a' },
      { lower: 'x', upper: 'b' },
    ];
    const ranked = rankHits([page('x', 9), page('a', 5), page('b', 1)], below);

    expect(ranked.at(-1)).toMatchObject({ heldBelow: { pageId: 'b', score: 1 } });
  });

  test('is not moved by one that is no hit', () => {
    const ranked = rankHits([page('a', 1)], [{ lower: 'a', upper: 'gone' }]);

    expect(ranked[0]).toMatchObject({ score: 1, heldBelow: null });
  });

  test.each([
    ['two', ['a', 'b']],
    ['three', ['a', 'b', 'c']],
  ])('does not order %s that dispute each other in a circle', (_count, circle) => {
    const below = circle.map((lower, at) => ({
      lower,
      upper: circle[(at + 1) % circle.length] ?? '',
    }));
    const pages = circle.map((id, index) => page(id, 9 - index));

    expect(rankHits(pages, below).map(({ score }) => score)).toEqual(
      circle.map((_, index) => 9 - index),
    );
  });

  test('still holds what hangs on a circle', () => {
    const below = [
      { lower: 'a', upper: 'b' },
      { lower: 'b', upper: 'a' },
      { lower: 'x', upper: 'a' },
    ];

    expect(idsOf(rankHits([page('x', 9), page('a', 2), page('b', 1)], below))).toEqual([
      'a',
      'x',
      'b',
    ]);
  });
});

const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
const id = fc.constantFrom(...ids);
const score = fc.integer({ min: 0, max: 5 });
const pages = fc
  .dictionary(id, score, { minKeys: 1 })
  .map((scores) => Object.entries(scores).map(([each, value]) => page(each, value)));
const links = fc.array(
  fc.record<Below>({ lower: id, upper: id }).filter(({ lower, upper }) => lower !== upper),
  { maxLength: 8 },
);

/** From the smallest number there is to more than any score is, and 0. */
const anyScore = fc.oneof(
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.nat(2 ** 22).map((steps) => steps * Number.MIN_VALUE),
  fc.constantFrom(0, -0, Number.MIN_VALUE, -Number.MIN_VALUE, 2 ** -1022, 2 ** -1021),
);

test('makes a score that is strictly below, by a millionth at most, and keeps the order', () => {
  fc.assert(
    fc.property(anyScore, anyScore, (a, b) => {
      expect(justBelow(a)).toBeLessThan(a);
      expect(a - justBelow(a)).toBeLessThanOrEqual(
        Math.max(Math.abs(a) * 2 ** -19, Number.MIN_VALUE),
      );
      if (a < b) expect(justBelow(a)).toBeLessThanOrEqual(justBelow(b));
    }),
    { numRuns: 2_000 },
  );
});

test.each([0, Number.MIN_VALUE, 1e-320])('holds a chain of pages below the score %d', (lowest) => {
  const below = [
    { lower: 'a', upper: 'b' },
    { lower: 'b', upper: 'c' },
  ];

  expect(idsOf(rankHits([page('a', 9), page('b', lowest), page('c', lowest)], below))).toEqual([
    'c',
    'b',
    'a',
  ]);
});

test('gives one order, whatever the order of its pages and links', () => {
  fc.assert(
    fc.property(pages, links, (given, below) => {
      expect(rankHits(given.toReversed(), below.toReversed())).toEqual(rankHits(given, below));
    }),
  );
});

test('has every score either its own or just below a hit that stands above', () => {
  fc.assert(
    fc.property(pages, links, (given, below) => {
      const ranked = rankHits(given, below);

      const scores = new Map(ranked.map((hit) => [hit.facts.id, hit.score]));
      for (const hit of ranked) {
        const { heldBelow } = hit;
        expect(hit.score).toBe(heldBelow === null ? hit.fused.score : justBelow(heldBelow.score));
        if (heldBelow !== null) expect(scores.get(heldBelow.pageId)).toBe(heldBelow.score);
      }
    }),
  );
});

test('has every page strictly below what it belongs below, where there are no circles', () => {
  fc.assert(
    fc.property(pages, links, (given, below) => {
      const acyclic = below.filter(({ lower, upper }) => lower < upper);
      const scores = new Map(rankHits(given, acyclic).map((hit) => [hit.facts.id, hit.score]));

      for (const { lower, upper } of acyclic) {
        if (!scores.has(lower) || !scores.has(upper)) continue;
        expect(scores.get(lower)).toBeLessThan(scores.get(upper) ?? 0);
      }
    }),
  );
});

describe('the cut', () => {
  const ranked = rankHits([
    page('a', 9),
    page('b', 8),
    page('c', 7),
    page('d', 6, { first: ['KEYWORD'] }),
    page('e', 5, { first: ['DENSE'] }),
    page('f', 4, { first: ['GRAPH'] }),
  ]);

  test('keeps the first of each arm, in order, and the best of all', () => {
    expect(idsOf(cutToLimit(ranked, 5))).toEqual(['a', 'b', 'd', 'e', 'f']);
    expect(idsOf(cutToLimit(ranked, 4))).toEqual(['a', 'd', 'e', 'f']);
  });

  test('has the graph give way when there are three places', () => {
    expect(idsOf(cutToLimit(ranked, 3))).toEqual(['a', 'd', 'e']);
  });

  test('takes the best alone when there are fewer than three places', () => {
    expect(idsOf(cutToLimit(ranked, 2))).toEqual(['a', 'b']);
  });

  test('takes all when there is room', () => {
    expect(cutToLimit(ranked, 6)).toEqual(ranked);
  });
});
