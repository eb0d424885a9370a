import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAWN, FOREVER } from '../../src/memory/instant.ts';
import { PAGE_KINDS } from '../../src/memory/page.ts';
import {
  decideOutcome,
  nextRecordedAt,
  replaces,
  toValidTime,
  type ValidTime,
} from '../../src/memory/version-rules.ts';

const instant = fc.option(fc.integer({ min: 0, max: 20 }), { nil: null });
const validTime = fc
  .tuple(instant, instant)
  .filter(([from, to]) => from === null || to === null || from < to)
  .map(([from, to]) => toValidTime(from, to));
const content = fc.record({
  kind: fc.constantFrom(...PAGE_KINDS),
  title: fc.constantFrom('a', 'b'),
  body: fc.constantFrom('x', 'y', ''),
});

const covers = (outer: ValidTime, inner: ValidTime): boolean =>
  outer.validFrom <= inner.validFrom && inner.validTo <= outer.validTo;

test('a page that is not there is created, whatever is written', () => {
  fc.assert(
    fc.property(content, fc.option(validTime), (written, time) => {
      expect(decideOutcome(null, { ...written, validTime: time })).toBe('CREATED');
    }),
  );
});

test('the same content again is a reconsolidation, with the same valid time or with none', () => {
  fc.assert(
    fc.property(content, validTime, fc.boolean(), (same, time, saysTime) => {
      const write = { ...same, validTime: saysTime ? { ...time } : null };
      expect(decideOutcome({ ...same, ...time }, write)).toBe('RECONSOLIDATED');
    }),
  );
});

test('another kind, title, body or valid time is a new version', () => {
  fc.assert(
    fc.property(content, content, validTime, validTime, (before, after, then, now) => {
      const isSame =
        before.kind === after.kind && before.title === after.title && before.body === after.body;
      const isSameTime = then.validFrom === now.validFrom && then.validTo === now.validTo;
      fc.pre(!isSame || !isSameTime);

      expect(decideOutcome({ ...before, ...then }, { ...after, validTime: now })).toBe('REVISED');
    }),
  );
});

test('recorded times rise strictly, whatever the clock says', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 2 }), (clock) => {
      const recorded: number[] = [];
      for (const now of clock) recorded.push(nextRecordedAt(now, recorded.at(-1) ?? null));

      expect(recorded).toEqual([...new Set(recorded)].sort((a, b) => a - b));
      expect(recorded.every((at, index) => at >= (clock[index] ?? 0))).toBe(true);
    }),
  );
});

test('a version replaces what it covers and what begins with it, and never what ends before it', () => {
  fc.assert(
    fc.property(validTime, validTime, (newer, older) => {
      const isReplaced = replaces(newer, older);

      const isOpen = newer.validTo === FOREVER && newer.validFrom !== DAWN;
      if (covers(newer, older) && !isOpen) expect(isReplaced).toBe(true);
      if (older.validTo <= newer.validFrom || newer.validTo <= older.validFrom) {
        expect(isReplaced).toBe(false);
      }
    }),
  );
});

test('since January, told after since June, leaves June to hold', () => {
  const january = toValidTime(1_000, null);
  const june = toValidTime(6_000, null);

  expect(replaces(january, june)).toBe(false);
  expect(replaces(june, january)).toBe(false);
});

test('a write without a valid time replaces every version, so a plain correction wins', () => {
  fc.assert(
    fc.property(validTime, (older) => {
      expect(replaces(toValidTime(null, null), older)).toBe(true);
    }),
  );
});
