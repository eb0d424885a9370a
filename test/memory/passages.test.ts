import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PASSAGE_UNITS, type Passage, splitPassages } from '../../src/memory/passages.ts';

const slices = (body: string, passages: readonly Passage[]) =>
  passages.map(({ start, end }) => body.slice(start, end));

describe('borders', () => {
  test('gives a blank body one passage of the title', () => {
    const ofTitle = [{ ordinal: 0, start: 0, end: 0, text: 'Title' }];

    expect(splitPassages('Title', '')).toEqual(ofTitle);
    expect(splitPassages('Title', ' \n\t ')).toEqual(ofTitle);
  });

  test('keeps a body of up to 1,200 units whole, without the space around it', () => {
    const body = `\n${'word '.repeat(239)}end\n`;

    const passages = splitPassages('Title', body);

    expect(passages).toEqual([
      { ordinal: 0, start: 1, end: body.length - 1, text: `Title\n${body.trim()}` },
    ]);
  });

  test('cuts at a paragraph rather than at a later sentence', () => {
    const first = `${'One sentence. '.repeat(50)}End.`;
    const body = `${first}\r\n \r\n${'Another sentence. '.repeat(60)}`;

    const [passage] = slices(body, splitPassages('t', body));

    expect(passage).toBe(first);
  });

  test('cuts at a sentence rather than at a later word', () => {
    const first = `${'words and '.repeat(90)}"so it ends."`;
    const body = `${first} ${'more words '.repeat(60)}`;

    expect(slices(body, splitPassages('t', body))).toEqual([
      first,
      'more words '.repeat(60).trimEnd(),
    ]);
  });

  test('cuts after the full stop of a script without spaces', () => {
    const body = `${'適者生存'.repeat(250)}。${'優勝劣敗'.repeat(250)}`;

    const [passage] = slices(body, splitPassages('t', body));

    expect(passage).toBe(`${'適者生存'.repeat(250)}。`);
  });

  test('cuts between words where there are no sentences', () => {
    const body = 'unbroken '.repeat(400);

    const parts = slices(body, splitPassages('t', body));

    expect(parts.join(' ')).toBe(body.trimEnd());
  });

  test.each([
    ['surrogate pairs', 'x', '😀'],
    ['joined emoji', '', '👨‍👩‍👧'],
    ['flags', 'x', '🇩🇪'],
    ['skin tones', 'x', '👍🏽'],
    ['accents', '', 'e\u0301\u0323'],
    ['Hangul in parts', '', '\u1112\u1161\u11ab'],
  ])('cuts no character of %s', (_, before, character) => {
    const body = before + character.repeat(1500);

    const parts = slices(body, splitPassages('t', body));

    expect(parts.join('')).toBe(body);
    for (const part of parts.slice(1)) {
      expect(part.length % character.length).toBe(0);
      expect(part.startsWith(character)).toBe(true);
    }
  });

  test('cuts one character that is longer than a passage, between code points', () => {
    const body = `a${'\u{1e8d0}'.repeat(2000)}`;

    const parts = slices(body, splitPassages('t', body));

    expect(parts.join('')).toBe(body);
    expect(parts.every((part) => part.isWellFormed())).toBe(true);
  });
});

describe('laws', () => {
  const piece = fc.oneof(
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
    fc.constantFrom('\n\n', '\r\n\r\n', '. ', ' ', '\u0301', ' \u0301', '\u200d', '\u0600 ', '🇩🇪'),
    fc
      .tuple(fc.constantFrom('word ', 'x', 'Sentence. ', '🇩🇪', ' ', '生', '\n'), fc.nat(900))
      .map(([unit, times]) => unit.repeat(times)),
  );
  const body = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
  const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

  test('covers all of a body but white space, in order and without overlap', () => {
    fc.assert(
      fc.property(body, (text) => {
        const passages = splitPassages('Title', text);

        let covered = 0;
        for (const [index, { ordinal, start, end, text: embedded }] of passages.entries()) {
          expect(ordinal).toBe(index);
          expect(text.slice(covered, start).trim()).toBe('');
          expect(end - start).toBeLessThanOrEqual(MAX_PASSAGE_UNITS);
          if (passages.length > 1) expect(end).toBeGreaterThan(start);
          if (end > 0) expect(embedded).toBe(`Title\n${text.slice(start, end)}`);
          covered = end;
        }
        expect(text.slice(covered).trim()).toBe('');
        expect(splitPassages('Title', text)).toEqual(passages);
      }),
    );
  });

  test('begins and ends between characters', () => {
    fc.assert(
      fc.property(body, (text) => {
        const borders = new Set([...characters.segment(text)].map(({ index }) => index));
        borders.add(text.length);

        for (const { start, end } of splitPassages('t', text)) {
          expect(borders.has(start)).toBe(true);
          expect(borders.has(end)).toBe(true);
        }
      }),
    );
  });

  test.each([
    ['short paragraphs', `${'x'.repeat(598)}\n\n`],
    ['words', 'word '],
    ['one word', 'x'],
    ['spaces between letters', `x${' '.repeat(599)}`],
    ['accents', '\u0301'],
    ['half surrogate pairs', '\ud800'],
  ])('gives at most 1,024 passages for 1 MiB of %s', (_, unit) => {
    const text = unit.repeat(Math.ceil(2 ** 20 / unit.length)).slice(0, 2 ** 20);

    const passages = splitPassages('t', text);

    expect(passages.length).toBeLessThanOrEqual(1024);
  });
});
