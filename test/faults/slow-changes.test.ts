import neo4j from 'neo4j-driver';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import type { PageId } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { verifyGraph } from '../../src/memory/verify-graph.ts';
import { createGraphWriter } from '../../src/neo4j/graph-writer.ts';
import type { Projector } from '../../src/neo4j/projector.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { type GraphParts, openGraphParts, startUnlockedProjector } from '../support/graph-parts.ts';
import { seedPages, seedProject } from '../support/seed.ts';

const BATCH_SIZE = 4;
/** More than the 2 s that Neo4j takes to see that a transaction is out of time, and its locks are free. */
const TIMEOUT_MS = 3_000;
const RECOVERY = { timeout: 60_000, interval: 50 };

const { tenant } = LOCAL_PRINCIPAL;

let database: Database & { readonly url: string };
let parts: GraphParts;
let projector: Projector | null;
let reports: unknown[];

beforeEach(async () => {
  database = await openServerDatabase();
  parts = openGraphParts(database, testNeo4j(database.url));
  await parts.settled();
  projector = null;
  reports = [];
});

afterEach(async () => {
  await projector?.close();
  await parts.close();
  await database.close();
});

/** Begins to carry what is there. @returns how many changes each batch had that was tried */
function startCarrying(): readonly number[] {
  const tried: number[] = [];
  const writer = createGraphWriter(parts.graph, { timeoutMs: TIMEOUT_MS });
  const counting: typeof writer = {
    ...writer,
    apply(batch) {
      tried.push(batch.pages.length + batch.edges.length);
      return writer.apply(batch);
    },
  };
  projector = startUnlockedProjector(
    database,
    parts.graph,
    BATCH_SIZE,
    (error) => reports.push(error),
    counting,
  );
  return tried;
}

/** Has someone else write to what a query finds, and not come to an end. */
async function lock(cypher: string, parameters: object): Promise<{ release: () => Promise<void> }> {
  const { uri, user, password } = inject('server').neo4j;
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password));
  const session = driver.session();
  const transaction = session.beginTransaction();
  const { summary } = await transaction.run(cypher, parameters);
  expect(summary.counters.updates().propertiesSet).toBeGreaterThan(0);
  return {
    async release() {
      await transaction.rollback();
      await session.close();
      await driver.close();
    },
  };
}

const lockPage = (id: PageId) => lock('MATCH (p:Page {id: $id}) SET p.lockedBy = 1', { id });

async function untilCarried(): Promise<void> {
  await vi.waitFor(async () => {
    const newest = await parts.verifySources.changes.findNewest(tenant);
    expect(await parts.verifySources.projected.findSequence(tenant)).toBe(newest);
  }, RECOVERY);
}

const differences = async () => (await verifyGraph(parts.verifySources, tenant)).differences;

async function findFailures(): Promise<readonly string[]> {
  const rows = await database.query<{ subject_id: string }>({
    text: 'select subject_id from projection_failure order by subject_id',
  });
  return rows.map((row) => row.subject_id);
}

test('a change that never ends in time is noted and passed over, and holds up no other', {
  timeout: 120_000,
}, async () => {
  const project = await seedProject(parts.stores, 'slow');
  const names = ['a', 'b', 'c', 'd'] as const;
  const pagesSaying = (body: string) => Object.fromEntries(names.map((name) => [name, body]));
  const { c = '' } = await seedPages(parts.stores, project, pagesSaying('First.'));
  startCarrying();
  await untilCarried();
  await projector?.close();
  const { release } = await lockPage(c);
  const titled = names.map((name) => [name, { title: `New ${name}`, body: 'Second.' }] as const);
  await seedPages(parts.stores, project, Object.fromEntries(titled));

  const tried = startCarrying();
  await untilCarried();
  await release();

  expect(tried[0]).toBe(BATCH_SIZE);
  expect(tried).toContain(1);
  expect(await findFailures()).toEqual([c]);
  expect(reports).toMatchObject([{ code: 'STORE_UNAVAILABLE' }]);
  expect(await differences()).toEqual([{ tenant, what: 'PAGE', id: c, fault: 'DIFFERENT' }]);
  await seedPages(parts.stores, project, { c: { title: 'Newest c', body: 'Third.' } });
  await untilCarried();
  expect(await findFailures()).toEqual([]);
  expect(await differences()).toEqual([]);
});

test('a tenant that someone else holds is waited for, and none of its changes is passed over', {
  timeout: 120_000,
}, async () => {
  const project = await seedProject(parts.stores, 'held');
  await seedPages(parts.stores, project, { a: '- causes [[b]]', b: 'B' });
  startCarrying();
  await untilCarried();
  const { namespace } = testNeo4j(database.url);
  const { release } = await lock('MATCH (p:Projection {tenant: $tenant}) SET p.lockedBy = 1', {
    tenant: `${namespace}${tenant}`,
  });
  const tried = startCarrying();
  await seedPages(parts.stores, project, { c: '- causes [[a]]' });

  await vi.waitFor(
    () => expect(tried.filter((size) => size > 0).length).toBeGreaterThan(2),
    RECOVERY,
  );
  await release();
  await untilCarried();

  expect(await findFailures()).toEqual([]);
  expect(reports).toEqual([]);
  expect(await differences()).toEqual([]);
});
