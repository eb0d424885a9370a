import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAWN, FOREVER } from '../../src/memory/instant.ts';
import { PAGE_KINDS } from '../../src/memory/page.ts';
import {
  believedSince,
  decideOutcome,
  extendsContent,
  holdsAt,
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

const isOpen = ({ validFrom, validTo }: ValidTime): boolean =>
  validTo === FOREVER && validFrom !== DAWN;
const history = fc.array(validTime, { maxLength: 6 });

test('of versions that end, or hold since ever, the latest recorded one that is true holds', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 0, max: 21 }), (all, instant) => {
      const versions = all.filter((version) => !isOpen(version));

      const latest = versions.findLast(
        ({ validFrom, validTo }) => validFrom <= instant && instant < validTo,
      );

      expect(holdsAt(versions, instant)).toBe(latest ?? null);
    }),
  );
});

test('a later version holds wherever it is true, unless it has no end and another began later', () => {
  fc.assert(
    fc.property(history, validTime, fc.integer({ min: 0, max: 21 }), (before, newest, instant) => {
      const held = holdsAt(before, instant);
      const holds = holdsAt([...before, newest], instant);

      const isTrue = newest.validFrom <= instant && instant < newest.validTo;
      const givesWay = held !== null && isOpen(newest) && newest.validFrom < held.validFrom;
      expect(holds).toBe(isTrue && !givesWay ? newest : held);
    }),
  );
});

test('since January, told after since June, holds until June; told to end in March, it corrects', () => {
  const june = toValidTime(6, null);

  expect(holdsAt([june, toValidTime(1, null)], 3)).toEqual(toValidTime(1, null));
  expect(holdsAt([june, toValidTime(1, null)], 7)).toBe(june);
  expect(holdsAt([june, toValidTime(1, 8)], 7)).toEqual(toValidTime(1, 8));
});

const line = fc.constantFrom('a', 'b', 'c', '  b  ', '');
const lines = fc.array(line, { maxLength: 6 });
const said = (body: readonly string[]) => ({
  kind: 'FACT' as const,
  title: 't',
  body: body.join('\n'),
});

test('a content extends itself, and whatever it was made from by adding lines', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, fc.boolean()), { maxLength: 8 }), (all) => {
      const older = all.filter(([, isOld]) => isOld).map(([text]) => text);

      expect(extendsContent(said(all.map(([text]) => text)), said(older))).toBe(true);
    }),
  );
});

test('of two contents that extend each other, neither says more', () => {
  fc.assert(
    fc.property(lines, lines, (one, other) => {
      fc.pre(extendsContent(said(one), said(other)) && extendsContent(said(other), said(one)));
      const words = (body: readonly string[]) => body.map((each) => each.trim()).filter(Boolean);

      expect(words(one)).toEqual(words(other));
    }),
  );
});

test.each([
  ['a line that is gone', ['a', 'b'], ['a']],
  ['a line that was changed', ['port 8080'], ['port 9090']],
  ['lines that changed places', ['a', 'b'], ['b', 'a']],
  ['one line for two equal ones', ['a', 'a'], ['a']],
])('%s takes the place of what was believed', (_what, older, newer) => {
  expect(extendsContent(said(newer), said(older))).toBe(false);
});

test('another title or kind takes the place of what was believed', () => {
  const older = said(['a']);

  expect(extendsContent({ ...older, title: 'port 9090' }, older)).toBe(false);
  expect(extendsContent({ ...older, kind: 'RULE' }, older)).toBe(false);
});

test('an extended version keeps the evidence of the one before, a replacing one starts anew', () => {
  const before = { ...said(['a']), believedSince: 7 };

  expect(believedSince(null, said(['a']), 9)).toBe(DAWN);
  expect(believedSince(before, said(['a', 'b']), 9)).toBe(7);
  expect(believedSince(before, said(['b']), 9)).toBe(9);
});
