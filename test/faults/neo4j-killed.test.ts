import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { verifyGraph } from '../../src/memory/verify-graph.ts';
import { connectNeo4j } from '../../src/neo4j/driver.ts';
import type { OpenGraph } from '../../src/open-graph.ts';
import { createStores, type OpenStores, openStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { expectWhole, openGraphParts, startUnlockedProjector } from '../support/graph-parts.ts';
import { findFreePort } from '../support/proxy.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';
import { type LocalServer, type Neo4jAccess, startNeo4j } from '../support/services.ts';

/**
 * A restart of Neo4j costs 6 s of one core, 15 s on a busy machine: so as many of the twenty as fit
 * into the time. TEST_SOAK_SECONDS gives it more.
 */
const MOST_KILLS = 20;
const LEAST_KILLS = 2;
const KILLING_MS = Math.max(30, Number(process.env.TEST_SOAK_SECONDS ?? 0)) * 1_000;
/** A killed server starts, plans its queries anew, and takes the queue. */
const RECOVERY_MS = 60_000;
const BATCH_SIZE = 5;

type Profile = Pick<OpenStores, 'stores' | 'readiness'> & { readonly graph: OpenGraph };

let database: Database & { readonly url: string };
let neo4j: LocalServer & Neo4jAccess;
let access: Neo4jAccess;
let open: OpenStores | null = null;
let reports: { readonly message: string; readonly error: unknown }[];

beforeAll(async () => {
  database = await openServerDatabase();
  neo4j = await startNeo4j({ port: await findFreePort() });
  access = { uri: neo4j.uri, user: neo4j.user, password: neo4j.password };
}, RECOVERY_MS);

beforeEach(() => {
  reports = [];
});

afterAll(async () => {
  await open?.close();
  await neo4j.remove();
  await database.close();
});

/** The same data at the same address, or none when its folder is gone. */
async function startAgain(): Promise<void> {
  const port = Number(new URL(access.uri).port);
  neo4j = await startNeo4j({ port, folder: neo4j.folder });
}

async function openProfile(): Promise<Profile> {
  open ??= await openStores({
    dataFolder: '',
    databaseUrl: database.url,
    neo4j: { ...access, database: null, namespace: '' },
    graphWaitMs: 500,
    report: (message, error) => reports.push({ message, error }),
  });
  const { stores, readiness, graph } = open;
  if (graph === null) throw new Error('Expected a graph.');
  return { stores, readiness, graph };
}

async function createWriter(stores: Stores, tenant: string): Promise<RandomWriter> {
  const principal = { ...LOCAL_PRINCIPAL, tenant };
  return new RandomWriter(stores, await seedProject(stores, 'random', principal), principal);
}

async function untilCarried({ graph }: Profile, tenants: readonly string[]): Promise<void> {
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

test('Neo4j killed at random points while changes are carried loses and doubles nothing', {
  timeout: KILLING_MS + (LEAST_KILLS + 2) * RECOVERY_MS,
}, async () => {
  // Of its own database, so that batches are small and only this projector carries them.
  const own = await openServerDatabase();
  const options = { ...access, namespace: 'killed/' };
  const graph = connectNeo4j(options);
  // Until the end nobody asks Neo4j for edges: each start would plan every query anew.
  const ledger = createStores(own);
  const writers = await Promise.all(['one', 'other'].map((tenant) => createWriter(ledger, tenant)));
  const projector = startUnlockedProjector(own, graph, BATCH_SIZE, (error) =>
    reports.push({ message: 'projector', error }),
  );
  const writing = keepWriting(writers, 50);
  const findCarried = async () => {
    const [row] = await own.query<{ carried: number }>({
      text: 'select coalesce(sum(projected), 0)::int8 as carried from projection',
    });
    return row?.carried ?? 0;
  };

  const end = performance.now() + KILLING_MS;
  for (let kill = 0; kill < MOST_KILLS; kill++) {
    if (kill >= LEAST_KILLS && performance.now() > end) break;
    const before = await findCarried();
    await vi.waitFor(async () => expect(await findCarried()).toBeGreaterThan(before), {
      timeout: RECOVERY_MS,
      interval: 10,
    });
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
    await neo4j.kill();
    await startAgain();
  }
  await writing.stop();
  const parts = openGraphParts(own, options);

  await vi.waitFor(parts.settled, RECOVERY_MS);
  for (const writer of writers) writer.readFrom(parts.stores);
  await expectWhole(parts.verifySources, writers);
  expect(writers.map(({ refused }) => refused)).toEqual([0, 0]);
  expect(reports).toEqual([]);
  await parts.close();
  await projector.close();
  await graph.close();
  await own.close();
});

test('with Neo4j down at the start writes succeed, the ledger answers, and all is carried later', {
  timeout: 3 * RECOVERY_MS,
}, async () => {
  await neo4j.kill();
  const profile = await openProfile();
  const { stores, graph, readiness } = profile;
  const project = await seedProject(stores, 'early');
  const { a } = await seedPages(stores, project, { a: '- causes [[b]]', b: 'B' });
  const { view } = await callerFor(stores);

  const before = await traverse(stores, view, { from: [a], depth: 1 });
  expect(before.pages).toHaveLength(2);
  expect(before.served).toMatchObject({ by: 'LEDGER', isStale: false });
  expect(await readiness()).toMatchObject({ status: 'degraded', neo4j: { state: 'down' } });
  await startAgain();
  await untilCarried(profile, ['local']);

  const after = await traverse(stores, view, { from: [a], depth: 1 });
  expect(after).toEqual({ ...before, served: { ...before.served, by: 'NEO4J' } });
  expect(await readiness()).toMatchObject({ status: 'ok', neo4j: { state: 'up' } });
  expect((await verifyGraph(graph.verifySources, 'local')).differences).toEqual([]);
  expect(reports).not.toEqual([]);
  expectAwayAlone();
});

test('a graph that is lost while nobody writes is made anew', {
  timeout: 3 * RECOVERY_MS,
}, async () => {
  const profile = await openProfile();
  const { stores, graph } = profile;
  const tenants = ['lost', 'forgotten'];
  const writers = await Promise.all(tenants.map((tenant) => createWriter(stores, tenant)));
  for (let write = 0; write < 50; write++) for (const writer of writers) await writer.step();
  await untilCarried(profile, tenants);

  await neo4j.remove();
  await startAgain();
  await untilCarried(profile, tenants);

  await expectWhole(graph.verifySources, writers);
  expectAwayAlone();
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
  const profile = await openProfile();
  const { stores, graph, readiness } = profile;
  const project = await seedProject(stores, 'poisoned', principal);
  const writer = await createWriter(stores, 'healthy');
  await seedPages(stores, project, { first: { title: 'Same', body: 'First.' } }, principal);
  await untilCarried(profile, ['poisoned']);
  const outsider = connectNeo4j(access);
  await outsider.command(
    'CREATE CONSTRAINT poison FOR (p:Page) REQUIRE (p.tenant, p.project, p.title) IS UNIQUE',
  );
  reports = [];

  const { refused } = await seedPages(
    stores,
    project,
    {
      before: '- causes [[after]]',
      refused: { title: 'Same', body: '- causes [[before]]' },
      after: '- causes [[before]]',
    },
    principal,
  );
  for (let write = 0; write < 20; write++) await writer.step();
  await untilCarried(profile, ['poisoned', 'healthy']);

  const { differences } = await verifyGraph(graph.verifySources, 'poisoned');
  expect(differences.map(({ what, fault }) => [what, fault]).sort()).toEqual([
    ['CAUSES', 'MISSING'],
    ['PAGE', 'MISSING'],
  ]);
  expect(differences).toContainEqual(expect.objectContaining({ what: 'PAGE', id: refused }));
  expect(reports).toHaveLength(2);
  expect(await findFailures()).toEqual(['EDGE', 'PAGE']);
  expect(await readiness()).toMatchObject({ status: 'degraded' });
  await expectWhole(graph.verifySources, [writer]);

  await outsider.command('DROP CONSTRAINT poison');
  await outsider.close();
  await seedPages(
    stores,
    project,
    { refused: { title: 'Another', body: '- causes [[before]]' } },
    principal,
  );
  await untilCarried(profile, ['poisoned']);
  expect(await findFailures()).toEqual(['EDGE']);

  await rebuildGraph({ ...graph.rebuildSources, graceMs: 0 }, 'poisoned');
  expect(await findFailures()).toEqual([]);
  expect(await readiness()).toMatchObject({ status: 'ok' });
  expect((await verifyGraph(graph.verifySources, 'poisoned')).differences).toEqual([]);
});

/** That Neo4j was away may be told, and nothing else. */
function expectAwayAlone(): void {
  expect(reports.filter(({ message }) => !message.startsWith('Neo4j is not asked'))).toEqual([]);
}

async function findFailures(): Promise<readonly string[]> {
  const rows = await database.query<{ subject: string }>({
    text: 'select subject from projection_failure order by subject',
  });
  return rows.map(({ subject }) => subject);
}
