import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccess } from '../../src/memory/access.ts';
import type { JsonObject } from '../../src/memory/attributes.ts';
import { InvalidInputError } from '../../src/memory/errors.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createToolBox } from '../../src/tools/tool-box.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import {
  callOverMcp,
  expectRefused,
  invalid,
  missing,
  type Refusal,
  toErrorResult,
  toFailure,
} from '../support/refused-calls.ts';
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

describe('a search refuses', () => {
  test.each<[string, JsonObject, Refusal]>([
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
      'a subject that is not there',
      { query: 'x', subjects: ['ops:none'] },
      missing('subjects.0', 'a page "ops:none"'),
    ],
    [
      'a subject without a project, where it could be in several',
      { query: 'x', subjects: ['a'] },
      invalid('project', 'one of the projects "lab", "ops"', 'none'),
    ],
  ])('%s', (_what, args, refusal) => expectRefused(app, 'memory.search', args, refusal));

  test('a number that is none', async () => {
    const box = createToolBox({ maxDepth: 4, hintsEnabled: () => false, defaultProject: null });
    const access = createAccess(app.stores, LOCAL_PRINCIPAL);
    const tool = box.find('memory.search', null);

    const answer = tool.call(access, { query: 'x', limit: Number.NaN });

    await expect(answer).rejects.toEqual(
      new InvalidInputError('limit', 'a whole number from 1 to 100', 'NaN'),
    );
  });

  test('arguments that are nested without end', async () => {
    const nested = `{"query":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const box = createToolBox({ maxDepth: 4, hintsEnabled: () => false, defaultProject: null });
    const access = createAccess(app.stores, LOCAL_PRINCIPAL);

    const calling = box.find('memory.search', null).call(access, JSON.parse(nested));
    const result = await callOverMcp(app, 'memory.search', nested);

    const expected = 'an object nested at most 64 deep';
    const received = 'one that is nested deeper';
    await expect(calling).rejects.toEqual(new InvalidInputError('arguments', expected, received));
    expect(result).toEqual(toErrorResult(invalid('arguments', expected, received)));
  });

  test('a number that JSON can write and no machine can hold', async () => {
    const limit = '{"query":"x","limit":1e400}';
    const attributes = '{"path":"p","title":"P","project":"lab","attributes":{"a":[1,1e400]}}';

    const searched = await callOverMcp(app, 'memory.search', limit);
    const written = await callOverMcp(app, 'memory.write', attributes);

    const tooHigh = invalid('limit', 'a whole number from 1 to 100', 'Infinity');
    expect(searched).toEqual(toErrorResult(tooHigh));
    const noNumber = invalid('attributes.a.1', 'a finite number', 'Infinity');
    expect(written).toEqual(toErrorResult(noNumber));
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

const TIMES = { valid_from: null, valid_to: null };

test.each<[string, JsonObject, JsonObject]>([
  [
    'memory.search',
    { query: 'checkout' },
    {
      type_hints: null,
      subjects: null,
      as_of: null,
      limit: null,
      token_budget: null,
      project: null,
      projects: null,
    },
  ],
  ['memory.briefing', { project: 'ops' }, { settled_first: null, token_budget: null }],
  ['memory.page', { page: 'ops:notes/lunch' }, { as_of: null, token_budget: null, project: null }],
  [
    'memory.traverse',
    { from: 'ops:causes/pool' },
    {
      kinds: null,
      direction: null,
      depth: null,
      limit: null,
      as_of: null,
      token_budget: null,
      project: null,
    },
  ],
  [
    'memory.write',
    { path: 'nulls', title: 'Nulls', project: 'ops', idempotency_key: 'nulls' },
    {
      body: null,
      kind: null,
      tags: null,
      attributes: null,
      importance: null,
      hints: null,
      expected_version: null,
      ...TIMES,
    },
  ],
  [
    'memory.link',
    {
      edges: [{ from: 'ops:notes/lunch', kind: 'REFERENCES', to: 'ops:causes/pool' }],
      idempotency_key: 'nulls of a link',
    },
    {
      edges: [
        {
          from: 'ops:notes/lunch',
          kind: 'REFERENCES',
          to: 'ops:causes/pool',
          note: null,
          ...TIMES,
        },
      ],
      project: null,
    },
  ],
])('%s takes null for an optional argument that is left out', async (name, args, nulls) => {
  const leftOut = await callTool(app, name, args);

  const answer = await callTool(app, name, { ...args, ...nulls });
  const result = await callOverMcp(app, name, JSON.stringify({ ...args, ...nulls }));

  expect(answer).toEqual(leftOut);
  expect(answer.__typename).toBe('CallToolSuccess');
  expect(result).toEqual({ content: [{ type: 'text', text: leftOut.text }] });
});

test('a hint that is given twice counts once', async () => {
  const once = await callTool(app, 'memory.search', { query: 'checkout', type_hints: ['FIX'] });
  const twice = { query: 'checkout', type_hints: ['FIX', 'FIX'] };

  expect(await callTool(app, 'memory.search', twice)).toEqual(once);
  expect(await callOverMcp(app, 'memory.search', JSON.stringify(twice))).toEqual({
    content: [{ type: 'text', text: once.text }],
  });
});

test('the filter of 1.1.0 refuses the hints of 2.0.0', async () => {
  const args = { query: 'x', type_hints: ['FACT'] };

  const answer = await callTool(app, 'memory.search', args, { version: '1.1.0' });

  const expected = `one of ${SEARCH.replace('type_hints', 'belief_types')}`;
  const refusal = invalid('type_hints', expected, 'an unknown argument');
  expect(answer).toEqual(toFailure(refusal, 'input.arguments'));
});

test.each<[string, string | null, Refusal]>([
  ['memory.find', null, missing('name', 'a tool named "memory.find"')],
  ['memory_search', null, missing('name', 'a tool named "memory_search"')],
  ['__proto__', null, missing('name', 'a tool named "__proto__"')],
  ['memory.search', '9.9.9', missing('version', 'memory.search@9.9.9 (there is 2.0.0 and 1.1.0)')],
  ['memory.page', '', missing('version', 'memory.page@ (there is 1.0.0)')],
])('there is no %s@%s', async (name, version, refusal) => {
  const answer = await callTool(app, name, {}, { version });

  expect(answer).toEqual(toFailure(refusal, 'input'));
});

describe('the other tools refuse', () => {
  const page = { path: 'p', title: 'P', project: 'lab' };
  const edge = { from: 'ops:notes/lunch', kind: 'CAUSES', to: 'ops:notes/doubt' };

  test.each<[string, JsonObject, Refusal]>([
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
    ['memory.briefing', { project: 'none' }, missing('project', 'a project named "none"')],
    ['memory.briefing', {}, invalid('project', 'one of the projects "lab", "ops"', 'none')],
    [
      'memory.briefing',
      { project: 'ops', token_budget: '2000' },
      invalid('token_budget', 'a whole number from 1 to 32000', '"2000"'),
    ],
    [
      'memory.briefing',
      { project: 'p'.repeat(MIB) },
      missing('project', `a project named "${'p'.repeat(62)}…`),
    ],
    ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].flatMap(
      (name): [string, JsonObject, Refusal][] => [
        [
          'memory.briefing',
          JSON.parse(`{"project":"ops","${name}":{"token_budget":1}}`),
          invalid(name, 'one of settled_first, token_budget, project', 'an unknown argument'),
        ],
        [
          'memory.link',
          { edges: [JSON.parse(`{"from":"a","kind":"FIXES","to":"b","${name}":1}`)] },
          invalid(
            `edges.0.${name}`,
            'one of from, kind, to, note, valid_from, valid_to',
            'an unknown argument',
          ),
        ],
        [
          'memory.page',
          { page: 'ops:notes/lunch', as_of: JSON.parse(`{"${name}":1}`) },
          invalid(`as_of.${name}`, 'one of valid_at, recorded_at', 'an unknown argument'),
        ],
        ['memory.page', { page: name, project: 'ops' }, missing('page', `a page "${name}"`)],
        [
          'memory.page',
          { page: 'a', project: name },
          missing('project', `a project named "${name}"`),
        ],
      ],
    ),
    [
      'memory.page',
      { page: `ops:${'p'.repeat(MIB)}` },
      invalid('page', 'a path of at most 512 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'memory.page',
      { page: 'ops:notes/lunch', token_budget: '1' },
      invalid('token_budget', 'a whole number from 1 to 1000000', '"1"'),
    ],
    [
      'memory.page',
      { page: 'ops:notes/lunch', as_of: { recorded_at: 1 } },
      invalid('as_of.recorded_at', 'an instant', '1'),
    ],
    ['memory.page', {}, invalid('page', 'the name of a page', 'none')],
    ['memory.page', { page: 7 }, invalid('page', 'the name of a page', '7')],
    [
      'memory.page',
      { page: 'ops:' },
      invalid('page', 'a path of at least one byte', 'an empty text'),
    ],
    ['memory.page', { page: 'ops:none' }, missing('page', 'a page "ops:none"')],
    ['memory.page', { page: 'a', project: 'none' }, missing('project', 'a project named "none"')],
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
    [
      'memory.write',
      { ...page, title: 't'.repeat(MIB) },
      invalid('title', 'at most 300 characters', '1048576 characters'),
    ],
    [
      'memory.write',
      { ...page, path: 'p'.repeat(MIB) },
      invalid('path', 'a path of at most 512 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'memory.write',
      { ...page, tags: ['t'.repeat(MIB)] },
      invalid('tags.0', 'at most 64 characters', '1048576 characters'),
    ],
    [
      'memory.write',
      { ...page, hints: ['h'.repeat(MIB)] },
      invalid('hints.0', 'at most 200 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'memory.write',
      { ...page, idempotency_key: 'k'.repeat(MIB) },
      invalid('idempotency_key', 'at most 255 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'memory.write',
      { ...page, valid_from: '2'.repeat(MIB) },
      invalid(
        'valid_from',
        'an RFC 3339 instant such as 2026-03-01T10:00:00Z',
        `"${'2'.repeat(77)}…"`,
      ),
    ],
    [
      'memory.write',
      { ...page, attributes: { long: 'a'.repeat(MIB) } },
      invalid('attributes', 'at most 16384 bytes of JSON', '1048587 bytes'),
    ],
    [
      'memory.write',
      { ...page, importance: '5' },
      invalid('importance', 'a whole number from 1 to 10', '"5"'),
    ],
    [
      'memory.write',
      { ...page, expected_version: '1' },
      invalid('expected_version', 'a whole number from 0 to 2147483647', '"1"'),
    ],
    [
      'memory.write',
      { ...page, hints: ['a', 'b', 'c', 'd', 'a'] },
      invalid('hints', 'at most 3 hints', '4 hints'),
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
      missing('edges.0.to', 'a page "ops:none"'),
    ],
    [
      'memory.link',
      { edges: [{ ...edge, note: 'n'.repeat(MIB) }] },
      invalid('edges.0.note', 'at most 2000 characters', '1048576 characters'),
    ],
    [
      'memory.traverse',
      { from: 'ops:notes/lunch', depth: '2' },
      invalid('depth', 'a whole number from 1 to 8', '"2"'),
    ],
    [
      'memory.traverse',
      { from: 'ops:notes/lunch', limit: '2' },
      invalid('limit', 'a whole number from 1 to 200', '"2"'),
    ],
    [
      'memory.traverse',
      { from: `ops:${'a'.repeat(MIB)}` },
      invalid('from', 'a path of at most 512 bytes of UTF-8', '1048576 bytes'),
    ],
    [
      'memory.traverse',
      { from: 'ops:notes/lunch', kinds: ['K'.repeat(MIB)] },
      invalid(
        'kinds.0',
        'one of CAUSES, FIXES, CONTRADICTS, SUPERSEDES, REFERENCES',
        `"${'K'.repeat(77)}…"`,
      ),
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
  ])('%s, %#', (name, args, refusal) => expectRefused(app, name, args, refusal));

  test('a walk beyond the cap of the server', async () => {
    const args = { from: 'ops:notes/lunch', depth: 5 };

    await expectRefused(app, 'memory.traverse', args, {
      type: 'LimitExceeded',
      code: 'DEPTH_LIMIT_EXCEEDED',
      field: 'depth',
      told: 'expected at most 4, but got 5.',
      details: { limit: 4, received: expect.toSatisfy((received) => String(received) === '5') },
    });
  });

  test('hints while the server takes none', async () => {
    const args = { ...page, hints: ['why?'] };
    const refusal = {
      type: 'HintsDisabled',
      code: 'HINTS_DISABLED',
      field: 'hints',
      told: 'expected no hints, since CAUSEWAY_HINTS_ENABLED is off.',
    };

    const answer = await callTool(app, 'memory.write', args);
    const result = await callOverMcp(app, 'memory.write', JSON.stringify(args));

    const { field: _field, ...failure } = toFailure(refusal, 'input.arguments');
    expect(answer).toEqual(failure);
    expect(result).toEqual(toErrorResult(refusal));
  });

  test('a write, without a trace of it', async () => {
    const { data } = await app.ask('{ page(project: "lab", path: "p") { path } }');

    expect(data.page).toBeNull();
  });
});
