import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitItems } from '../../src/tools/fit-budget.ts';

/** The cost of what is shown, and of saying that something is not. */
const tokensOf = (all: readonly number[], noteTokens: number) => (shown: readonly number[]) =>
  shown.reduce((sum, tokens) => sum + tokens, 0) + (shown.length < all.length ? noteTokens : 0);

const items = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 30 });

test('shows as many as fit, or the least', () => {
  fc.assert(
    fc.property(items, fc.nat(60), fc.nat(600), fc.nat(2), (all, noteTokens, budget, least) => {
      const cost = tokensOf(all, noteTokens);

      const shown = fitItems(all, cost, { budget, least });

      const counts = all.map((_, index) => index + 1).filter((count) => count > least);
      const fitting = counts.filter((count) => cost(all.slice(0, count)) <= budget);
      const most = fitting.at(-1) ?? Math.min(least, all.length);
      expect(shown).toEqual(all.slice(0, most));
    }),
  );
});
