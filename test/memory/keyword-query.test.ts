import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keywordQuery, MAX_QUERY_TERMS, MAX_QUERY_UNITS } from '../../src/memory/keyword-query.ts';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';

/** How many of the query's terms a page has. */
function countShared(query: string, page: string): number {
  return new Set(keywordQuery(query).terms).intersection(new Set(keywordTerms(page))).size;
}

describe('text is no syntax', () => {
  test.each(["'abs", 'team:foobar', 'a & b \\|', 'auth|admin', '/b testing', 'C++', '.Net', 'tb-'])(
    '%s finds the page that says it',
    (query) => {
      expect(countShared(query, `we met ${query} today`)).toBeGreaterThan(0);
    },
  );

  test.each(['*', '???', '- '.repeat(33), '!', '<->', '(', ':*', '', '\0', '\udc00', '🚀'])(
    '%j asks for nothing',
    (query) => {
      expect(keywordQuery(query)).toEqual({
        terms: [],
        dates: [],
        names: [],
        isLookUp: false,
        truncated: false,
      });
    },
  );
});

describe('identifiers', () => {
  test.each([
    'ADR-016',
    'POL-358',
    'pre-edit',
    'v1.2.3',
    'foo_bar',
    'c:\\temp\\x',
    'causes/solutions',
  ])('%s shares more with the page that says it than with its parts', (query) => {
    const parts = query.split(/[^a-z0-9]+/i);

    const whole = countShared(query, `see ${query}.`);

    expect(whole).toBeGreaterThan(countShared(query, parts.join(' ')));
    expect(countShared(query, parts.at(-1) ?? '')).toBeGreaterThan(0);
  });

  test('fooBar is found by its parts and in lower case', () => {
    expect(countShared('bar', 'fooBar')).toBe(1);
    expect(countShared('foobar', 'fooBar')).toBe(1);
    expect(countShared('fooBar', 'foo_bar')).toBe(2);
  });
});

describe('names', () => {
  test.each([
    ['ADR-016', [['adr-016', 'adr', '016']]],
    ['.Net', [['.net', 'net']]],
    [
      'docs/ADR-016',
      [
        ['adr-016', 'adr', '016'],
        ['docs/adr-016', 'doc', 'adr-016', 'adr', '016'],
      ],
    ],
    ['fooBar', [['foobar', 'foo', 'bar']]],
    ['utf8', [['utf8', 'utf', '8']]],
    ["l'homme", []],
    ['plain words', []],
    ['适者生存', []],
  ])('%s are told with their parts, inner ones first', (text, expected) => {
    expect(keywordQuery(text).names.map(({ term, parts }) => [term, ...parts])).toEqual(expected);
  });

  test('lose a part that stands by itself in the query too', () => {
    const { names } = keywordQuery('edit the pre-edit');

    expect(names).toEqual([{ term: 'pre-edit', parts: ['pre'] }]);
  });

  test.each([
    ['ADR-016', true],
    ['what does ADR-016 decide', true],
    ['/b testing', true],
    ['pre-edit hook', true],
    ['how did the self-care routine go', false],
    ['gateway', false],
  ])('%s is a look-up: %s', (text, expected) => {
    expect(keywordQuery(text).isLookUp).toBe(expected);
  });
});

describe('words that say nothing', () => {
  test.each(['the of and', 'will the it', 'What did they do?', "don't you", 'o que é que'])(
    '%s asks for nothing, or for what is left',
    (query) => {
      expect(keywordQuery(query).terms.filter((term) => term.length > 1)).toEqual([]);
    },
  );

  test('what remains of a question still finds its page', () => {
    expect(keywordQuery('what does the user have').terms).toEqual(['user']);
    expect(keywordQuery('When did Caroline go in May?').terms).toEqual(['carolin', 'go', 'may']);
    expect(keywordQuery('how do I use it').terms).toEqual(['use']);
  });

  test('a question in plain words shares terms with the fact', () => {
    const shared = countShared(
      'what are the gateway scheduled tasks',
      'The gateway runs tasks on a schedule',
    );

    expect(shared).toBe(3);
  });
});

describe('other writing', () => {
  test.each([
    ['适者生存', '即适者生存'],
    ['止损', '设置止损价'],
    ['生存止损', '止损'],
    ['Cafe\u0301', 'Café'],
    ['cafe', 'Café'],
    ['estavel', 'estável'],
    ['retenção', 'retencao'],
  ])('%s finds %s', (query, page) => {
    expect(countShared(query, page)).toBeGreaterThan(0);
  });
});

describe('limits', () => {
  test('of 5,000 different words the first are searched for, and it says so', () => {
    const words = Array.from({ length: 5000 }, (_, index) => `w${index}`);

    const query = keywordQuery(words.join(' '));

    expect(query.terms).toHaveLength(MAX_QUERY_TERMS);
    expect(query.terms.slice(0, 3)).toEqual(['w0', 'w', '0']);
    expect(query.truncated).toBe(true);
  });

  test('one word said for 100 KB is one term, and cut', () => {
    expect(keywordQuery('pod '.repeat(25_000))).toMatchObject({ terms: ['pod'], truncated: true });
  });

  test('blank space past the limit is nothing lost', () => {
    expect(keywordQuery(`pod${' '.repeat(2 * MAX_QUERY_UNITS)}`)).toMatchObject({
      terms: ['pod'],
      truncated: false,
    });
  });

  test('the cut falls between words', () => {
    const filler = 'the '.repeat(MAX_QUERY_UNITS / 4 - 1);

    expect(keywordQuery(`${filler}gateway`).terms).toEqual([]);
    expect(keywordQuery(`${filler}pod gateway`).terms).toEqual(['pod']);
    expect(keywordQuery('q'.repeat(100_000)).terms).toEqual(['q'.repeat(200)]);
  });

  test('exactly the limit is not too much', () => {
    const words = Array.from({ length: MAX_QUERY_TERMS }, (_, index) => `${index}`);

    expect(keywordQuery([...words, ...words].join(' ')).truncated).toBe(false);
    expect(keywordQuery([...words, 'more', 'gateway'].join(' ')).truncated).toBe(true);
  });
});

test('the terms of any query are distinct terms of the same text on a page, every time', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );

  fc.assert(
    fc.property(anyText, (text) => {
      const { terms, dates, names, isLookUp, truncated } = keywordQuery(text);

      expect(new Set(keywordTerms(text)).isSupersetOf(new Set(terms))).toBe(true);
      expect(new Set(terms).size).toBe(terms.length);
      expect(terms.length).toBeLessThanOrEqual(MAX_QUERY_TERMS);
      expect(keywordQuery(text)).toEqual({ terms, dates, names, isLookUp, truncated });
      for (const { term, parts } of names) {
        expect(new Set(terms).isSupersetOf(new Set([term, ...parts]))).toBe(true);
        expect(parts).not.toContain(term);
      }
    }),
  );
});
