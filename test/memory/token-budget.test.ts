import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { estimateTokens, withinBudget } from '../../src/memory/token-budget.ts';

describe('estimateTokens', () => {
  test.each([
    ['', 0],
    ['a', 1],
    ['abcd', 1],
    ['abcde', 2],
    ['é', 1],
    ['適者生存', 3],
    ['👍👍', 2],
  ])('counts a quarter of the bytes of %j', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  test('never falls when text is added', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme' }),
        (text, added) => {
          expect(estimateTokens(text + added)).toBeGreaterThanOrEqual(estimateTokens(text));
        },
      ),
    );
  });
});

describe('withinBudget', () => {
  const tokens = (item: number) => item;

  test('keeps everything without a budget', () => {
    expect(withinBudget([5, 6], tokens, null)).toEqual([5, 6]);
  });

  test('keeps the first item whatever it costs', () => {
    expect(withinBudget([9, 1], tokens, 3)).toEqual([9]);
    expect(withinBudget([9], tokens, 0)).toEqual([9]);
  });

  test('stops at the first item that does not fit, though a later one would', () => {
    expect(withinBudget([2, 7, 1], tokens, 4)).toEqual([2]);
  });

  test('fills the budget to the last token', () => {
    expect(withinBudget([2, 2, 1], tokens, 4)).toEqual([2, 2]);
  });

  const items = fc.array(fc.nat(50), { maxLength: 30 });

  test('gives the longest run of first items that fits', () => {
    fc.assert(
      fc.property(items, fc.nat(400), (all, budget) => {
        const total = (count: number) => all.slice(0, count).reduce((sum, item) => sum + item, 0);

        const kept = withinBudget(all, tokens, budget);

        expect(kept).toEqual(all.slice(0, kept.length));
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(1, all.length));
        if (kept.length > 1) expect(total(kept.length)).toBeLessThanOrEqual(budget);
        if (kept.length < all.length) expect(total(kept.length + 1)).toBeGreaterThan(budget);
      }),
    );
  });

  test('gives a superset for a larger budget', () => {
    fc.assert(
      fc.property(items, fc.nat(400), fc.nat(400), (all, budget, more) => {
        const small = withinBudget(all, tokens, budget);

        const large = withinBudget(all, tokens, budget + more);

        expect(large.slice(0, small.length)).toEqual(small);
      }),
    );
  });
});
