import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type KeywordSource,
  keywordDocument,
  MAX_DOCUMENT_BYTES,
  MAX_POSITIONS,
} from '../../src/memory/indexed-text.ts';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';

const source = fc.record({
  title: fc.string({ unit: 'grapheme' }),
  body: fc.string({ unit: 'binary', maxLength: 200 }),
  hints: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
});

/** Title, body and hints, each on lines of its own. */
const textOf = ({ title, body, hints }: KeywordSource) => [title, body, ...hints].join('\n');

test('counts say where a term stands', () => {
  const document = keywordDocument({
    title: 'Gateway tasks',
    body: 'The gateway runs tasks; each task on a schedule.',
    hints: ['which gateway'],
  });

  expect(document.terms.get('gateway')).toEqual({ title: 1, body: 1, hint: 1 });
  expect(document.terms.get('task')).toEqual({ title: 1, body: 2, hint: 0 });
  expect(document.length).toBe(13);
  expect(document.truncated).toBe(false);
});

test('a document counts exactly the terms of its title, its body and each hint', () => {
  fc.assert(
    fc.property(source, (page) => {
      const document = keywordDocument(page);

      const expected = new Map<string, number>();
      for (const term of keywordTerms(textOf(page))) {
        expected.set(term, (expected.get(term) ?? 0) + 1);
      }
      const counted = new Map(
        Array.from(document.terms, ([term, { title, body, hint }]) => [term, title + body + hint]),
      );
      expect(counted).toEqual(expected);
      expect(document.length).toBe(keywordTerms(textOf(page)).length);
    }),
  );
});

test('a page of too many terms keeps title, hints and the start of its body', () => {
  const body = Array.from({ length: 200_000 }, (_, index) => `q${index.toString(36)}z`).join(' ');

  const document = keywordDocument({ title: 'Leak', body, hints: ['why restart'] });

  let bytes = 0;
  for (const [term, { title, body, hint }] of document.terms) {
    bytes += Buffer.byteLength(term) + 3 + 2 * Math.min(title + body + hint, MAX_POSITIONS);
  }
  expect(document.truncated).toBe(true);
  expect(bytes).toBeLessThanOrEqual(MAX_DOCUMENT_BYTES);
  expect(bytes).toBeGreaterThan(MAX_DOCUMENT_BYTES - 100);
  expect([...document.terms.keys()].slice(0, 4)).toEqual(['leak', 'whi', 'restart', 'q0z']);
});

test('a word without end counts on, in the space of its first positions', () => {
  const document = keywordDocument({ title: '', body: 'pod '.repeat(100_000), hints: [] });

  expect(document.terms.get('pod')).toEqual({ title: 0, body: 100_000, hint: 0 });
  expect(document.length).toBe(100_000);
  expect(document.truncated).toBe(false);
});
