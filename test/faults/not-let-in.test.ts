import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

let database: Database & { readonly url: string };

beforeAll(async () => {
  database = await openServerDatabase();
});
afterAll(() => database.close());

function addressWith(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

test.each([
  ['a database that is not there', (url: URL) => (url.pathname = '/nowhere'), '"nowhere"'],
  ['a user that it does not know', (url: URL) => (url.username = 'nobody'), '"nobody"'],
])('a start with %s says so in words, without a stack', async (_what, change, named) => {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { PATH: process.env.PATH, DATABASE_URL: addressWith(change), CAUSEWAY_PORT: '0' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });

  const [code] = await once(child, 'close');

  expect(code).toBe(1);
  const [first, reason, ...rest] = said.trimEnd().split('\n');
  expect(first).toBe('Expected an answer from postgres, but it is not available. Try again later.');
  expect(reason).toMatch(/^The reason: /u);
  expect(reason).toContain(named);
  expect(rest).toEqual(['`causeway doctor` looks closer.']);
});

test.each<[string, { user?: string; scheme?: string }, string, string]>([
  // An account of its own: Neo4j locks one that is refused too often.
  [
    'a login that it refuses',
    { user: 'nobody' },
    'Neo.ClientError.Security.Unauthorized',
    'NEO4J_USER',
  ],
  ['TLS that it does not speak', { scheme: 'bolt+s:' }, 'ServiceUnavailable', 'NEO4J_URI'],
])('names why Neo4j is not asked: %s', async (_what, { user, scheme }, reason, variable) => {
  const access = testNeo4j(database.url);
  const reports: string[] = [];
  const open = await openStores({
    dataFolder: '',
    databaseUrl: database.url,
    neo4j: {
      ...access,
      database: null,
      namespace: access.namespace ?? '',
      user: user ?? access.user,
      uri: scheme === undefined ? access.uri : access.uri.replace(/^[^/]+/u, scheme),
    },
    graphWaitMs: 0,
    report: (message) => reports.push(message),
  });
  await vi.waitFor(
    async () =>
      expect(await open.readiness()).toMatchObject({
        status: 'degraded',
        neo4j: { state: 'down', reason },
      }),
    10_000,
  );
  const away = reports.filter((message) => message.startsWith('Neo4j is not asked'));
  await open.graph?.settled();
  await open.close();

  expect(away).toHaveLength(1);
  expect(away[0]).toContain(reason);
  expect(away[0]).toContain(variable);
});
