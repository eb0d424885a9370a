import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { startProxy, type TcpProxy, throughPort } from '../support/proxy.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { type Subscription, subscribe } from '../support/subscribe.ts';

/** Two starts of the program on a busy machine, each with its stores. */
const TIMEOUT_MS = 120_000;

const PAGE_CHANGED = `subscription ($after: String) {
  pageChanged(project: "notes", after: $after) { cursor change page { path } }
}`;
const EDGE_CHANGED = `subscription {
  edgeChanged(project: "notes") { change edge { kind from { path } to { path } } }
}`;
const WRITE = `mutation ($path: String!, $body: String!) {
  writePage(input: { project: "notes", page: { path: $path, title: $path, body: $body } }) {
    __typename
  }
}`;

let database: Database & { readonly url: string };
let proxy: TcpProxy;
let servers: ServerProcess[];
let running: Subscription[];

beforeEach(async () => {
  database = await openServerDatabase();
  proxy = await startProxy(Number(new URL(database.url).port));
  servers = [];
  running = [];
});

afterEach(async () => {
  await Promise.all(running.map((each) => each.leave().catch(() => undefined)));
  await Promise.all(servers.map((server) => server.kill()));
  await proxy.close();
  await database.close();
});

async function start(databaseUrl = database.url): Promise<ServerProcess> {
  const { uri, user, password } = testNeo4j(database.url);
  const server = await startServer({
    DATABASE_URL: databaseUrl,
    NEO4J_URI: uri,
    NEO4J_USER: user,
    NEO4J_PASSWORD: password,
    CAUSEWAY_GRAPH_NAMESPACE: `${new URL(database.url).pathname.slice(1)}.`,
  });
  servers.push(server);
  return server;
}

async function listen(server: ServerProcess, query: string, variables = {}): Promise<Subscription> {
  const begun = await subscribe(fetch, query, variables, { url: server.url });
  running.push(begun);
  return begun;
}

const write = (server: ServerProcess, path: string, body = 'It came.') =>
  server.ask(WRITE, { path, body });

type PageEvent = {
  readonly pageChanged: { readonly cursor: string; readonly page: { readonly path: string } };
};

/** The next page that is told; null when the stream was completed. */
async function nextPage(subscription: Subscription) {
  const event = await subscription.next<PageEvent>();
  return event === null ? null : event.data.pageChanged;
}

test('what is written through one process is told by another', {
  timeout: TIMEOUT_MS,
}, async () => {
  const [one, other] = await Promise.all([start(), start()]);
  await one.ask('mutation { createProject(input: { name: "notes" }) { __typename } }');
  const pages = await listen(other, PAGE_CHANGED);
  const edges = await listen(other, EDGE_CHANGED);
  await write(other, 'b');

  const own = await nextPage(pages);
  await write(one, 'a', '- causes [[b]]');
  const told = await nextPage(pages);
  const edge = await edges.next();

  expect([own, told].map((each) => each?.page.path)).toEqual(['b', 'a']);
  expect(edge?.data).toEqual({
    edgeChanged: {
      change: 'ASSERTED',
      edge: { kind: 'CAUSES', from: { path: 'a' }, to: { path: 'b' } },
    },
  });
  // Whoever comes back goes on at any process.
  await other.kill();
  await write(one, 'c');
  const again = await listen(one, PAGE_CHANGED, { after: told?.cursor });
  expect(await nextPage(again)).toMatchObject({ page: { path: 'c' } });
});

test('a process that is asked to end answers what runs, completes subscriptions, and ends with 0', {
  timeout: TIMEOUT_MS,
}, async () => {
  const server = await start(throughPort(database.url, proxy.port));
  await server.ask('mutation { createProject(input: { name: "notes" }) { __typename } }');
  const pages = await listen(server, PAGE_CHANGED);
  await write(server, 'before');
  expect(await nextPage(pages)).toMatchObject({ page: { path: 'before' } });

  proxy.holdAt('page_insert_many');
  const written = write(server, 'during', 'It was on its way.');
  await proxy.held();
  const ended = server.stop();
  await server.says(/SIGTERM/u);
  await vi.waitFor(() => expect(fetch(server.url)).rejects.toThrow(), 20_000);
  proxy.release();

  expect(await written).toEqual({ writePage: { __typename: 'WritePageSuccess' } });
  const rest: unknown[] = [];
  for (let told = await nextPage(pages); told !== null; told = await nextPage(pages)) {
    rest.push(told.page.path);
  }
  expect(rest.every((path) => path === 'during')).toBe(true);
  expect(await ended).toEqual({ code: 0, signal: null });
  const rows = await database.query({ text: `select path from page order by path` });
  expect(rows).toEqual([{ path: 'before' }, { path: 'during' }]);
});
