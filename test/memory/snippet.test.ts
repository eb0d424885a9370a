import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';
import { MAX_SNIPPET_UNITS, snippet } from '../../src/memory/snippet.ts';

const filler = 'lorem ipsum dolor sit amet '.repeat(40);

const show = (body: string, query: string, range: { start: number; end: number } | null = null) =>
  snippet(body, range, new Set(keywordTerms(query)), keywordTerms);

describe('the window', () => {
  test('is all of a short body, without the space around it', () => {
    const body = '  The pod ran out of memory.\n';

    expect(show(body, 'memory')).toEqual({
      text: 'The pod ran out of memory.',
      start: 2,
      end: body.length - 1,
    });
  });

  test('shows the words of the query with words before and behind them', () => {
    const body = `${filler}retries were exhausted ${filler}`;

    const { text } = show(body, 'exhausted retry');

    expect(text).toMatch(/^\S.* amet retries were exhausted lorem .*\S$/);
    expect(text.length).toBeGreaterThan(MAX_SNIPPET_UNITS - 12);
  });

  test('shows the most different terms, not the most words', () => {
    const body = `${'cache '.repeat(30)}${filler}the cache timeout of redis ${filler}`;

    const { text } = show(body, 'redis cache timeout');

    expect(text).toContain('the cache timeout of redis');
  });

  test('is the first of equal ones', () => {
    const body = `${filler}first needle ${filler}second needle ${filler}`;

    const { text } = show(body, 'needle');

    expect(text).toContain('first needle');
  });

  test('is the beginning where no term is found, or none is asked for', () => {
    const body = filler.trim();

    for (const query of ['absent', '']) {
      const { text, start } = show(body, query);
      expect(start).toBe(0);
      expect(body.startsWith(text)).toBe(true);
      expect(text.length).toBeGreaterThan(MAX_SNIPPET_UNITS - 12);
    }
  });

  test('reaches back at the end of a body to fill its room', () => {
    const body = `${filler}needle`;

    const { text, end } = show(body, 'needle');

    expect(end).toBe(body.length);
    expect(text.length).toBeGreaterThan(MAX_SNIPPET_UNITS - 12);
  });

  test('stays within the passage that was found', () => {
    const body = `needle ${filler}the passage without it ${filler}`;
    const start = body.indexOf('the passage');
    const end = start + 'the passage without it'.length;

    expect(show(body, 'needle passage', { start, end })).toEqual({
      text: 'the passage without it',
      start,
      end,
    });
  });

  test('finds a word in a text without spaces', () => {
    const body = `${'優勝劣敗、弱肉強食。'.repeat(80)}物競天擇，適者生存。${'優勝劣敗、弱肉強食。'.repeat(80)}`;

    const { text } = show(body, '適者生存');

    expect(text).toContain('適者生存');
    expect(text.length).toBeLessThanOrEqual(MAX_SNIPPET_UNITS);
  });

  test('is empty where there is nothing to show', () => {
    expect(show('', 'word')).toEqual({ text: '', start: 0, end: 0 });
    expect(show(' \n ', 'word')).toEqual({ text: '', start: 0, end: 0 });
  });

  test('cuts a word that is longer than itself, between characters', () => {
    const body = 'x👨‍👩‍👧'.repeat(400);

    const { text } = show(body, 'nothing');

    expect(text.length).toBeGreaterThan(MAX_SNIPPET_UNITS - 20);
    expect(text).toMatch(/^(x👨‍👩‍👧)+x?$/u);
  });
});

describe('laws', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'needle',
      'thread',
      'hay',
      '適者生存',
      '🇩🇪',
      'e\u0301',
      'x'.repeat(400),
      '\u0301',
    ),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const gap = fc.constantFrom(' ', '\n\n', '  ', '');
  const text = fc
    .array(fc.tuple(word, gap), { maxLength: 120 })
    .map((pairs) => pairs.flat().join(''));
  const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

  test('is a bounded slice of the range, between characters', () => {
    fc.assert(
      fc.property(text, (body) => {
        const borders = new Set([...characters.segment(body)].map(({ index }) => index));
        borders.add(body.length);

        const { text: shown, start, end } = show(body, 'needle thread');

        expect(body.slice(start, end)).toBe(shown);
        expect(shown.length).toBeLessThanOrEqual(MAX_SNIPPET_UNITS);
        expect(borders.has(start)).toBe(true);
        expect(borders.has(end)).toBe(true);
      }),
    );
  });

  test('shows a term wherever the body has it between spaces', () => {
    fc.assert(
      fc.property(text, text, (before, behind) => {
        const body = `${before} needle ${behind}`;

        expect(keywordTerms(show(body, 'needle').text)).toContain('needl');
      }),
    );
  });
});

test('shows a term of the body where the passage that was found has none', () => {
  const body = `${'Rain and wind all day. '.repeat(30)}\n\nThe order QX-4711 was lost.`;

  const shown = show(body, 'QX-4711', { start: 0, end: 200 });

  expect(shown.text).toContain('QX-4711');
  expect(body.slice(shown.start, shown.end)).toBe(shown.text);
});

test('begins with the passage when no term stands anywhere', () => {
  const body = `${'Rain and wind all day. '.repeat(30)}`;

  const shown = show(body, 'snow', { start: 23, end: 200 });

  expect(shown.start).toBe(23);
});
