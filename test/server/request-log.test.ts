import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { RequestRecord } from '../../src/server/use-request-log.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedPages, seedProject } from '../support/seed.ts';

let app: TestApp;
const records: RequestRecord[] = [];

beforeAll(async () => {
  app = await openTestApp({ logRequest: (record) => records.push(record) });
  const project = await seedProject(app.stores, 'notes');
  await seedPages(app.stores, project, { otter: 'The otter says mellon.' });
});
beforeEach(() => {
  records.length = 0;
});
afterAll(() => app.close());

test('is one record for each request: operation, time, calls of the stores', async () => {
  await app.ask('query Otter { page(project: "notes", path: "otter") { title body } }');
  await app.ask('{ viewer { name } }');

  expect(records).toEqual([
    {
      status: 200,
      durationMs: expect.any(Number),
      type: 'query',
      operation: 'Otter',
      storeCalls: 2,
      errorCodes: [],
    },
    {
      status: 200,
      durationMs: expect.any(Number),
      type: 'query',
      operation: null,
      storeCalls: 0,
      errorCodes: [],
    },
  ]);
});

test('counts the calls of each of two requests at once', async () => {
  const page = 'query One { page(project: "notes", path: "otter") { title } }';

  await Promise.all([app.ask(page), app.ask(page.replace('One', 'Two'))]);

  expect(records.map(({ storeCalls }) => storeCalls)).toEqual([2, 2]);
});

test('takes the operation that was chosen of several', async () => {
  await app.fetch(
    new Request('http://causeway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'query A { viewer { name } } mutation B { __typename }',
        operationName: 'B',
      }),
    }),
  );

  expect(records).toMatchObject([{ type: 'mutation', operation: 'B' }]);
});

test('has the codes of errors, each once, whoever refused', async () => {
  await app.ask('query Bad { a: node(id: "nonsense") { id } b: node(id: "?") { id } }');
  await app.ask('{ nothing }');
  await app.ask('{');
  await app.fetch(new Request('http://causeway/graphql', { method: 'POST', body: 'x' }));

  expect(records.map(({ operation, errorCodes }) => [operation, errorCodes])).toEqual([
    ['Bad', ['INVALID_INPUT']],
    [null, ['GRAPHQL_VALIDATION_FAILED']],
    [null, ['GRAPHQL_PARSE_FAILED']],
    [null, ['UNSUPPORTED_MEDIA_TYPE']],
  ]);
});

test('has a record of what is no operation', async () => {
  const html = { headers: { accept: 'text/html' } };
  await app.fetch(new Request('http://causeway/graphql', html));
  await app.fetch(new Request('http://causeway/nowhere', html));

  expect(records).toMatchObject([
    { status: 200, type: null, operation: null },
    { status: 404, type: null, operation: null },
  ]);
});

test('never holds what a caller wrote or reads, but for the name of the operation, shortened', async () => {
  await app.ask('query Q($text: String!) { recall(input: { text: $text }) { hits { rank } } }', {
    text: 'which animal says mellon?',
  });
  await app.ask(`query ${'N'.repeat(1000)} { page(project: "notes", path: "otter") { body } }`);

  expect(JSON.stringify(records)).not.toMatch(/mellon|otter|notes/iu);
  expect(records[1]?.operation).toBe('N'.repeat(80));
});
