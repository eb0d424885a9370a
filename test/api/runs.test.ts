import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;
let ann: string;

const globalId = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString('base64url');

beforeAll(async () => {
  app = await openTestApp();
  const project = await seedProject(app.stores, 'p');
  const pages = await seedPages(app.stores, project, {
    mine: { title: 'An otter of mine', kind: 'FACT' },
    theirs: { title: 'An otter of theirs' },
  });
  const { view } = await callerFor(app.stores);
  const person = await app.stores.people.create(view, { name: 'Ann', aliases: [] }, null);
  await app.stores.people.assign(view, {
    personId: person,
    pageId: pages.mine,
    state: 'RESOLVED',
  });
  ann = globalId('Person', person);
});
afterAll(() => app.close());

const FAILURE = `__typename ... on Failure { code message retryable }
  ... on InvalidInput { field expected received } ... on NotFound { field }
  ... on LimitExceeded { field limit received }`;

type Opened = { readonly run: { readonly id: string; readonly leaseEndsAt: string } };

const OPEN = { project: 'p', task: 'Find otters', leaseSeconds: 60, searchBudget: 9 };

async function open(input: object = {}, as?: Principal) {
  const { data } = await app.ask<{ openRun: Opened }>(
    `mutation ($input: OpenRunInput!) { openRun(input: $input) {
      ... on OpenRunSuccess { run {
        id project { name } task principal { name clearance } checkpoint model leaseEndsAt
        searchBudget searchesLeft } } ${FAILURE} } }`,
    { input: { ...OPEN, ...input } },
    as,
  );
  return data.openRun;
}

async function close(run: string) {
  const { data } = await app.ask<{ closeRun: object }>(
    `mutation ($run: ID!) { closeRun(input: { run: $run }) {
      __typename ... on CloseRunSuccess { run { id searchesLeft } }
      ... on NotFound { code message retryable field } } }`,
    { run },
  );
  return data.closeRun;
}

const QUERY = { text: 'which otter?', project: 'p' };

async function prepare(run: string, query: object = {}) {
  const { data } = await app.ask<{ prepareRecall: { digest: string; expiresAt: string } }>(
    `mutation ($input: PrepareRecallInput!) { prepareRecall(input: $input) {
      ... on PrepareRecallSuccess { digest expiresAt run { searchesLeft } } ${FAILURE} } }`,
    { input: { run, query: { ...QUERY, ...query } } },
  );
  return data.prepareRecall;
}

async function search(input: object) {
  return app.ask(
    `query ($input: RecallInput!) { recall(input: $input) {
      hits { page { path } explain { dense { rank } } }
      denseSource denseReason { code field } degraded { arm reason }
      digest expiresAt run { searchesLeft } } }`,
    { input: { ...QUERY, ...input } },
  );
}

const invalid = (field: string, expected: string, received: string) => ({
  __typename: 'InvalidInput',
  code: 'INVALID_INPUT',
  message: `${field}: expected ${expected}, but got ${received}.`,
  retryable: false,
  field,
  expected,
  received,
});

const notOpen = {
  __typename: 'NotFound',
  code: 'NOT_FOUND',
  message: 'input.run: expected a run that is open, but found none.',
  retryable: false,
  field: 'input.run',
};

test('a run is opened, searched in with a query that was prepared, and closed', async () => {
  const { run } = await open();
  expect(run).toEqual({
    id: expect.any(String),
    project: { name: 'p' },
    task: 'Find otters',
    principal: { name: 'local', clearance: 'RESTRICTED' },
    checkpoint: expect.stringMatching(/Z$/u),
    model: 'static-minilm-256@1/256',
    leaseEndsAt: expect.stringMatching(/Z$/u),
    searchBudget: 9,
    searchesLeft: 9,
  });

  const prepared = await prepare(run.id);
  expect(prepared).toEqual({
    __typename: 'PrepareRecallSuccess',
    digest: expect.stringMatching(/^[0-9a-f]{64}$/u),
    expiresAt: run.leaseEndsAt,
    run: { searchesLeft: 9 },
  });

  const { digest, expiresAt } = prepared;
  const all = await search({ run: run.id, prepared: digest });
  const narrowed = await search({ run: run.id, prepared: digest, people: [ann] });
  const other = await search({
    run: run.id,
    prepared: digest,
    beliefTypes: ['FACT'],
    people: [ann],
  });
  const people = await app.ask(`{ people(named: "Ann", run: "${run.id}") { nodes { name } } }`);

  expect(all.data.recall).toMatchObject({
    denseSource: 'PREPARED',
    denseReason: null,
    degraded: [],
    digest,
    expiresAt,
    run: { searchesLeft: 8 },
  });
  expect(narrowed.data.recall).toMatchObject({
    hits: [{ page: { path: 'mine' }, explain: { dense: { rank: 1 } } }],
    denseSource: 'NARROWED',
    denseReason: null,
    expiresAt,
    run: { searchesLeft: 7 },
  });
  expect(other.data.recall).toMatchObject({
    hits: [{ page: { path: 'mine' }, explain: { dense: null } }],
    denseSource: 'NONE',
    denseReason: { code: 'DIFFERENT', field: 'beliefTypes' },
    degraded: [{ arm: 'DENSE', reason: 'UNPREPARED' }],
    expiresAt: null,
    run: { searchesLeft: 6 },
  });
  expect(people.data).toEqual({ people: { nodes: [{ name: 'Ann' }] } });
  expect(await close(run.id)).toEqual({
    __typename: 'CloseRunSuccess',
    run: { id: run.id, searchesLeft: 5 },
  });
  expect(await close(run.id)).toEqual(notOpen);
});

