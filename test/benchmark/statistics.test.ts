import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bootstrapMean, pairedTest } from '../../benchmark/recall/statistics.ts';

const value = fc.integer({ min: 0, max: 10 }).map((tenth) => tenth / 10);
const groups = fc.array(fc.array(value, { minLength: 1, maxLength: 8 }), {
  minLength: 1,
  maxLength: 5,
});

test('an interval lies among the values, and equal calls give equal ones', () => {
  fc.assert(
    fc.property(groups, (values) => {
      const { low, high } = bootstrapMean(values);

      expect(low).toBeLessThanOrEqual(high);
      expect(low).toBeGreaterThanOrEqual(Math.min(...values.flat()) - 1e-9);
      expect(high).toBeLessThanOrEqual(Math.max(...values.flat()) + 1e-9);
      expect(bootstrapMean(values)).toEqual({ low, high });
    }),
    { numRuns: 20 },
  );
});

test('whole conversations are drawn: two that differ give a wide interval, their mix a narrow one', () => {
  const low = Array(50).fill(0);
  const high = Array(50).fill(1);
  const apart = bootstrapMean([low, high]);
  const mixed = bootstrapMean([[...low, ...high]]);

  expect(apart).toEqual({ low: 0, high: 1 });
  expect(mixed.high - mixed.low).toBeLessThan(0.25);
});

test('equal sides are not told apart, and clear ones are', () => {
  expect(pairedTest(Array(40).fill(0))).toBe(1);
  expect(pairedTest(Array(40).fill(0.1))).toBeLessThan(0.001);
  expect(pairedTest([0.3, -0.3, 0.2, -0.2])).toBe(1);
});

test('says the same whichever side is taken from the other', () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (differences) => {
      const other = differences.map((each) => (each === 0 ? 0 : -each));

      expect(pairedTest(other)).toBe(pairedTest(differences));
      expect(pairedTest(differences)).toBeGreaterThan(0);
    }),
    { numRuns: 20 },
  );
});
