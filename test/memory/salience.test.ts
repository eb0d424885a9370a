import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type FeedbackCounts,
  MAX_SALIENCE,
  NO_FEEDBACK,
  salience,
} from '../../src/memory/salience.ts';

const of = (useful: number, notUseful: number, wrong: number) =>
  salience({ useful, notUseful, wrong });

test.each([
  [0, 0, 0, 0],
  [1, 0, 0, 0.016667],
  [10, 0, 0, 0.066667],
  [0, 1, 0, -0.016667],
  [0, 0, 1, -0.0375],
  [3, 0, 1, 0],
  [1_000, 0, 0, 0.099502],
])('of %i useful, %i not useful and %i wrong is %f', (useful, notUseful, wrong, expected) => {
  expect(of(useful, notUseful, wrong)).toBeCloseTo(expected, 6);
});

const counts = fc.record<FeedbackCounts>({
  useful: fc.nat(),
  notUseful: fc.nat(),
  wrong: fc.nat(),
});

test('stays within its bounds, however much is said', () => {
  fc.assert(
    fc.property(counts, (given) => {
      expect(Math.abs(salience(given))).toBeLessThan(MAX_SALIENCE);
    }),
  );
});

test('rises with what is useful, falls with what is not, and further with what is wrong', () => {
  const few = fc.record<FeedbackCounts>({
    useful: fc.nat(10_000),
    notUseful: fc.nat(10_000),
    wrong: fc.nat(10_000),
  });
  fc.assert(
    fc.property(few, (given) => {
      const before = salience(given);
      const notUseful = salience({ ...given, notUseful: given.notUseful + 1 });

      expect(salience({ ...given, useful: given.useful + 1 })).toBeGreaterThan(before);
      expect(notUseful).toBeLessThan(before);
      expect(salience({ ...given, wrong: given.wrong + 1 })).toBeLessThan(notUseful);
    }),
  );
});

test('is nothing where nothing was said', () => {
  expect(salience(NO_FEEDBACK)).toBe(0);
});
