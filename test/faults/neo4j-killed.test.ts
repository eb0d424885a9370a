import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { verifyGraph } from '../../src/memory/verify-graph.ts';
import { connectNeo4j } from '../../src/neo4j/driver.ts';
import type { OpenGraph } from '../../src/open-graph.ts';
import { type OpenStores, openStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { expectWhole, openGraphParts } from '../support/graph-parts.ts';
import { findFreePort } from '../support/proxy.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';
import { type LocalServer, type Neo4jAccess, startNeo4j } from '../support/services.ts';

/**
 * A restart of Neo4j costs 6 s of one core, 15 s on a busy machine: so as many of the twenty as fit
 * into the time. TEST_SOAK_SECONDS gives it more.
 */
const MOST_KILLS = 20;
const KILLING_MS = Math.max(30, Number(process.env.TEST_SOAK_SECONDS ?? 0)) * 1_000;
/** A killed server starts, plans its queries anew, and takes the queue. */
const RECOVERY_MS = 60_000;
const BATCH_SIZE = 5;

let database: Database & { readonly url: string };
let port: number;
let neo4j: (LocalServer & Neo4jAccess) | null = null;
let access: Neo4jAccess;
let open: OpenStores;
let graph: OpenGraph;
let reports: string[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  port = await findFreePort();
  access = { uri: `bolt://localhost:${port}`, user: 'neo4j', password: 'causeway-test' };
  open = await openStores({
    dataFolder: '',
    databaseUrl: database.url,
    neo4j: { ...access, database: null, namespace: '' },
    graphWaitMs: 500,
    report: (message) => reports.push(message),
  });
  if (open.graph === null) throw new Error('Expected a graph.');
  graph = open.graph;
});

afterAll(async () => {
  await open.close();
  await neo4j?.remove();
  await database.close();
});

async function createWriter(tenant: string, name: string): Promise<RandomWriter> {
  const principal = { ...LOCAL_PRINCIPAL, tenant };
  return new RandomWriter(open.stores, await seedProject(open.stores, name, principal), principal);
}

async function untilCarried(tenants: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const tenant of tenants) {
        const newest = await graph.verifySources.changes.findNewest(tenant);
        expect(await graph.verifySources.projected.findSequence(tenant)).toBe(newest);
      }
      expect(graph.isReady()).toBe(true);
    },
    { timeout: RECOVERY_MS, interval: 100 },
  );
}

test('with Neo4j down at the start writes succeed, the ledger answers, and all is carried later', {
  timeout: 2 * RECOVERY_MS,
}, async () => {
  const project = await seedProject(open.stores, 'early');
  const { a } = await seedPages(open.stores, project, { a: '- causes [[b]]', b: 'B' });
  const { view } = await callerFor(open.stores);

  const before = await traverse(open.stores, view, { from: [a], depth: 1 });
  expect(before.pages).toHaveLength(2);
  expect(before.served).toMatchObject({ by: 'LEDGER', isStale: false });
  expect(await open.readiness()).toMatchObject({ status: 'degraded', neo4j: { state: 'down' } });
  neo4j = await startNeo4j({ port });
  await untilCarried(['local']);

  const after = await traverse(open.stores, view, { from: [a], depth: 1 });
  expect(after).toEqual({ ...before, served: { ...before.served, by: 'NEO4J' } });
  expect(await open.readiness()).toMatchObject({ status: 'ok', neo4j: { state: 'up' } });
  expect((await verifyGraph(graph.verifySources, 'local')).differences).toEqual([]);
  expect(reports).toEqual([]);
});

test('Neo4j killed at random points while changes are carried loses and doubles nothing', {
  timeout: KILLING_MS + 3 * RECOVERY_MS,
}, async () => {
  // Of its own database, so that batches are small and only this projector carries them.
  const own = await openServerDatabase();
  const parts = openGraphParts(own, { ...access, namespace: 'killed/' });
  const writers = await Promise.all(
    ['one', 'other'].map(async (tenant) => {
      const principal = { ...LOCAL_PRINCIPAL, tenant };
      const project = await seedProject(parts.stores, 'killed', principal);
      return new RandomWriter(parts.stores, project, principal);
    }),
  );
  const projector = parts.startUnlocked({ batchSize: BATCH_SIZE });
  const writing = keepWriting(writers, 50);
  const findCarried = async () => {
    const [row] = await own.query<{ carried: number }>({
      text: 'select coalesce(sum(projected), 0)::int8 as carried from projection',
    });
    return row?.carried ?? 0;
  };

  const end = performance.now() + KILLING_MS;
  let kills = 0;
  while (kills < MOST_KILLS && performance.now() < end) {
    const before = await findCarried();
    await vi.waitFor(async () => expect(await findCarried()).toBeGreaterThan(before), {
      timeout: RECOVERY_MS,
      interval: 10,
    });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await neo4j?.kill();
    kills += 1;
    neo4j = await startNeo4j({ port, ...(neo4j === null ? {} : { folder: neo4j.folder }) });
  }
  await writing.stop();

  await vi.waitFor(() => expectWhole(parts.verifySources, writers), {
    timeout: RECOVERY_MS,
    interval: 1_000,
  });
  expect(kills).toBeGreaterThan(1);
  expect(writers.map(({ refused }) => refused)).toEqual([0, 0]);
  await projector.close();
  await parts.close();
  await own.close();
});

