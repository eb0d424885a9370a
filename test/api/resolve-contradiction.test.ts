import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedEdges, seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;
let edge: string;
let cause: string;
let hiddenEdge: string;
let made = 0;

beforeAll(async () => {
  app = await openTestApp();
  await seedProject(app.stores, 'notes');
});
afterAll(() => app.close());

beforeEach(async () => {
  made += 1;
  const [project] = await app.stores.projects.list('local', ['notes']);
  if (project === undefined) throw new Error('Expected the project.');
  const ids = await seedPages(app.stores, project, {
    [`${made}/claim`]: '',
    [`${made}/doubt`]: '',
    [`${made}/secret`]: { body: '', sensitivity: 'RESTRICTED' },
  });
  const [claim = '', doubt = '', secret = ''] = Object.values(ids);
  [edge = '', cause = '', hiddenEdge = ''] = await seedEdges(app.stores, [
    [doubt, 'CONTRADICTS', claim],
    [doubt, 'CAUSES', claim],
    [secret, 'CONTRADICTS', claim],
  ]);
});

const READER: Principal = { ...LOCAL_PRINCIPAL, name: 'reader', scopes: ['memory:read'] };
const PLAIN: Principal = { ...LOCAL_PRINCIPAL, name: 'plain', clearance: 'INTERNAL' };
const STRANGER: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };

const RESOLVE = `mutation ($input: ResolveContradictionInput!) {
  resolveContradiction(input: $input) {
    __typename
    ... on ResolveContradictionSuccess {
      changed graphSequence
      edge { id resolution resolvedBy resolvedAt resolutionNote to { path } }
    }
    ... on Failure { code message retryable }
    ... on InvalidInput { field expected received }
    ... on NotFound { field }
    ... on EdgeRetracted { field activeEdge }
  }
}`;

/** Of a success. */
type Told = {
  readonly edge: Readonly<Record<'id' | 'resolvedAt' | 'resolutionNote', string>> & {
    readonly to: unknown;
  };
};

const resolve = async (input: object, as?: Principal) => {
  const asked = { input: { edge, ...input } };
  const { data, errors } = await app.ask<{ resolveContradiction: Told }>(RESOLVE, asked, as);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data.resolveContradiction;
};

const DISPUTES = `query ($path: String!) { page(project: "notes", path: $path) {
  disputes { servedBy edges { id resolution resolvedBy resolvedAt resolutionNote } }
  contradictedBy { servedBy edges { edge { id } resolution resolvedBy resolvedAt resolutionNote } }
} }`;

test('settles a contradiction, and whoever reads the page sees by whom, when and why', async () => {
  const answer = await resolve({ outcome: 'UPHELD', note: 'Measured twice.' }, PLAIN);

  expect(answer).toMatchObject({
    __typename: 'ResolveContradictionSuccess',
    changed: true,
    edge: {
      ...{ id: edge, resolution: 'UPHELD', resolvedBy: 'plain', to: { path: `${made}/claim` } },
      resolutionNote: 'Measured twice.',
    },
  });
  const { data } = await app.ask<{ page: Record<string, unknown> }>(
    DISPUTES,
    { path: `${made}/claim` },
    PLAIN,
  );
  const { to: _to, ...state } = answer.edge;
  const servedBy = inject('profile') === 'server' ? 'NEO4J' : 'LEDGER';
  expect(data.page.disputes).toEqual({ servedBy, edges: [state] });
  const { id, ...rest } = state;
  expect(data.page.contradictedBy).toEqual({ servedBy, edges: [{ edge: { id }, ...rest }] });
});

