import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PAGE_KINDS } from '../../src/memory/page.ts';
import { FUSION_METHODS } from '../../src/memory/ranking-profiles.ts';
import { TYPE_HINT_BONUS, typeHint } from '../../src/memory/type-hints.ts';

test('adds a little to a page of a hinted kind', () => {
  expect(typeHint('FIX', ['FIX', 'RULE'], 'CONVEX')).toEqual({ matched: true, value: 0.02 });
});

test('adds nothing to others, and nothing without hints', () => {
  expect(typeHint('NOTE', ['FIX'], 'CONVEX')).toEqual({ matched: false, value: 0 });
  expect(typeHint('NOTE', [], 'RRF')).toEqual({ matched: false, value: 0 });
});

test('adds under RRF what one better rank gives at the top', () => {
  expect(TYPE_HINT_BONUS.RRF).toBe(1 / 61 - 1 / 62);
});

test('adds the same to every kind, so that a hint only tells kinds apart', () => {
  const kind = fc.constantFrom(...PAGE_KINDS);
  const method = fc.constantFrom(...FUSION_METHODS);

  fc.assert(
    fc.property(kind, fc.subarray([...PAGE_KINDS]), method, (own, hinted, how) => {
      const { matched, value } = typeHint(own, hinted, how);

      expect(matched).toBe(hinted.includes(own));
      expect(value).toBe(matched ? TYPE_HINT_BONUS[how] : 0);
    }),
  );
});
