import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dateTermOf, dateTerms } from '../../src/memory/date-words.ts';
import { keywordQuery } from '../../src/memory/keyword-query.ts';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';

test('a valid date is its day, month and year in UTC, and since ever is no date', () => {
  expect(dateTerms(Date.parse('2023-05-08T23:30:00-02:00'))).toEqual([
    'date 9',
    'date may',
    'date 2023',
  ]);
  expect(dateTerms(null)).toEqual([]);
});

test.each([
  ['May', 'date may'],
  ['september', 'date september'],
  ['Sept', 'date september'],
  ['dec', 'date december'],
  ['8', 'date 8'],
  ['08', 'date 8'],
  ['31st', 'date 31'],
  ['2023', 'date 2023'],
])('%s asks for a date', (word, term) => {
  expect(keywordQuery(word).dates).toEqual([term]);
});

test.each(['ma', '32', '0', '123', '12345', 'mayor', 'decoder', 'v8'])(
  '%s asks for none',
  (word) => {
    expect(dateTermOf(word)).toBeNull();
  },
);

test('a whole date asks for its three parts, in words and in digits', () => {
  expect(keywordQuery('What happened on 8 May 2023?').dates).toEqual([
    'date 8',
    'date may',
    'date 2023',
  ]);
  expect(keywordQuery('deploy of 2023-05-08').dates).toEqual(['date 2023', 'date 5', 'date 8']);
});

test('no text gives a term that a date gives', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('date may', 'date 8'),
      (text, date) => {
        expect(keywordTerms(`${text} ${date} ${text}`)).not.toContain(date);
      },
    ),
  );
});