test('a read of before says that it is unresolved, though it was settled, reopened and settled', async () => {
  await resolve({ outcome: 'DISMISSED' });
  const { edge: reopened } = await resolve({ outcome: 'UNRESOLVED', note: 'New numbers.' });
  await resolve({ outcome: 'RECONCILED' });
  const at = async (instant: number) => {
    type Then = { page: { contradictedBy: { edges: unknown } } };
    const { data, errors } = await app.ask<Then>(
      `query ($path: String!, $at: DateTime!) { page(project: "notes", path: $path,
        asOf: { recordedAt: $at }) { contradictedBy { edges { resolution resolutionNote } } } }`,
      { path: `${made}/claim`, at: new Date(instant).toISOString() },
      PLAIN,
    );
    expect(errors).toBeUndefined();
    return data.page.contradictedBy.edges;
  };

  const then = Date.parse(reopened.resolvedAt);
  expect(await at(then)).toEqual([{ resolution: 'UNRESOLVED', resolutionNote: 'New numbers.' }]);
  expect(await at(then - 1)).toEqual([{ resolution: 'DISMISSED', resolutionNote: null }]);
});

test('the same key gets the first answer again, and is refused for another outcome', async () => {
  const first = await resolve({ outcome: 'UPHELD', idempotencyKey: `key ${made}` });
  await resolve({ outcome: 'DISMISSED' });

  const again = await resolve({ outcome: 'UPHELD', idempotencyKey: `key ${made}` });
  const other = await resolve({ outcome: 'RECONCILED', idempotencyKey: `key ${made}` });

  expect(again).toEqual(first);
  expect(other).toMatchObject({ __typename: 'IdempotencyConflict', code: 'IDEMPOTENCY_CONFLICT' });
});

test('says no when nothing changes', async () => {
  await resolve({ outcome: 'UPHELD', note: 'Seen.' });

  expect(await resolve({ outcome: 'UPHELD' }, PLAIN)).toMatchObject({
    changed: false,
    edge: { resolvedBy: 'local', resolutionNote: 'Seen.' },
  });
});

test('keeps no secret of a note', async () => {
  const note = 'See postgres://ann:hunter2hunter2@db/prod';

  const answer = await resolve({ outcome: 'UPHELD', note });

  expect(answer.edge.resolutionNote).toBe(
    'See postgres://ann:[REDACTED:connection_string]@db/prod',
  );
});

test('refuses an edge of another kind, one that is not there, and no id of an edge, each by name', async () => {
  expect(await resolve({ edge: cause, outcome: 'UPHELD' })).toMatchObject({
    ...{ __typename: 'InvalidInput', code: 'INVALID_INPUT', field: 'input.edge' },
    ...{ expected: 'an edge of the kind CONTRADICTS', received: 'one of CAUSES' },
  });
  const missing = '0190a6c6-0000-7000-8000-000000000000';
  expect(await resolve({ edge: missing, outcome: 'UPHELD' })).toMatchObject({
    ...{ __typename: 'NotFound', code: 'NOT_FOUND', field: 'input.edge' },
  });
  expect(await resolve({ edge: 'x', outcome: 'UPHELD' })).toMatchObject({
    ...{ __typename: 'InvalidInput', field: 'input.edge', expected: 'the id of an Edge' },
  });
  expect(await resolve({ outcome: 'UPHELD', note: 'x'.repeat(2_001) })).toMatchObject({
    ...{ __typename: 'InvalidInput', field: 'input.note' },
  });
  expect(await resolve({ outcome: 'UPHELD', note: 'a\0' })).toMatchObject({
    ...{ __typename: 'InvalidInput', field: 'input.note' },
  });
});

test('an edge with an end that the caller may not see is answered as one that is not there', async () => {
  const missing = await resolve({
    ...{ edge: '0190a6c6-0000-7000-8000-000000000000', outcome: 'UPHELD' },
  });

  expect(await resolve({ edge: hiddenEdge, outcome: 'UPHELD' }, PLAIN)).toEqual(missing);
  expect(await resolve({ outcome: 'UPHELD' }, STRANGER)).toEqual(missing);
  expect(await resolve({ edge: hiddenEdge, outcome: 'UPHELD' })).toMatchObject({ changed: true });
});

test('needs the scope to write', async () => {
  expect(await resolve({ outcome: 'UPHELD' }, READER)).toMatchObject({
    ...{ __typename: 'Forbidden', code: 'FORBIDDEN' },
  });
});
