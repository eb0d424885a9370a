import { PGlite } from '@electric-sql/pglite';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KeywordDocument, keywordDocument } from '../../src/memory/indexed-text.ts';
import { keywordQuery } from '../../src/memory/keyword-query.ts';
import { toTsquery, toTsvector } from '../../src/postgres/tsvector.ts';

let database: PGlite;

beforeAll(async () => {
  database = await PGlite.create();
});

afterAll(async () => {
  await database.close();
});

/** What Postgres' text type can hold, with the characters its parsers act on made common. */
const lexeme = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 5 }),
      fc.constantFrom("'", '\\', ':', '&', '|', '!', '(', ')', '<->', '*', ',', ' ', '1A'),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((pieces) => pieces.join('').replaceAll('\0', ''))
  .filter((text) => text !== '');

const counts = fc
  .record({ title: fc.nat(40), body: fc.nat(40), hint: fc.nat(40) })
  .filter(({ title, body, hint }) => title + body + hint > 0);

test('any lexemes come back as they went in, each found by its own literal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(lexeme, { minLength: 1, maxLength: 10 }), async (lexemes) => {
      const literal = toTsvector(toDocument(lexemes.map((term) => [term, { body: 1 }])));

      const { rows } = await database.query<{ lexemes: string[]; found: boolean }>(
        `select tsvector_to_array($1::tsvector) as lexemes,
                (select bool_and($1::tsvector @@ q::tsquery) from unnest($2::text[]) q) as found`,
        [literal, lexemes.map(toTsquery)],
      );

      expect(new Set(rows[0]?.lexemes)).toEqual(new Set(lexemes));
      expect(rows[0]?.found).toBe(true);
    }),
  );
});

test('a literal finds no lexeme but its own', async () => {
  await fc.assert(
    fc.asyncProperty(lexeme, lexeme, async (stored, asked) => {
      const { rows } = await database.query<{ found: boolean }>(
        'select $1::tsvector @@ $2::tsquery as found',
        [toTsvector(toDocument([[stored, { body: 1 }]])), toTsquery(asked)],
      );

      expect(rows[0]?.found).toBe(stored === asked);
    }),
  );
});

test('labels say how often a term stands in title, hint and body', async () => {
  await fc.assert(
    fc.asyncProperty(counts, async (expected) => {
      const { rows } = await database.query<{ weights: string[] }>(
        'select weights from unnest($1::tsvector)',
        [toTsvector(toDocument([['pod', expected]]))],
      );

      const { title, hint, body } = expected;
      const labels = 'A'.repeat(title) + 'C'.repeat(hint) + 'D'.repeat(body);
      expect(rows[0]?.weights.join('')).toBe(labels.slice(0, 64));
    }),
  );
});

test('ts_rank gives the frequency of a term back, from 1 to 64', async () => {
  const frequencies = Array.from({ length: 64 }, (_, index) => index + 1);
  const literals = frequencies.map((body) =>
    toTsvector(
      toDocument([
        ['other', { body: 3 }],
        ['pod', { body }],
        ['title', { title: 9 }],
      ]),
    ),
  );

  const { rows } = await database.query<{ frequency: number }>(
    `select width_bucket(ts_rank('{1,1,1,1}', v::tsvector, $2::tsquery)::float8, $3::float8[]) as frequency
     from unnest($1::text[]) with ordinality as t(v, n) order by n`,
    [literals, toTsquery('pod'), rankThresholds(64)],
  );

  expect(rows.map(({ frequency }) => frequency)).toEqual(frequencies);
});

test('a frequency past 64 counts as 64', async () => {
  const { rows } = await database.query<{ frequency: number }>(
    `select width_bucket(ts_rank('{1,1,1,1}', $1::tsvector, $2::tsquery)::float8, $3::float8[]) as frequency`,
    [toTsvector(toDocument([['pod', { body: 5000 }]])), toTsquery('pod'), rankThresholds(64)],
  );

  expect(rows[0]?.frequency).toBe(64);
});

test('the fullest document is one that Postgres takes', async () => {
  const body = Array.from({ length: 1_000_000 }, (_, index) => index.toString(36)).join(' ');
  const document = keywordDocument({ title: 'Full', body, hints: [] });

  const { rows } = await database.query<{ lexemes: number }>(
    'select length($1::tsvector) as lexemes',
    [toTsvector(document)],
  );

  expect(document.truncated).toBe(true);
  expect(rows[0]?.lexemes).toBe(document.terms.size);
});

test('the page that says ADR-016 matches all of its query, the others a part', async () => {
  const pages = ['Decided in ADR-016.', 'An ADR is a record.', 'Room 016.', 'Nothing.'];
  const { terms } = keywordQuery('what does ADR-016 say');

  const { rows } = await database.query<{ matched: number }>(
    `select (select count(*)::int from unnest($2::text[]) q where v::tsvector @@ q::tsquery) as matched
     from unnest($1::text[]) with ordinality as t(v, n) order by n`,
    [
      pages.map((body) => toTsvector(keywordDocument({ title: '', body, hints: [] }))),
      terms.map(toTsquery),
    ],
  );

  expect(rows.map(({ matched }) => matched)).toEqual([3, 1, 1, 0]);
});

type Counts = { readonly title?: number; readonly body?: number; readonly hint?: number };

function toDocument(terms: readonly (readonly [string, Counts])[]): KeywordDocument {
  return {
    terms: new Map(terms.map(([term, some]) => [term, { title: 0, body: 0, hint: 0, ...some }])),
    length: 0,
    truncated: false,
  };
}

/** Bucket k starts just under Σ 1/i² for i to k, on the scale of ts_rank (π²/6 is 1). */
function rankThresholds(most: number): number[] {
  let sum = 0;
  return Array.from({ length: most }, (_, index) => {
    const frequency = index + 1;
    sum += 1 / frequency ** 2;
    return (sum - 0.5 / frequency ** 2) / 1.64493406685;
  });
}
