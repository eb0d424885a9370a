import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChangeBatch } from '../../src/memory/graph-projection.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createGraphWriter } from '../../src/neo4j/graph-writer.ts';
import { createChangeLog } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import {
  expectWhole,
  type GraphParts,
  openGraphParts,
  startUnlockedProjector,
} from '../support/graph-parts.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { seedProject } from '../support/seed.ts';

const WRITING_MS = 5_000;
/** Small and unequal, so that each projector often comes upon what the other has just done. */
const BATCH_SIZES = [3, 7];

let database: Database & { readonly url: string };
let parts: GraphParts;

beforeAll(async () => {
  database = await openServerDatabase();
  parts = openGraphParts(database, testNeo4j(database.url));
  await parts.settled();
});

afterAll(async () => {
  await parts.close();
  await database.close();
});

const principalOf = (tenant: string) => ({ ...LOCAL_PRINCIPAL, tenant });

async function createWriter(tenant: string, name: string): Promise<RandomWriter> {
  const principal = principalOf(tenant);
  const project = await seedProject(parts.stores, name, principal);
  return new RandomWriter(parts.stores, project, principal);
}

test('two projectors at once end in the graph that the ledger says', {
  timeout: 60_000,
}, async () => {
  const writers = await Promise.all([
    createWriter('one', 'a'),
    createWriter('one', 'b'),
    createWriter('other', 'a'),
  ]);
  const faults: unknown[] = [];
  const projectors = BATCH_SIZES.map((batchSize) =>
    startUnlockedProjector(database, parts.graph, batchSize, (error) => faults.push(error)),
  );

  const writing = keepWriting(writers);
  await new Promise((resolve) => setTimeout(resolve, WRITING_MS));
  await writing.stop();

  await expectWhole(parts.verifySources, writers);
  await Promise.all(projectors.map((projector) => projector.close()));
  expect(faults).toEqual([]);
});

test('a delete that is carried again after a later creation deletes nothing', {
  timeout: 60_000,
}, async () => {
  const tenant = 'replayed';
  const writer = await createWriter(tenant, 'replayed');
  const changes = createChangeLog(database);
  const graphWriter = createGraphWriter(parts.graph);
  const replayed: number[] = [];
  const batches: ChangeBatch[] = [];
  let reached = 0;
  // Each write is carried by hand, and its batch kept as it was then.
  while (batches.every(({ deletedPages }) => deletedPages.length === 0) || batches.length < 60) {
    await writer.step();
    const batch = await changes.readChanges(tenant, reached, 100);
    if (batch === null || batch.changes.length === 0) continue;
    reached = await graphWriter.apply(batch);
    expect(reached).toBe(batch.reached);
    batches.push(batch);
  }

  for (const batch of batches) replayed.push(await graphWriter.apply(batch));

  expect(new Set(replayed)).toEqual(new Set([reached]));
  expect(batches.flatMap(({ deletedPages }) => deletedPages).length).toBeGreaterThan(0);
  await expectWhole(parts.verifySources, [writer]);
});
