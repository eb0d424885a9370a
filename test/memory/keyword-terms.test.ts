import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from '../../src/memory/fold-text.ts';
import { keywordTerms, MAX_TERM_BYTES } from '../../src/memory/keyword-terms.ts';

/** Any string, lone surrogates and control characters too, of pieces that have hurt before. */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\0',
        '\u0001',
        '\ud800',
        "'",
        '\\',
        '--',
        '++',
        '::',
        '止损',
        'がぎ',
        'fooBar',
        'Ǽ',
        'ŉ',
      ),
    ),
    { maxLength: 8 },
  )
  .map((pieces) => pieces.join(''));

describe('identifiers', () => {
  test.each([
    ['ADR-016', ['adr-016', 'adr', '016']],
    ['POL-358', ['pol-358', 'pol', '358']],
    ['pre-edit', ['pre-edit', 'pre', 'edit']],
    ['tb-', ['tb']],
    ['snake_case', ['snake_case', 'snake', 'case']],
    ['camelCase', ['camelcas', 'camel', 'case']],
    ['fooBar', ['foobar', 'foo', 'bar']],
    ['HTTPServer', ['httpserver', 'http', 'server']],
    ['foo_bar', ['foo_bar', 'foo', 'bar']],
    ['a/b', ['a/b', 'a', 'b']],
    ['causes/solutions', ['causes/solutions', 'caus', 'solut']],
    ['team:foobar', ['team:foobar', 'team', 'foobar']],
    ['std::vector', ['std::vector', 'std', 'vector']],
    ['v1.2.3', ['v1.2.3', 'v1', 'v', '1', '2', '3']],
    ['.Net', ['.net', 'net']],
    ['(.env)', ['.env', 'env']],
    ['/b testing', ['/b', 'b', 'test']],
    ['C++', ['c++', 'c']],
    ['C#.', ['c#', 'c']],
    ['--force', ['--force', 'forc']],
    ['c:\\temp\\x', ['c:\\temp\\x', 'c', 'temp', 'x']],
    ['E_CONN_4012', ['e_conn_4012', 'e', 'conn', '4012']],
    ['ECONNREFUSED', ['econnrefus']],
    ['0x1F', ['0x1f']],
    ['da39a3ee5e6b', ['da39a3ee5e6b']],
    ['utf8', ['utf8', 'utf', '8']],
    ['APIs', ['api']],
    ['docs/ADR-016.md', ['docs/adr-016.md', 'doc', 'adr-016.md', 'adr-016', 'adr', '016', 'md']],
  ])('%s is found whole and by its parts', (text, expected) => {
    const terms = keywordTerms(text);

    expect(terms).toEqual(expected);
  });

  test.each([
    ['a--b', ['a', 'b']],
    ['wait...what', ['wait', 'what']],
    ['yes, no', ['yes', 'no']],
    ['a & b \\| c|d', ['a', 'b', 'c', 'd']],
    ['../x', ['x']],
    ["'abs", ['ab']],
  ])('%s is words and punctuation', (text, expected) => {
    const terms = keywordTerms(text);

    expect(terms).toEqual(expected);
  });

  test('an apostrophe leaves the word it belongs to', () => {
    const terms = keywordTerms("the user's dog; don’t say l'homme or O'Brien");

    expect(terms).toEqual('the user dog dont say lhomm l homm or obrien o brien'.split(' '));
  });
});

describe('words', () => {
  test('forms of one English word share a term', () => {
    const terms = keywordTerms('pod pods connect connection connected connections');

    expect(new Set(terms)).toEqual(new Set(['pod', 'connect']));
  });

  test('accents of Latin and Greek, case and compatibility forms do not matter', () => {
    const terms = ['Café', 'Cafe\u0301', 'cafe', 'CAFÉ', 'ｃａｆｅ'].map(keywordTerms);

    expect(new Set(terms.flat())).toEqual(new Set(['cafe']));
    expect(keywordTerms('estável retenção')).toEqual(keywordTerms('estavel retencao'));
    expect(keywordTerms('οδός')).toEqual(keywordTerms('ΟΔΟΣ'));
    expect(keywordTerms('Straße')).toEqual(keywordTerms('STRASSE'));
  });

  test('marks that make another letter stay', () => {
    expect(keywordTerms('がか')).not.toEqual(keywordTerms('かか'));
    expect(keywordTerms('か\u3099')).toEqual(keywordTerms('が'));
    expect(keywordTerms('йод')).toEqual(['йод']);
    expect(keywordTerms('हिन्दी')).toEqual(['हिन्दी']);
  });

  test('signs alone give nothing', () => {
    const terms = ['*', '???', '- '.repeat(33), '!', '<->', '(', ':*', '\0', '\ud800', ''].flatMap(
      keywordTerms,
    );

    expect(terms).toEqual([]);
  });
});