test('a search outside of a run has no word of one', async () => {
  const { data } = await search({});

  expect(data.recall).toMatchObject({
    denseSource: 'EMBEDDED',
    denseReason: null,
    digest: null,
    expiresAt: null,
    run: null,
  });
});

test('recalls and people share the budget of a run, and what is refused takes none of it', async () => {
  const { run } = await open({ searchBudget: 2 });
  const peopleOf = (after: string | null) =>
    app.ask(`query ($after: String) { people(run: "${run.id}", after: $after) { totalCount } }`, {
      after,
    });
  const spent = {
    code: 'SEARCH_BUDGET_SPENT',
    retryable: false,
    limit: 2,
  };

  expect((await peopleOf('x')).errors?.[0]?.extensions.code).toBe('INVALID_INPUT');
  expect((await search({ run: run.id, limit: 0 })).errors?.[0]?.extensions.code).toBe(
    'INVALID_INPUT',
  );
  expect((await peopleOf(null)).errors).toBeUndefined();
  expect((await search({ run: run.id })).errors).toBeUndefined();

  const [people, recall] = [await peopleOf(null), await search({ run: run.id })];
  expect(people.errors).toEqual([
    expect.objectContaining({
      message: 'run: expected at most 2 searches of this run, but all of them are made.',
      extensions: expect.objectContaining({ ...spent, field: 'run' }),
    }),
  ]);
  expect(recall.errors).toEqual([
    expect.objectContaining({
      message: 'input.run: expected at most 2 searches of this run, but all of them are made.',
      extensions: expect.objectContaining({ ...spent, field: 'input.run' }),
    }),
  ]);
});

describe('refuses', () => {
  test.each<[string, object, object]>([
    [
      'a lease of no time',
      { leaseSeconds: 0 },
      invalid('input.leaseSeconds', 'a whole number from 1 to 86400', '0'),
    ],
    [
      'a lease of more than a day',
      { leaseSeconds: 86_401 },
      {
        __typename: 'LimitExceeded',
        code: 'LIMIT_EXCEEDED',
        message: 'input.leaseSeconds: expected at most 86400, but got 86401.',
        retryable: false,
        field: 'input.leaseSeconds',
        limit: 86_400,
        received: '86401',
      },
    ],
    [
      'a budget below one',
      { searchBudget: -1 },
      invalid('input.searchBudget', 'a whole number from 1 to 10000', '-1'),
    ],
    [
      'a blank task',
      { task: ' ' },
      invalid('input.task', 'a text that is not blank', 'white space alone'),
    ],
    [
      'a task of more than 300 characters',
      { task: 'x'.repeat(301) },
      invalid('input.task', 'at most 300 characters', '301 characters'),
    ],
    [
      'a project that is not there',
      { project: 'nowhere' },
      {
        __typename: 'NotFound',
        code: 'NOT_FOUND',
        message: 'input.project: expected a project named "nowhere", but found none.',
        retryable: false,
        field: 'input.project',
      },
    ],
  ])('to open a run with %s', async (_what, input, expected) => {
    expect(await open(input)).toEqual(expected);
  });

  test('to open a run for those who may not read', async () => {
    const writer: Principal = { ...LOCAL_PRINCIPAL, scopes: ['memory:write'] };

    expect(await open({}, writer)).toEqual({
      __typename: 'Forbidden',
      code: 'FORBIDDEN',
      message: 'Expected a caller with the scope memory:read.',
      retryable: false,
    });
  });

  test('to prepare what can have no use', async () => {
    const { run } = await open();

    expect(await prepare(run.id, { people: [ann] })).toEqual(
      invalid(
        'input.query.people',
        'a query without people: one that is prepared lends its vector to those with them',
        '1 people',
      ),
    );
    expect(await prepare(run.id, { asOf: { validAt: '2026-01-01T00:00:00Z' } })).toEqual(
      invalid('input.query.asOf', 'a query of the present: the past has no vectors', 'an instant'),
    );
    expect(await prepare(run.id, { run: run.id })).toEqual(
      invalid('input.query.run', 'nothing: the run stands beside the query', run.id),
    );
    expect(await prepare(run.id, { prepared: 'x' })).toEqual(
      invalid('input.query.prepared', 'nothing: the run stands beside the query', 'x'),
    );
    expect(await prepare(run.id, { text: '' })).toEqual(
      invalid('input.query.text', 'a text that is not blank', 'blank text'),
    );
    expect(await prepare(run.id, { asOf: { validAt: 'yesterday' } })).toMatchObject({
      code: 'INVALID_INPUT',
      field: 'input.query.asOf.validAt',
    });
    expect(await prepare(run.id, { includeIds: ['x'] })).toEqual(
      invalid('input.query.includeIds.0', 'the id of a Page', 'x'),
    );
  });

  test('to prepare, close and search in a run that the caller has not open', async () => {
    const { run } = await open({}, { ...LOCAL_PRINCIPAL, name: 'somebody' });

    for (const id of [run.id, 'x', '', '__proto__']) {
      expect(await prepare(id)).toEqual(notOpen);
      expect(await close(id)).toEqual(notOpen);
      const { errors } = await search({ run: id });
      expect(errors?.[0]).toMatchObject({
        message: notOpen.message,
        extensions: { code: 'NOT_FOUND', field: 'input.run', retryable: false },
      });
    }
  });

  test('what was prepared without its run', async () => {
    const { errors } = await search({ prepared: 'x' });

    expect(errors?.[0]).toMatchObject({
      message: 'input.run: expected the run of what was prepared, but got none.',
      extensions: { code: 'INVALID_INPUT', field: 'input.run' },
    });
  });
});
