import { expect, test } from 'vitest';
import { parseAsOf } from '../../src/memory/as-of.ts';

const NOW = Date.UTC(2026, 5, 1);
const MARCH = Date.UTC(2026, 2, 1, 10);

test('reads both instants', () => {
  const input = { validAt: '2026-03-01T10:00:00Z', recordedAt: '2026-03-01T12:00:00+02:00' };

  expect(parseAsOf(input, NOW)).toEqual({ validAt: MARCH, recordedAt: MARCH });
});

test('knows what is known now when only a valid instant is given', () => {
  expect(parseAsOf({ validAt: '2026-03-01T10:00:00Z', recordedAt: null }, NOW)).toEqual({
    validAt: MARCH,
    recordedAt: NOW,
  });
});

test('leaves the valid time open when only a recorded instant is given', () => {
  expect(parseAsOf({ recordedAt: '2026-03-01T10:00:00Z' }, NOW)).toEqual({
    validAt: null,
    recordedAt: MARCH,
  });
});

test('takes a recorded instant in the future for now, and a valid one as it is', () => {
  const input = { validAt: '9999-12-31T23:59:59Z', recordedAt: '9999-12-31T23:59:59Z' };

  expect(parseAsOf(input, NOW)).toEqual({
    validAt: Date.UTC(9999, 11, 31, 23, 59, 59),
    recordedAt: NOW,
  });
});

test('reads one instant the same from any offset', () => {
  const utc = parseAsOf({ validAt: '2026-03-01T02:00:00Z' }, NOW);

  expect(parseAsOf({ validAt: '2026-02-28T21:00:00-05:00' }, NOW)).toEqual(utc);
});

test.each([
  ['neither instant', {}, 'asOf'],
  ['two nulls', { validAt: null, recordedAt: null }, 'asOf'],
  ['a local time', { validAt: '2026-03-01T10:00:00' }, 'asOf.validAt'],
  ['a day that is none', { recordedAt: '2026-02-30T00:00:00Z' }, 'asOf.recordedAt'],
  ['an empty text', { validAt: '' }, 'asOf.validAt'],
])('refuses %s by name', (_what, input, field) => {
  expect(() => parseAsOf(input, NOW)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field }),
  );
});
