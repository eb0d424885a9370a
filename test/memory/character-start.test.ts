import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterStart, codePointStart } from '../../src/memory/character-start.ts';

test.each([
  ['ab', 1, 1],
  ['😀', 1, 0],
  ['xe\u0301y', 2, 1],
  ['xe\u0301y', 3, 3],
  ['🇩🇪🇫🇷', 6, 4],
  ['👨‍👩‍👧', 5, 0],
  ['\r\n', 1, 0],
  ['ab', 2, 2],
  ['', 0, 0],
])('in %j the character at %i begins at %i', (text, at, start) => {
  expect(characterStart(text, 0, at)).toBe(start);
});

test('finds the same borders from any border before', () => {
  const unit = fc.constantFrom(
    'a',
    ' ',
    '🇩🇪',
    '👍🏽',
    'e\u0301',
    '\u200d',
    '한',
    '\u0600',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
      const text = units.join('');
      const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
      const borders = [...segments].map(({ index }) => index);

      for (const from of borders) {
        for (let at = from; at < text.length; at++) {
          const expected = borders.findLast((border) => border <= at);
          expect(characterStart(text, from, at)).toBe(expected);
        }
      }
    }),
  );
});

test('keeps surrogate pairs whole and leaves halves alone', () => {
  const text = 'a😀\ude00\ud83d';

  expect([0, 1, 2, 3, 4, 5].map((at) => codePointStart(text, at))).toEqual([0, 1, 1, 3, 4, 5]);
});
