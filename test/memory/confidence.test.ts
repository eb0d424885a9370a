import fc from 'fast-check';
import { expect, test } from 'vitest';
import { confidence } from '../../src/memory/confidence.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

function confidenceOf(input: { s: number; n?: number; ageDays?: number; c?: number }): number {
  const { s, n = s, ageDays = 0, c = 0 } = input;
  const newestAt = n === 0 ? null : NOW - ageDays * DAY;
  const summary = {
    count: n,
    countsSince: null,
    distinctSessions: s,
    newestAt,
    unresolvedContradictions: c,
  };
  return confidence(summary, { asOf: null, now: NOW }).value;
}

test.each([
  ['nothing', { s: 0 }, 0],
  ['one session', { s: 1 }, 0.283469],
  ['three sessions', { s: 3 }, 0.632121],
  ['ten sessions, at the ceiling', { s: 10 }, 0.95],
  ['fifty rows of one session', { s: 1, n: 50 }, 0.486583],
  ['four sessions, thirty days old', { s: 4, ageDays: 30 }, 0.503655],
  ['four sessions, one contradiction', { s: 4, c: 1 }, 0.368201],
])('gives the reference value for %s', (_what, input, expected) => {
  expect(confidenceOf(input)).toBeCloseTo(expected, 6);
});

test('counts a repeat as a fifth of a session, and five of them as all', () => {
  expect(confidenceOf({ s: 1, n: 2 })).toBeCloseTo(1 - Math.exp(-1.2 / 3), 12);
  expect(confidenceOf({ s: 1, n: 6 })).toBe(confidenceOf({ s: 1, n: 600 }));
});

test('takes evidence from the future for new', () => {
  expect(confidenceOf({ s: 2, ageDays: -5 })).toBe(confidenceOf({ s: 2 }));
});

test('hands on what the value rests on', () => {
  const summary = {
    count: 5,
    countsSince: 3,
    distinctSessions: 2,
    newestAt: 7,
    unresolvedContradictions: 1,
  };

  expect(confidence(summary, { asOf: null, now: NOW })).toMatchObject({
    evidenceCount: 5,
    evidenceCountsSince: 3,
    distinctSessions: 2,
    newestEvidenceAt: 7,
    unresolvedContradictions: 1,
  });
});

/** Sessions up to where the ceiling begins at age 0; repeats; age; contradictions. */
const input = fc.record({
  s: fc.integer({ min: 1, max: 8 }),
  repeats: fc.integer({ min: 0, max: 50 }),
  ageDays: fc.integer({ min: 0, max: 400 }),
  c: fc.integer({ min: 0, max: 20 }),
});

function confidenceWith({
  repeats,
  ...rest
}: {
  s: number;
  repeats: number;
  ageDays: number;
  c: number;
}) {
  return confidenceOf({ ...rest, n: rest.s + repeats });
}

test('stays within 0 and its ceiling, whatever comes', () => {
  fc.assert(
    fc.property(fc.nat(1e6), fc.nat(1e6), fc.nat(1e5), fc.nat(1e6), (s, repeats, ageDays, c) => {
      const value = confidenceWith({ s, repeats, ageDays, c });

      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(0.95);
    }),
  );
});

test('rises with each distinct session, below the ceiling strictly', () => {
  fc.assert(
    fc.property(input, (given) => {
      const before = confidenceWith(given);
      const after = confidenceWith({ ...given, s: given.s + 1 });

      if (before < 0.95) expect(after).toBeGreaterThan(before);
      else expect(after).toBe(0.95);
    }),
  );
});

test('rises when a row that is there turns out to be of a session of its own', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 50 }), (s, repeats) => {
      expect(confidenceOf({ s: s + 1, n: s + repeats })).toBeGreaterThan(
        confidenceOf({ s, n: s + repeats }),
      );
    }),
  );
});

test('falls with age, below the ceiling strictly', () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 1, max: 100 }), (given, days) => {
      const before = confidenceWith(given);
      const after = confidenceWith({ ...given, ageDays: given.ageDays + days });

      if (before < 0.95) expect(after).toBeLessThan(before);
      else expect(after).toBeLessThanOrEqual(before);
    }),
  );
});

test('falls strictly with each unresolved contradiction', () => {
  fc.assert(
    fc.property(input, (given) => {
      expect(confidenceWith({ ...given, c: given.c + 1 })).toBeLessThan(confidenceWith(given));
    }),
  );
});
