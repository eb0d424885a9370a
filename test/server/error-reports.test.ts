import { GraphQLError, Kind } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { maskError } from '../../src/schema/mask-error.ts';
import { openTestDatabase } from '../support/database.ts';
import { seedPages, seedProject } from '../support/seed.ts';

const SECRET = 'postgres://somebody@inside';
const PAGE = '{ page(project: "notes", path: "otter") { title importance kind } }';
const RECALL = '{ recall(input: { text: "otter" }) { hits { rank } degraded { arm reason } } }';

let database: Database;
let stores: Stores;
const reports: { errorId: string | null; error: unknown }[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
  const project = await seedProject(stores, 'notes');
  await seedPages(stores, project, { otter: 'An otter.' });
});
beforeEach(() => {
  reports.length = 0;
});
afterAll(() => database.close());

/** Asks a service of which some stores fail as a real one cannot be made to. */
async function ask(broken: Partial<Stores>, query: string) {
  const app = createApp(
    { ...stores, ...broken },
    { reportError: (errorId, error) => reports.push({ errorId, error }) },
  );
  const response = await app.fetch('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  expect(text).not.toContain(SECRET);
  return JSON.parse(text);
}

const failing = (error: unknown) => () => Promise.reject(error);
const AWAY = new StoreUnavailableError('postgres', new Error(SECRET));
const BUG = new TypeError(SECRET);

/** The first page of the store, with fields that no page can have. */
const pagesWith = (fields: object): Partial<Stores> => ({
  pages: {
    ...stores.pages,
    findManyByKey: async (view, keys) =>
      (await stores.pages.findManyByKey(view, keys)).map((page) => page && { ...page, ...fields }),
  },
});

test('tells why a store is away to the log, and the caller the id of that line', async () => {
  const { errors } = await ask({ pages: { ...stores.pages, findManyByKey: failing(AWAY) } }, PAGE);

  expect(errors[0].extensions).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
  expect(reports).toEqual([{ errorId: errors[0].extensions.errorId, error: AWAY }]);
  expect(AWAY.cause).toMatchObject({ message: SECRET });
});

test('reports no error that the caller made', async () => {
  const { errors } = await ask({}, '{ node(id: "nonsense") { id } }');

  expect(errors[0].extensions).not.toHaveProperty('errorId');
  expect(reports).toEqual([]);
});

describe('an arm of recall', () => {
  test('that its store fails is named in the answer, and its cause reported', async () => {
    const { data } = await ask({ graph: { ...stores.graph, listEdges: failing(AWAY) } }, RECALL);

    expect(data.recall.degraded).toEqual([{ arm: 'GRAPH', reason: 'FAILED' }]);
    expect(reports).toEqual([{ errorId: null, error: AWAY }]);
  });

  test.each([
    ['graph', (): Partial<Stores> => ({ graph: { ...stores.graph, listEdges: failing(BUG) } })],
    ['encoder', (): Partial<Stores> => ({ embedder: { ...stores.embedder, embed: failing(BUG) } })],
    [
      'search by meaning',
      (): Partial<Stores> => ({
        recall: {
          ...stores.recall,
          session: (view, work) =>
            stores.recall.session(view, (session) =>
              work({ ...session, searchByVector: failing(BUG) }),
            ),
        },
      }),
    ],
  ])('with a bug in it is no answer: %s', async (_arm, broken) => {
    const { errors } = await ask(broken(), RECALL);

    expect(errors[0]).toMatchObject({
      message: 'Unexpected error.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    });
    expect(reports).toEqual([{ errorId: errors[0].extensions.errorId, error: BUG }]);
  });
});

describe('a value that the schema cannot say', () => {
  test.each([
    ['a number that is none', { importance: Number.NaN }],
    ['a kind that is none', { kind: SECRET }],
  ])('is a bug of ours: %s', async (_what, fields) => {
    const { errors } = await ask(pagesWith(fields), PAGE);

    expect(errors[0]).toMatchObject({
      message: 'Unexpected error.',
      extensions: { code: 'INTERNAL_SERVER_ERROR', errorId: reports[0]?.errorId },
    });
    expect(reports).toHaveLength(1);
  });
});

test('GraphQL’s own error about an answer is a bug too, unless it points at the request or has a code', () => {
  const mask = (cause: GraphQLError) => {
    const located = new GraphQLError(cause.message, { path: ['page'], originalError: cause });
    return maskError(located, (errorId, error) => reports.push({ errorId, error })).extensions.code;
  };
  const field = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: 'page' } } as const;

  expect(mask(new GraphQLError(SECRET))).toBe('INTERNAL_SERVER_ERROR');
  expect(reports).toHaveLength(1);
  expect(mask(new GraphQLError('first', { nodes: [field] }))).toBe('BAD_USER_INPUT');
  expect(mask(new GraphQLError('no', { extensions: { code: 'NO' } }))).toBe('NO');
  expect(reports).toHaveLength(1);
});

test('an argument that cannot be had is the request’s own fault', async () => {
  const { errors } = await ask(
    {},
    'query ($first: Int = 1) { pages(first: $first, after: 7) { totalCount } }',
  );

  expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(reports).toEqual([]);
});
