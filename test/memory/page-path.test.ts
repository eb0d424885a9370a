import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_PATH_BYTES, parsePagePath, readPagePath } from '../../src/memory/page-path.ts';

test.each([
  'a',
  'notes/café',
  'A',
  'a b/c',
  ' a',
  '...',
  'a/.b',
  '%2e',
  'é'.repeat(256),
  '日本/語',
])('takes %j as it is', (value) => {
  const path = parsePagePath(value);

  expect(path).toBe(value);
});

test('reads NFC and NFD as one path, upper and lower case as two', () => {
  const composed = parsePagePath('notes/Caf\u00e9');
  const decomposed = parsePagePath('notes/Cafe\u0301');

  expect(decomposed).toBe(composed);
  expect(parsePagePath('A')).not.toBe(parsePagePath('a'));
});

test('counts the bytes of the composed form', () => {
  const decomposed = 'e\u0301'.repeat(256);

  const path = parsePagePath(decomposed);

  expect(Buffer.byteLength(path)).toBe(MAX_PATH_BYTES);
});

test('reads what is no path as null', () => {
  const values = ['', '/a', 'a/', 'a//b', '.', 'a/../b', 'a\nb', '\ud800', 'x'.repeat(513)];

  const paths = values.map(readPagePath);

  expect(paths).toEqual(values.map(() => null));
});

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc
    .array(fc.constantFrom('a', 'é', '/', '.', '..', '\u0301', '\u212b', '각', '\ud83d'), {
      maxLength: 300,
    })
    .map((parts) => parts.join('')),
);

test('a parsed path is in NFC, within the bytes, and parses to itself', () => {
  fc.assert(
    fc.property(anything, (value) => {
      const path = readPagePath(value);
      if (path === null) return;

      expect(path).toBe(value.normalize('NFC'));
      expect(Buffer.byteLength(path)).toBeLessThanOrEqual(MAX_PATH_BYTES);
      expect(parsePagePath(path)).toBe(path);
      expect(Buffer.from(path).toString()).toBe(path);
    }),
  );
});

test('legal segments joined by slashes come back as they went in', () => {
  const segment = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 5 })
    .map((text) => text.normalize('NFC'))
    .filter((text) => !/[/\p{Cc}]|^\.{1,2}$/u.test(text));

  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
      const value = segments.join('/').normalize('NFC');
      fc.pre(Buffer.byteLength(value) <= MAX_PATH_BYTES);

      const path = parsePagePath(value);

      expect(path).toBe(value);
    }),
  );
});
