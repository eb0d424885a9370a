import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuseRankings, type Rankings, sum } from '../../src/memory/fuse-rankings.ts';

const NOTHING: Rankings = {
  keyword: [],
  dense: [],
  similarities: new Map(),
  graph: [],
  isLookUp: false,
  isHinted: false,
};

test('adds 0.45 of the words and 0.55 of the meaning, each on its own scale', () => {
  const fused = fuseRankings('CONVEX', {
    ...NOTHING,
    keyword: [
      { pageId: 'a', score: 8 },
      { pageId: 'b', score: 2 },
    ],
    dense: [{ pageId: 'b' }],
    similarities: new Map([
      ['a', 0.2],
      ['b', 0.9],
    ]),
  });

  expect(fused.map(({ pageId, score }) => [pageId, score])).toEqual([
    ['b', 0.45 * 0.25 + 0.55 * 0.9],
    ['a', 0.45 * 1 + 0.55 * 0.2],
  ]);
});

test('counts the exact cosine of a page that only words found, without a rank', () => {
  const [only] = fuseRankings('CONVEX', {
    ...NOTHING,
    keyword: [{ pageId: 'a', score: 3 }],
    similarities: new Map([['a', 0.5]]),
  });

  expect(only?.contributions).toEqual([
    { arm: 'KEYWORD', weight: 0.45, rank: 1, value: 1 },
    { arm: 'DENSE', weight: 0.55, rank: null, value: 0.5 },
  ]);
});

test('takes a cosine below zero for none', () => {
  const [only] = fuseRankings('CONVEX', {
    ...NOTHING,
    dense: [{ pageId: 'a' }],
    similarities: new Map([['a', -0.4]]),
  });

  expect(only?.score).toBe(0);
});

test('adds the share of a seed that the graph lends', () => {
  const [only] = fuseRankings('CONVEX', { ...NOTHING, graph: [{ pageId: 'a', value: 0.5 }] });

  expect(only).toEqual({
    pageId: 'a',
    score: 0.3 * 0.5,
    contributions: [{ arm: 'GRAPH', weight: 0.3, rank: 1, value: 0.5 }],
  });
});

test.each([
  ['a name is looked up', { isLookUp: true, isHinted: false }],
  ['hints alone found the best page', { isLookUp: false, isHinted: true }],
])('trusts the words where %s', (_, trusted) => {
  const fused = fuseRankings('CONVEX', {
    ...NOTHING,
    keyword: [
      { pageId: 'a', score: 8 },
      { pageId: 'b', score: 2 },
    ],
    similarities: new Map([
      ['a', 0.2],
      ['b', 1],
    ]),
    ...trusted,
  });

  expect(fused.map(({ pageId, score }) => [pageId, score])).toEqual([
    ['a', 0.85 * 1 + 0.15 * 0.2],
    ['b', 0.85 * 0.25 + 0.15 * 1],
  ]);
});

test('adds 1 / (60 + rank) of each arm, and half of it for the graph', () => {
  const fused = fuseRankings('RRF', {
    keyword: [
      { pageId: 'a', score: 9 },
      { pageId: 'b', score: 1 },
    ],
    dense: [{ pageId: 'b' }],
    similarities: new Map([
      ['a', 1],
      ['b', 0],
    ]),
    graph: [{ pageId: 'a', value: 0.1 }],
    isLookUp: false,
    isHinted: false,
  });

  expect(fused.map(({ pageId, score }) => [pageId, score])).toEqual([
    ['b', 1 / 62 + 1 / 61],
    ['a', 1 / 61 + 0.5 / 61],
  ]);
});

const pageId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const ids = fc.uniqueArray(pageId);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });
const method = fc.constantFrom('CONVEX' as const, 'RRF' as const);

/** What the arms may hand over: lists best first, and a cosine of all that they found but a few. */
const rankings = fc
  .record({
    words: fc.uniqueArray(fc.tuple(pageId, fc.double({ min: 0.01, max: 50, noNaN: true })), {
      selector: ([id]) => id,
    }),
    near: fc.uniqueArray(fc.tuple(pageId, cosine), { selector: ([id]) => id }),
    rest: fc.dictionary(pageId, cosine),
    joined: fc.uniqueArray(fc.tuple(pageId, share), { selector: ([id]) => id }),
    isLookUp: fc.boolean(),
    isHinted: fc.boolean(),
  })
  .map(({ words, near, rest, joined, isLookUp, isHinted }): Rankings => {
    const keyword = words
      .map(([id, score]) => ({ pageId: id, score }))
      .sort((a, b) => b.score - a.score);
    const dense = near.toSorted((a, b) => b[1] - a[1]);
    const graph = joined
      .map(([id, value]) => ({ pageId: id, value }))
      .sort((a, b) => b.value - a.value);
    return {
      keyword,
      dense: dense.map(([id]) => ({ pageId: id })),
      similarities: new Map([...Object.entries(rest), ...dense]),
      graph,
      isLookUp,
      isHinted,
    };
  });

test('finds what some arm found and nothing else, each once', () => {
  fc.assert(
    fc.property(method, rankings, (how, found) => {
      const fused = fuseRankings(how, found).map((each) => each.pageId);

      const all = [...found.keyword, ...found.dense, ...found.graph].map((each) => each.pageId);
      expect(fused.toSorted()).toEqual([...new Set(all)].toSorted());
    }),
  );
});

test('sorts by the sum of weight and value of its contributions, to the last bit', () => {
  fc.assert(
    fc.property(method, rankings, (how, found) => {
      const fused = fuseRankings(how, found);

      expect(fused.map(({ score }) => score)).toEqual(
        fused.map(({ contributions }) => sum(contributions)),
      );
      expect(fused).toEqual(
        fused.toSorted((a, b) => b.score - a.score || (a.pageId < b.pageId ? -1 : 1)),
      );
    }),
  );
});

test('lets an empty arm add nothing', () => {
  fc.assert(
    fc.property(method, rankings, (how, found) => {
      const withoutGraph = fuseRankings(how, { ...found, graph: [] });

      expect(withoutGraph.flatMap((each) => each.contributions)).not.toContainEqual(
        expect.objectContaining({ arm: 'GRAPH' }),
      );
    }),
  );
});

test('looks at nothing but the order under RRF', () => {
  fc.assert(
    fc.property(rankings, fc.double({ min: 0.1, max: 10, noNaN: true }), (found, factor) => {
      const stretched = {
        ...found,
        keyword: found.keyword.map((hit) => ({ ...hit, score: hit.score * factor })),
        similarities: new Map<string, number>(),
      };

      expect(fuseRankings('RRF', stretched)).toEqual(fuseRankings('RRF', found));
    }),
  );
});

test('does not care for the scale of BM25 under CONVEX', () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: -8, max: 8 }), (order, power) => {
      const keyword = order.map((id, index) => ({ pageId: id, score: 10 - index }));
      const scaled = keyword.map((hit) => ({ ...hit, score: hit.score * 2 ** power }));

      expect(fuseRankings('CONVEX', { ...NOTHING, keyword: scaled })).toEqual(
        fuseRankings('CONVEX', { ...NOTHING, keyword }),
      );
    }),
  );
});
