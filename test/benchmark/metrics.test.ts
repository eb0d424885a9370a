import fc from 'fast-check';
import { expect, test } from 'vitest';
import { METRICS, meanOf, score } from '../../benchmark/recall/metrics.ts';

const key = fc.integer({ min: 0, max: 30 }).map((index) => `k${index}`);
const ranking = fc.uniqueArray(key, { maxLength: 25 });
const wanted = fc.uniqueArray(key, { minLength: 1, maxLength: 6 });

test('counts what was found among the first, and where', () => {
  const scores = score(['x', 'a', 'y', 'z', 'w', 'b'], ['a', 'b']);

  expect(scores).toMatchObject({ recallAt1: 0, recallAt5: 0.5, recallAt10: 1, mrr: 0.5 });
  expect(scores).toMatchObject({ anyAt10: 1, allAt10: 1 });
  // 1/log2(3) + 1/log2(7), over 1/log2(2) + 1/log2(3).
  expect(scores.ndcgAt10).toBeCloseTo(0.60526, 5);
});

test('is all zeros where nothing was found, and all ones in the best order', () => {
  expect(new Set(Object.values(score(['x'], ['a'])))).toEqual(new Set([0]));
  expect(new Set(Object.values(score(['a', 'x'], ['a', 'a'])))).toEqual(new Set([1]));
});

test('stays from 0 to 1, and never falls with more hits looked at', () => {
  fc.assert(
    fc.property(ranking, wanted, (ranked, relevant) => {
      const scores = score(ranked, relevant);

      for (const metric of METRICS) {
        expect(scores[metric]).toBeGreaterThanOrEqual(0);
        expect(scores[metric]).toBeLessThanOrEqual(1);
      }
      const { recallAt1, recallAt5, recallAt10, recallAt20 } = scores;
      expect([recallAt1, recallAt5, recallAt10, recallAt20]).toEqual(
        [recallAt1, recallAt5, recallAt10, recallAt20].toSorted((a, b) => a - b),
      );
    }),
  );
});

test('never falls when a relevant one moves up by one place', () => {
  fc.assert(
    fc.property(ranking, wanted, fc.nat(), (ranked, relevant, seed) => {
      const at = seed % Math.max(1, ranked.length);
      const [above, moved] = [ranked[at - 1], ranked[at]];
      fc.pre(above !== undefined && moved !== undefined);
      fc.pre(relevant.includes(moved) && !relevant.includes(above));
      const better = ranked.with(at - 1, moved).with(at, above);

      for (const metric of METRICS) {
        expect(score(better, relevant)[metric]).toBeGreaterThanOrEqual(
          score(ranked, relevant)[metric],
        );
      }
    }),
  );
});

test('takes the mean of each metric, and zeros of no query', () => {
  const mean = meanOf([score(['a'], ['a']), score(['x'], ['a'])]);

  expect(new Set(Object.values(mean))).toEqual(new Set([0.5]));
  expect(new Set(Object.values(meanOf([])))).toEqual(new Set([0]));
});
