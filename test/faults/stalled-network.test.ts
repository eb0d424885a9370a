import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { connectNeo4j } from '../../src/neo4j/driver.ts';
import { READ_TIMEOUT_MS } from '../../src/neo4j/projected-graph.ts';
import { readCypher } from '../../src/neo4j/read-cypher.ts';
import { type OpenGraph, openGraph } from '../../src/open-graph.ts';
import { createStores } from '../../src/open-stores.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { expectWhole } from '../support/graph-parts.ts';
import { startProxy, type TcpProxy, throughPort } from '../support/proxy.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

const STALLED_MS = 5_000;
const RECOVERY_MS = 60_000;
const ANY = readCypher('server_find_version');

let base: Database & { readonly url: string };
let database: Database;
let projectorDatabase: Database;
let postgresProxy: TcpProxy;
let neo4jProxy: TcpProxy;
let graph: OpenGraph;
let stores: Stores;
let reports: string[];

beforeEach(async () => {
  base = await openServerDatabase();
  const neo4j = testNeo4j(base.url);
  postgresProxy = await startProxy(Number(new URL(base.url).port));
  neo4jProxy = await startProxy(Number(new URL(neo4j.uri).port));
  // A stalled statement is given up after its time and two seconds.
  const patience = { connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 };
  const url = throughPort(base.url, postgresProxy.port);
  database = connectPostgres({ url, ...patience });
  projectorDatabase = connectPostgres({ url, maxConnections: 2, ...patience });
  reports = [];
  graph = openGraph({
    database,
    projectorDatabase,
    neo4j: { ...neo4j, uri: throughPort(neo4j.uri, neo4jProxy.port) },
    waitMs: 10_000,
    report: (message) => reports.push(message),
  });
  await graph.settled();
  stores = createStores(database, Date.now, graph.store);
});

afterEach(async () => {
  await graph.close();
  await projectorDatabase.close();
  await database.close();
  await postgresProxy.close();
  await neo4jProxy.close();
  await base.close();
});

async function createWriters(): Promise<readonly RandomWriter[]> {
  return Promise.all(
    ['one', 'two', 'two'].map(async (tenant, index) => {
      const principal = { ...LOCAL_PRINCIPAL, tenant };
      const project = await seedProject(stores, `project-${index}`, principal);
      return new RandomWriter(stores, project, principal);
    }),
  );
}

async function untilReady(): Promise<void> {
  await vi.waitFor(() => expect(graph.isReady() && graph.isProjecting()).toBe(true), {
    timeout: RECOVERY_MS,
    interval: 100,
  });
}

describeCuts((recover) => {
  test('a network that holds up Neo4j: the ledger answers, writes succeed, the queue drains', {
    timeout: 3 * RECOVERY_MS,
  }, async () => {
    const writers = await createWriters();
    const project = await seedProject(stores, 'read');
    const { a } = await seedPages(stores, project, { a: '- causes [[b]]', b: 'B' });
    const { view } = await callerFor(stores);
    const query = { from: [a], depth: 1 };
    const before = await traverse(stores, view, query);
    expect(before.served).toMatchObject({ by: 'NEO4J', isStale: false });
    const writing = keepWriting(writers, 20);

    neo4jProxy.hold();
    const asked = await Promise.all([1, 2, 3].map(() => traverse(stores, view, query)));
    const { c } = await seedPages(stores, project, { c: '- causes [[b]]' });
    const own = await traverse(stores, view, { from: [c], depth: 1 });

    for (const answer of asked) {
      expect(answer).toEqual({ ...before, served: { ...before.served, by: 'LEDGER' } });
    }
    expect(own.pages).toHaveLength(2);
    expect(own.served).toMatchObject({ by: 'LEDGER', isStale: false });
    expect(graph.isReady()).toBe(false);
    recover(neo4jProxy);
    await writing.stop();
    await untilReady();
    await expectWhole(graph.verifySources, writers);
    expect(writers.map(({ refused }) => refused)).toEqual([0, 0, 0]);
    expect(reports).toEqual([]);
  });

  test('a network that holds up Neo4j holds up no reader for longer than a read may take', {
    timeout: 3 * RECOVERY_MS,
  }, async () => {
    const project = await seedProject(stores, 'bounded');
    const { a } = await seedPages(stores, project, { a: '- causes [[b]]', b: 'B' });
    const { view } = await callerFor(stores);
    const before = await traverse(stores, view, { from: [a], depth: 1 });
    expect(before.served.by).toBe('NEO4J');
    const neo4j = testNeo4j(base.url);
    const patient = connectNeo4j({ ...neo4j, uri: throughPort(neo4j.uri, neo4jProxy.port) });

    neo4jProxy.hold();
    // Beside it one that may take twice as long: whichever machine it is, it is the last.
    const later = patient.read(ANY, (run) => run(ANY, {}), 2 * READ_TIMEOUT_MS);
    const asked = traverse(stores, view, { from: [a], depth: 1 });
    const first = await Promise.race([
      asked,
      later.then(
        () => 'the patient one',
        () => 'the patient one',
      ),
    ]);

    expect(first).toMatchObject({ served: { by: 'LEDGER', isStale: false } });
    await expect(later).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    recover(neo4jProxy);
    await patient.close();
    await untilReady();
  });

  test('a network that holds up Postgres: typed errors in time, then service', {
    timeout: 3 * RECOVERY_MS,
  }, async () => {
    const writers = await createWriters();
    const { view } = await callerFor(stores);
    const writing = keepWriting(writers);
    await new Promise((resolve) => setTimeout(resolve, 500));

    postgresProxy.hold();
    const read = stores.pages.findMany(view, [view.tenant]);
    await expect(read).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
    await new Promise((resolve) => setTimeout(resolve, STALLED_MS));
    recover(postgresProxy);
    await vi.waitFor(() => callerFor(stores), RECOVERY_MS);
    await writing.stop();

    for (const { refused } of writers) expect(refused).toBeGreaterThan(0);
    await untilReady();
    await expectWhole(graph.verifySources, writers);
    expect(reports).toEqual([]);
  });
});

/** What was held arrives late, or never. */
function describeCuts(suite: (recover: (proxy: TcpProxy) => void) => void): void {
  suite((proxy) => proxy.release());
  suite((proxy) => {
    proxy.cut();
    proxy.release();
  });
}