describe('scripts without spaces', () => {
  test('a run gives words and pairs, so a part of a compound is found', () => {
    const terms = keywordTerms('即适者生存');

    expect(terms).toEqual(expect.arrayContaining(['适者', '者生', '生存']));
  });

  test.each(['止损', '漢字', 'ไทย', 'မြန်မာ', 'ລາວ', 'ខ្មែរ', 'カタカナ'])(
    '%s is found inside a longer run',
    (word) => {
      const terms = new Set(keywordTerms(word));

      const pageTerms = new Set(keywordTerms(`即${word}存`));

      expect(terms.intersection(pageTerms).size).toBeGreaterThan(0);
    },
  );

  test('a run of one character gives it, and a two-character word is given once', () => {
    expect(keywordTerms('漢')).toEqual(['漢']);
    expect(keywordTerms('生存')).toEqual(['生存']);
  });

  test('the other script beside a run is cut off from it', () => {
    expect(keywordTerms('使用Redis')).toEqual(['使用', 'redi']);
    expect(keywordTerms('ADR-016漢')).toEqual(['adr-016', 'adr', '016', '漢']);
  });
});

describe('for any text', () => {
  test('terms are never empty, too long, or unfit for a database', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of keywordTerms(text)) {
          expect(term).not.toBe('');
          expect(Buffer.byteLength(term)).toBeLessThanOrEqual(MAX_TERM_BYTES);
          expect(term.isWellFormed()).toBe(true);
          expect(term).not.toMatch(/[\p{Cc}\s]/u);
        }
      }),
    );
  });

  test('folding twice is folding once, and changes no term', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldText(text);

        expect(foldText(folded)).toBe(folded);
      }),
    );
  });

  test('the form of Unicode does not matter', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(keywordTerms(text.normalize('NFD'))).toEqual(keywordTerms(text.normalize('NFC')));
      }),
    );
  });

  test('a line end parts terms, so lines can be read one by one', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        expect(keywordTerms(`${a}\n${b}`)).toEqual([...keywordTerms(a), ...keywordTerms(b)]);
      }),
    );
  });
});

describe('long text', () => {
  test('a term past the limit is cut between characters', () => {
    const [ascii] = keywordTerms('q'.repeat(1000));
    const [cyrillic] = keywordTerms(`x${'я'.repeat(1000)}`);
    const [path] = keywordTerms('ab/'.repeat(1000));

    expect(ascii).toBe('q'.repeat(200));
    expect(cyrillic).toBe(`x${'я'.repeat(99)}`);
    expect(path).toBe('ab/'.repeat(67).slice(0, 200));
  });

  test('the number of terms grows with the text and not faster', () => {
    const size = 1 << 16;
    const hostile = [
      '-',
      'a/',
      'a',
      'aB',
      'a-',
      '/.',
      'a漢',
      '漢字',
      "a'",
      'a.b-c/',
      '\ufdfa',
      'a1',
    ];

    for (const piece of hostile) {
      const terms = keywordTerms(piece.repeat(size / piece.length));

      expect(terms.length).toBeLessThanOrEqual(2 * size);
    }
  });

  test('endless marks on one letter are cut before they are put in order', () => {
    const text = `я${'\u0301\u0316'.repeat(200_000)}`;

    const [term = ''] = keywordTerms(text);

    expect(Buffer.byteLength(term)).toBeLessThanOrEqual(MAX_TERM_BYTES);
  });
});
