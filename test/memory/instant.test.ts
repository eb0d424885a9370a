import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAWN, FOREVER, formatInstant, parseInstant } from '../../src/memory/instant.ts';

const anyInstant = fc.integer({ min: DAWN, max: FOREVER - 1 });

test.each([
  ['1970-01-01T00:00:00Z', 0],
  ['1970-01-01T00:00:00.001Z', 1],
  ['1970-01-01t00:00:00z', 0],
  ['1970-01-01T02:00:00+02:00', 0],
  ['1969-12-31T21:30:00-02:30', 0],
  ['1970-01-01T00:00:00-00:00', 0],
  ['1970-01-01T23:59:00+23:59', 0],
  ['1970-01-01T00:00:00.5Z', 500],
  ['1970-01-01T00:00:00.9999999999999999999Z', 999],
  ['1969-12-31T23:59:59.9999Z', -1],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['0001-01-01T00:00:00Z', DAWN],
  ['0099-01-01T00:00:00Z', Date.parse('0099-01-01T00:00:00Z')],
  ['9999-12-31T23:59:59.999Z', FOREVER - 1],
])('reads %s as %d', (value, expected) => {
  const instant = parseInstant(value, 'validAt');

  expect(instant).toBe(expected);
});

test('reads one instant in two zones as the same, across midnight', () => {
  const utc = parseInstant('2026-03-01T02:00:00Z', 'validAt');
  const west = parseInstant('2026-02-28T21:00:00-05:00', 'validAt');

  expect(west).toBe(utc);
});

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [1, '1970-01-01T00:00:00.001Z'],
  [-1, '1969-12-31T23:59:59.999Z'],
  [100, '1970-01-01T00:00:00.100Z'],
  [DAWN, '0001-01-01T00:00:00Z'],
  [FOREVER - 1, '9999-12-31T23:59:59.999Z'],
])('writes %d as %s', (instant, expected) => {
  const text = formatInstant(instant);

  expect(text).toBe(expected);
});

test.each([DAWN - 1, FOREVER, 0.5, Number.NaN])('has no text for %d', (instant) => {
  const format = () => formatInstant(instant);

  expect(format).toThrow(RangeError);
});

test('what is written reads as the same instant', () => {
  fc.assert(
    fc.property(anyInstant, (instant) => {
      const read = parseInstant(formatInstant(instant), 'validAt');

      expect(read).toBe(instant);
    }),
  );
});

test('keeps the order of instants, also as text', () => {
  const key = (instant: number) => formatInstant(instant).replace('Z', '').padEnd(23, '.000');

  fc.assert(
    fc.property(anyInstant, anyInstant, (a, b) => {
      const isBefore = key(a) < key(b);

      expect(isBefore).toBe(a < b);
    }),
  );
});

test('an offset moves an instant by exactly itself', () => {
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  const inside = fc.integer({ min: DAWN + 2 * 86_400_000, max: FOREVER - 2 * 86_400_000 });

  fc.assert(
    fc.property(inside, offset, (local, minutes) => {
      const size = Math.abs(minutes);
      const digits = [Math.floor(size / 60), size % 60].map((part) => `${part}`.padStart(2, '0'));
      const zone = `${minutes < 0 ? '-' : '+'}${digits.join(':')}`;

      const instant = parseInstant(formatInstant(local).replace('Z', zone), 'validAt');

      expect(instant).toBe(local - minutes * 60_000);
    }),
  );
});
