import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccess } from '../../src/memory/access.ts';
import type { JsonObject } from '../../src/memory/attributes.ts';
import { InvalidInputError } from '../../src/memory/errors.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createToolBox } from '../../src/tools/tool-box.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { callTool, seedOps } from '../support/tools.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await seedOps(app);
});
afterAll(() => app.close());

const MIB = 1024 * 1024;
const KINDS =
  'FACT, DECISION, RULE, PREFERENCE, PROCEDURE, PROCEDURE_POINTER, PROBLEM, FIX, EVENT, SESSION, NOTE';
const SEARCH = 'query, type_hints, subjects, as_of, limit, token_budget, project, projects';

/** The whole of a refused argument. */
const invalid = (field: string, expected: string, received: string) => ({
  __typename: 'InvalidInput',
  code: 'INVALID_INPUT',
  message: `input.arguments.${field}: expected ${expected}, but got ${received}.`,
  retryable: false,
  field: `input.arguments.${field}`,
  expected,
  received,
});

const missing = (field: string, asked: string) => ({
  __typename: 'NotFound',
  code: 'NOT_FOUND',
  message: `input.${field}: expected ${asked}, but found none.`,
  retryable: false,
  field: `input.${field}`,
});

describe('a search refuses', () => {
  test.each<[string, JsonObject, object]>([
    [
      'the old hard filter',
      { query: 'x', belief_types: ['FACT'] },
      invalid('belief_types', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'an unknown argument before one that does not fit',
      { limit: 'x', top_k: 5 },
      invalid('top_k', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'an unknown argument of null',
      { query: 'x', top_k: null },
      invalid('top_k', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'a name in another spelling',
      { query: 'x', typeHints: ['FACT'] },
      invalid('typeHints', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'a prototype for a name',
      JSON.parse('{"query":"x","__proto__":{"limit":1}}'),
      invalid('__proto__', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'a constructor for a name',
      { query: 'x', constructor: 'x' },
      invalid('constructor', `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'a long and unseemly name',
      { query: 'x', [`\u202e${'n'.repeat(MIB)}`]: 1 },
      invalid(`\ufffd${'n'.repeat(78)}…`, `one of ${SEARCH}`, 'an unknown argument'),
    ],
    [
      'an unknown hint',
      { query: 'x', type_hints: ['FACT', 'fact'] },
      invalid('type_hints.1', `one of ${KINDS}`, '"fact"'),
    ],
    [
      'a hint of a megabyte',
      { query: 'x', type_hints: ['F'.repeat(MIB)] },
      invalid('type_hints.0', `one of ${KINDS}`, `"${'F'.repeat(77)}…"`),
    ],
    [
      'a hint that is no list',
      { query: 'x', type_hints: 'FACT' },
      invalid('type_hints', 'a list of kinds', '"FACT"'),
    ],
    ['no query', {}, invalid('query', 'a text that is not blank', 'none')],
    ['a query of null', { query: null }, invalid('query', 'a text that is not blank', 'none')],
    ['a blank query', { query: ' \n' }, invalid('query', 'a text that is not blank', '" \ufffd"')],
    [
      'a list for a query',
      { query: ['x'] },
      invalid('query', 'a text that is not blank', 'a list of 1'),
    ],
    [
      'an object for a query',
      { query: { $gt: '' } },
      invalid('query', 'a text that is not blank', 'an object'),
    ],
    [
      'a number as a text',
      { query: 'x', limit: '5' },
      invalid('limit', 'a whole number from 1 to 100', '"5"'),
    ],
    [
      'a limit of none',
      { query: 'x', limit: 0 },
      invalid('limit', 'a whole number from 1 to 100', '0'),
    ],
    [
      'a limit that is not whole',
      { query: 'x', limit: 1.5 },
      invalid('limit', 'a whole number from 1 to 100', '1.5'),
    ],
    [
      'a limit that is far too high',
      { query: 'x', limit: 1e300 },
      invalid('limit', 'a whole number from 1 to 100', '1e+300'),
    ],
    [
      'a budget below one',
      { query: 'x', token_budget: -1 },
      invalid('token_budget', 'a whole number from 1 to 1000000', '-1'),
    ],
    [
      'an instant for both times',
      { query: 'x', as_of: '2026-01-01T00:00:00Z' },
      invalid('as_of', 'an object with valid_at, recorded_at or both', '"2026-01-01T00:00:00Z"'),
    ],
    [
      'a past without an instant',
      { query: 'x', as_of: { valid_at: null } },
      invalid('as_of', 'an object with valid_at, recorded_at or both', 'an object'),
    ],
    [
      'a local time',
      { query: 'x', as_of: { valid_at: '2026-03-01T10:00:00' } },
      invalid(
        'as_of.valid_at',
        'an instant with an offset, such as Z or +01:00',
        '"2026-03-01T10:00:00"',
      ),
    ],
    [
      'an unknown time',
      { query: 'x', as_of: { at: '2026-03-01T10:00:00Z' } },
      invalid('as_of.at', 'one of valid_at, recorded_at', 'an unknown argument'),
    ],
    [
      'both scopes',
      { query: 'x', project: 'ops', projects: ['ops'] },
      invalid('projects', 'either project or projects', 'both'),
    ],
    [
      'a project that is not there',
      { query: 'x', project: 'op%' },
      invalid('project', 'the name of a project', 'op%'),
    ],
    [
      'a project of many that is not there',
      { query: 'x', projects: ['ops', ''] },
      invalid('projects.1', 'the name of a project', 'an empty text'),
    ],
    [
      'no subjects',
      { query: 'x', subjects: [] },
      invalid('subjects', 'a list of 1 to 100 pages', 'a list of 0'),
    ],
    [
      'too many subjects',
      { query: 'x', subjects: Array(101).fill('ops:a') },
      invalid('subjects', 'a list of 1 to 100 pages', 'a list of 101'),
    ],
    [
      'a subject that is no path',
      { query: 'x', subjects: ['ops:a//b'] },
      invalid('subjects.0', 'a path without an empty segment', '"a//b"'),
    ],
    [
      'a subject of a megabyte',
      { query: 'x', subjects: [`ops:${'a'.repeat(MIB)}`] },
      invalid('subjects.0', 'a path of at most 512 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'a subject without a project, where it could be in several',
      { query: 'x', subjects: ['a'] },
      invalid('project', 'one of the projects "lab", "ops"', 'none'),
    ],
  ])('%s', async (_what, args, refusal) => {
    expect(await callTool(app, 'memory.search', args)).toEqual(refusal);
  });

  test('a subject that is not there', async () => {
    const answer = await callTool(app, 'memory.search', { query: 'x', subjects: ['ops:none'] });

    expect(answer).toEqual(missing('arguments.subjects.0', 'a page "ops:none"'));
  });

  test('a number that is none', async () => {
    const box = createToolBox({ maxDepth: 4, hintsEnabled: () => false, defaultProject: null });
    const access = createAccess(app.stores, LOCAL_PRINCIPAL);
    const request = { name: 'memory.search', version: null };

    const answer = box.call(access, { ...request, arguments: { query: 'x', limit: Number.NaN } });

    await expect(answer).rejects.toEqual(
      new InvalidInputError('limit', 'a whole number from 1 to 100', 'NaN'),
    );
  });

  test('arguments that are nested without end', async () => {
    const box = createToolBox({ maxDepth: 4, hintsEnabled: () => false, defaultProject: null });
    const access = createAccess(app.stores, LOCAL_PRINCIPAL);
    const args = JSON.parse(`{"query":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);

    const answer = box.call(access, { name: 'memory.search', version: null, arguments: args });

    await expect(answer).rejects.toEqual(
      new InvalidInputError(
        'arguments',
        'an object nested at most 64 deep',
        'one that is nested deeper',
      ),
    );
  });
});

test.each([
  { query: 'q '.repeat(MIB / 2) },
  { query: '\u0000' },
  { query: "'); drop table page; --" },
])('takes any text for a query', async (args) => {
  const answer = await callTool(app, 'memory.search', args);

  expect(answer.__typename).toBe('CallToolSuccess');
});

test('takes null for an optional argument that is left out', async () => {
  const nulls = {
    type_hints: null,
    subjects: null,
    as_of: null,
    limit: null,
    token_budget: null,
    project: null,
    projects: null,
  };

  const answer = await callTool(app, 'memory.search', { query: 'checkout', ...nulls });

  expect(answer).toEqual(await callTool(app, 'memory.search', { query: 'checkout' }));
});

test('the filter of 1.1.0 refuses the hints of 2.0.0', async () => {
  const args = { query: 'x', type_hints: ['FACT'] };

  const answer = await callTool(app, 'memory.search', args, { version: '1.1.0' });

  const expected = `one of ${SEARCH.replace('type_hints', 'belief_types')}`;
  expect(answer).toEqual(invalid('type_hints', expected, 'an unknown argument'));
});

test.each<[string, string | null, object]>([
  ['memory.find', null, missing('name', 'a tool named "memory.find"')],
  ['memory_search', null, missing('name', 'a tool named "memory_search"')],
  ['__proto__', null, missing('name', 'a tool named "__proto__"')],
  ['memory.search', '9.9.9', missing('version', 'memory.search@9.9.9 (there is 2.0.0 and 1.1.0)')],
  ['memory.page', '', missing('version', 'memory.page@ (there is 1.0.0)')],
])('there is no %s@%s', async (name, version, refusal) => {
  expect(await callTool(app, name, {}, { version })).toEqual(refusal);
});

describe('the other tools refuse', () => {
  const page = { path: 'p', title: 'P', project: 'lab' };
  const edge = { from: 'ops:notes/lunch', kind: 'CAUSES', to: 'ops:notes/doubt' };

  test.each<[string, JsonObject, object]>([
    [
      'memory.briefing',
      { project: 'ops', settled_first: 'yes' },
      invalid('settled_first', 'true or false', '"yes"'),
    ],
    [
      'memory.briefing',
      { project: 'ops', token_budget: 32_001 },
      invalid('token_budget', 'a whole number from 1 to 32000', '32001'),
    ],
    [
      'memory.briefing',
      { project: 'none' },
      missing('arguments.project', 'a project named "none"'),
    ],
    ['memory.briefing', {}, invalid('project', 'one of the projects "lab", "ops"', 'none')],
    ['memory.page', {}, invalid('page', 'the name of a page', 'none')],
    ['memory.page', { page: 7 }, invalid('page', 'the name of a page', '7')],
    [
      'memory.page',
      { page: 'ops:' },
      invalid('page', 'a path of at least one byte', 'an empty text'),
    ],
    ['memory.page', { page: 'ops:none' }, missing('arguments.page', 'a page "ops:none"')],
    [
      'memory.page',
      { page: 'a', project: 'none' },
      missing('arguments.project', 'a project named "none"'),
    ],
    ['memory.write', { ...page, title: null }, invalid('title', 'a title', 'none')],
    [
      'memory.write',
      { ...page, title: ' ' },
      invalid('title', 'a text that is not blank', 'white space alone'),
    ],
    [
      'memory.write',
      { ...page, body: '\u0000' },
      invalid('body', 'a text without NUL', 'NUL at offset 0'),
    ],
    [
      'memory.write',
      { ...page, body: 'b'.repeat(MIB + 1) },
      invalid('body', 'at most 1048576 bytes of UTF-8', '1048577 bytes'),
    ],
    ['memory.write', { ...page, tags: 'a' }, invalid('tags', 'a list of tags', '"a"')],
    ['memory.write', { ...page, tags: ['a', 1] }, invalid('tags.1', 'a tag', '1')],
    ['memory.write', { ...page, kind: 'FACTS' }, invalid('kind', `one of ${KINDS}`, '"FACTS"')],
    [
      'memory.write',
      { ...page, importance: 11 },
      invalid('importance', 'a whole number from 1 to 10', '11'),
    ],
    [
      'memory.write',
      { ...page, attributes: ['a'] },
      invalid('attributes', 'an object', 'a list of 1'),
    ],
    [
      'memory.write',
      { ...page, attributes: { validFrom: '\u0000' } },
      invalid('attributes.validFrom', 'a text without NUL', 'NUL at offset 0'),
    ],
    [
      'memory.write',
      { ...page, valid_from: 'today' },
      invalid('valid_from', 'an RFC 3339 instant such as 2026-03-01T10:00:00Z', '"today"'),
    ],
    [
      'memory.write',
      { ...page, idempotency_key: '' },
      invalid('idempotency_key', 'a text that is not empty', 'an empty text'),
    ],
    [
      'memory.write',
      { ...page, project: null },
      invalid('project', 'one of the projects "lab", "ops"', 'none'),
    ],
    [
      'memory.write',
      { ...page, author: 'me' },
      invalid(
        'author',
        'one of path, title, body, kind, tags, attributes, importance, hints, valid_from, valid_to, expected_version, idempotency_key, project',
        'an unknown argument',
      ),
    ],
    ['memory.link', { edges: [] }, invalid('edges', 'a list of 1 to 100 edges', 'a list of 0')],
    [
      'memory.link',
      { edges: [edge, null] },
      invalid('edges.1', 'an object with from, kind and to', 'null'),
    ],
    [
      'memory.link',
      { edges: [{ ...edge, kind: 'CAUSES]-() DETACH DELETE n //' }] },
      invalid(
        'edges.0.kind',
        'one of CAUSES, FIXES, CONTRADICTS, SUPERSEDES, REFERENCES',
        '"CAUSES]-() DETACH DELETE n //"',
      ),
    ],
    [
      'memory.link',
      { edges: [{ ...edge, weight: 1 }] },
      invalid(
        'edges.0.weight',
        'one of from, kind, to, note, valid_from, valid_to',
        'an unknown argument',
      ),
    ],
    [
      'memory.link',
      { edges: [edge, { ...edge, to: edge.from }] },
      invalid('edges.1.to', 'another page than from', 'the same page'),
    ],
    [
      'memory.link',
      { edges: [{ ...edge, to: 'ops:none' }] },
      missing('arguments.edges.0.to', 'a page "ops:none"'),
    ],
    [
      'memory.traverse',
      { from: 'ops:notes/lunch', kinds: [] },
      invalid('kinds', 'at least one kind', 'none'),
    ],
    [
      'memory.traverse',
      { from: 'ops:notes/lunch', direction: 'out' },
      invalid('direction', 'one of OUT, IN, BOTH', '"out"'),
    ],
  ])('%s %j', async (name, args, refusal) => {
    expect(await callTool(app, name, args)).toEqual(refusal);
  });

  test('a walk beyond the cap of the server', async () => {
    const answer = await callTool(app, 'memory.traverse', { from: 'ops:notes/lunch', depth: 5 });

    expect(answer).toEqual({
      __typename: 'LimitExceeded',
      code: 'DEPTH_LIMIT_EXCEEDED',
      message: 'input.arguments.depth: expected at most 4, but got 5.',
      retryable: false,
      field: 'input.arguments.depth',
      limit: 4,
      received: '5',
    });
  });

  test('hints while the server takes none', async () => {
    const answer = await callTool(app, 'memory.write', { ...page, hints: ['why?'] });

    expect(answer).toEqual({
      __typename: 'HintsDisabled',
      code: 'HINTS_DISABLED',
      message: 'input.arguments.hints: expected no hints, since CAUSEWAY_HINTS_ENABLED is off.',
      retryable: false,
    });
  });

  test('a write, without a trace of it', async () => {
    const { data } = await app.ask('{ page(project: "lab", path: "p") { path } }');

    expect(data.page).toBeNull();
  });
});
