import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/memory/attributes.ts';
import { parsePageFilter } from '../../src/memory/parse-page-filter.ts';
import { type PageInput, parsePageInput } from '../../src/memory/parse-page-input.ts';
import { createRedactor } from '../../src/memory/redaction.ts';

const PAGE: PageInput = { projectId: 'p', path: 'a', title: 'A' };

const parse = (
  input: Partial<PageInput>,
  { clearance = 3, hintsEnabled = true }: { clearance?: number; hintsEnabled?: boolean } = {},
) =>
  parsePageInput(
    { ...PAGE, ...input },
    { field: 'pages.3.', clearance, hintsEnabled: () => hintsEnabled, redactor: createRedactor() },
  );

test('fills in what was left out, and takes null as left out', () => {
  const defaults = {
    body: '',
    kind: 'NOTE',
    tags: [],
    attributes: {},
    sensitivity: 1,
    importance: 5,
    hints: [],
    archived: false,
    validFrom: null,
    validTo: null,
    hasValidTime: false,
    expectedVersion: null,
  };
  const nothing = { body: null, kind: null, tags: null, attributes: null, sensitivity: null };

  expect(parse({})).toMatchObject(defaults);
  expect(parse({ ...nothing, importance: null, hints: null, validFrom: null })).toMatchObject(
    defaults,
  );
});

test.each([
  ['title', { title: ' \n' }],
  ['title', { title: 'x'.repeat(301) }],
  ['title', { title: 'a\0b' }],
  ['body', { body: 'a\0b' }],
  ['body', { body: '\ud800' }],
  ['body', { body: 'x'.repeat(1024 * 1024 + 1) }],
  ['path', { path: '../x' }],
  ['path', { path: 'sessions/' }],
  ['path', { path: 'a//b' }],
  ['path', { path: 'x'.repeat(513) }],
  ['tags.1', { tags: ['a', ' '] }],
  ['tags.0', { tags: ['x'.repeat(65)] }],
  ['tags.0', { tags: ['a\0'] }],
  ['tags', { tags: Array.from({ length: 33 }, (_, index) => `t${index}`) }],
  ['attributes.a.0.b', { attributes: { a: [{ b: '\0' }] } }],
  ['attributes', { attributes: { '\udc00': 1 } }],
  ['attributes', { attributes: { a: 'x'.repeat(16 * 1024) } }],
  ['importance', { importance: 0 }],
  ['importance', { importance: 11 }],
  ['importance', { importance: 1.5 }],
  ['expectedVersion', { expectedVersion: -1 }],
  ['validTo', { validFrom: '2026-02-01T00:00:00Z', validTo: '2026-02-01T00:00:00Z' }],
  ['validFrom', { validFrom: '2026-02-30T00:00:00Z' }],
  ['validFrom', { validFrom: '2026-02-01T00:00:00' }],
  ['hints', { hints: ['a', 'b', 'c', 'd'] }],
  ['hints.1', { hints: ['a', '  '] }],
  ['hints.0', { hints: ['€'.repeat(67)] }],
  ['hints.0', { hints: ['a\0'] }],
] as const)('refuses a bad %s by name: case %#', (field, input) => {
  expect(() => parse(input)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: `pages.3.${field}` }),
  );
});

test('lets everything pass that is just within its limit', () => {
  const title = '😀'.repeat(300);
  const page = parse({
    title,
    body: 'x'.repeat(1024 * 1024),
    tags: [...Array.from({ length: 32 }, (_, index) => `t${index}`), 't0', 't31'],
    hints: ['€'.repeat(66), 'b', 'b', 'c'],
    validFrom: '0001-01-01T00:00:00Z',
    validTo: '9999-12-31T23:59:59Z',
  });

  expect(page.title).toBe(title);
  expect(page.tags).toHaveLength(32);
  expect(page.hints).toEqual(['€'.repeat(66), 'b', 'c']);
});

test('refuses a sensitivity above the clearance, the default one included', () => {
  const expected = { code: 'INVALID_INPUT', field: 'pages.3.sensitivity' };

  expect(() => parse({ sensitivity: 'RESTRICTED' }, { clearance: 2 })).toThrow(
    expect.objectContaining(expected),
  );
  expect(() => parse({}, { clearance: 0 })).toThrow(expect.objectContaining(expected));
  expect(parse({ sensitivity: 'PUBLIC' }, { clearance: 0 }).sensitivity).toBe(0);
});

test('refuses hints while the gate is closed, but first those that break a rule', () => {
  const closed = { hintsEnabled: false };

  expect(() => parse({ hints: ['a'] }, closed)).toThrow(
    expect.objectContaining({ code: 'HINTS_DISABLED', field: 'pages.3.hints' }),
  );
  expect(() => parse({ hints: [''] }, closed)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
  expect(parse({ hints: [] }, closed).hints).toEqual([]);
  expect(parse({ hints: null }, closed).hints).toEqual([]);
});

test('never repeats the text it refuses', () => {
  const secret = 'hunter2hunter2';

  expect(() => parse({ body: `${secret}\0` })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining(secret) }),
  );
});

/** An object in an object, so many in all. */
const nested = (depth: number) =>
  Array.from({ length: depth - 1 }).reduce<JsonObject>((inner) => ({ a: inner }), {});

test('takes attributes 64 deep, and refuses deeper ones without looking to their end', () => {
  expect(parse({ attributes: nested(64) }).attributes).toEqual(nested(64));
  for (const attributes of [nested(65), nested(100_000), { list: [[[nested(62)]]] }]) {
    expect(() => parse({ attributes })).toThrow(
      'pages.3.attributes: expected an object nested at most 64 deep, but got one that is nested deeper.',
    );
  }
});

test('refuses a filter by attributes that are nested too deep', () => {
  expect(parsePageFilter({ attributes: nested(64) })).toEqual({ attributes: nested(64) });
  expect(() => parsePageFilter({ attributes: nested(100_000) })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'filter.attributes' }),
  );
});

test.each(['includeIds', 'excludeIds'] as const)('refuses a filter of too many %s', (name) => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `id-${index}`);

  expect(parsePageFilter({ [name]: ids })[name]).toHaveLength(1_000);
  expect(() => parsePageFilter({ [name]: [...ids, 'more'] })).toThrow(
    expect.objectContaining({
      code: 'LIMIT_EXCEEDED',
      field: `filter.${name}`,
      limit: 1_000,
      received: 1_001,
    }),
  );
});