test('a graph that is lost while nobody writes is made anew', {
  timeout: 3 * RECOVERY_MS,
}, async () => {
  const writers = await Promise.all([createWriter('lost', 'a'), createWriter('lost', 'b')]);
  for (let write = 0; write < 50; write++) for (const writer of writers) await writer.step();
  await untilCarried(['lost']);
  reports = [];

  await neo4j?.remove();
  neo4j = await startNeo4j({ port });
  await untilCarried(['lost', 'local']);

  await expectWhole(graph.verifySources, writers);
  expect((await verifyGraph(graph.verifySources, 'local')).differences).toEqual([]);
  expect(reports).toEqual([]);
  const neo4jGraph = connectNeo4j(access);
  // Without its constraints every look-up would be a scan.
  await expect(neo4jGraph.command('DROP CONSTRAINT page_id_unique')).resolves.toBe(undefined);
  await neo4jGraph.command(
    'CREATE CONSTRAINT page_id_unique FOR (p:Page) REQUIRE (p.tenant, p.generation, p.id) IS UNIQUE',
  );
  await neo4jGraph.close();
});

test('a change that Neo4j refuses stops no other, is told, and is forgotten once it is carried', {
  timeout: 2 * RECOVERY_MS,
}, async () => {
  const principal = { ...LOCAL_PRINCIPAL, tenant: 'poisoned' };
  const project = await seedProject(open.stores, 'poisoned', principal);
  const writer = await createWriter('healthy', 'healthy');
  await seedPages(open.stores, project, { first: { title: 'Same', body: 'First.' } }, principal);
  await untilCarried(['poisoned']);
  const outsider = connectNeo4j(access);
  await outsider.command(
    'CREATE CONSTRAINT poison FOR (p:Page) REQUIRE (p.tenant, p.project, p.title) IS UNIQUE',
  );
  reports = [];

  const { refused } = await seedPages(
    open.stores,
    project,
    {
      before: '- causes [[after]]',
      refused: { title: 'Same', body: '- causes [[before]]' },
      after: '- causes [[before]]',
    },
    principal,
  );
  for (let write = 0; write < 20; write++) await writer.step();
  await untilCarried(['poisoned', 'healthy']);

  const { differences } = await verifyGraph(graph.verifySources, 'poisoned');
  expect(differences.map(({ what, fault }) => [what, fault]).sort()).toEqual([
    ['CAUSES', 'MISSING'],
    ['PAGE', 'MISSING'],
  ]);
  expect(differences).toContainEqual(expect.objectContaining({ what: 'PAGE', id: refused }));
  expect(reports).toHaveLength(2);
  expect(await findFailures()).toEqual(['EDGE', 'PAGE']);
  expect(await open.readiness()).toMatchObject({ status: 'degraded' });
  await expectWhole(graph.verifySources, [writer]);

  await outsider.command('DROP CONSTRAINT poison');
  await outsider.close();
  await seedPages(
    open.stores,
    project,
    { refused: { title: 'Another', body: '- causes [[before]]' } },
    principal,
  );
  await untilCarried(['poisoned']);
  expect(await findFailures()).toEqual(['EDGE']);

  await rebuildGraph({ ...graph.rebuildSources, graceMs: 0 }, 'poisoned');
  expect(await findFailures()).toEqual([]);
  expect(await open.readiness()).toMatchObject({ status: 'ok' });
  expect((await verifyGraph(graph.verifySources, 'poisoned')).differences).toEqual([]);
});

async function findFailures(): Promise<readonly string[]> {
  const rows = await database.query<{ subject: string }>({
    text: 'select subject from projection_failure order by subject',
  });
  return rows.map(({ subject }) => subject);
}
