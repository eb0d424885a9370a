import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  DepthLimitExceededError,
  InvalidInputError,
  LimitExceededError,
  MemoryError,
  StoreUnavailableError,
} from '../../src/memory/errors.ts';
import { quoteText } from '../../src/memory/shown-text.ts';
import { SupersessionCycleError } from '../../src/memory/write-conflicts.ts';

test('keeps the cause of a store that is away, and says that a retry may help', () => {
  const cause = new Error('connect ECONNREFUSED');

  const error = new StoreUnavailableError('postgres', cause);

  expect(error).toMatchObject({ cause, retryable: true, store: 'postgres' });
  expect(error.message).not.toContain('ECONNREFUSED');
});

test('a depth beyond the cap is a limit exceeded with a code of its own', () => {
  const error = new DepthLimitExceededError('depth', 4, 9);

  expect(error).toBeInstanceOf(LimitExceededError);
  expect(error).toBeInstanceOf(MemoryError);
  expect(error).toMatchObject({
    name: 'DepthLimitExceededError',
    code: 'DEPTH_LIMIT_EXCEEDED',
    retryable: false,
    field: 'depth',
    limit: 4,
    received: 9,
  });
});

test('keeps the whole circle although its message is short', () => {
  const pages = Array.from({ length: 20 }, (_, index) => `p${index}`);

  const error = new SupersessionCycleError(pages);

  expect(error.cycle).toEqual(pages);
});

test('shows outside text as one visible line of at most 80 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (value) => {
      const { received, message } = new InvalidInputError('title', 'another title', value);
      const shown = [received, quoteText(value)];

      for (const text of [...shown, message]) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u);
      }
      for (const text of shown) expect([...text].length).toBeLessThanOrEqual(80);
    }),
  );
});
