import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { StoreOverloadedError } from '../../src/memory/errors.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { type Projection, projectChanges } from '../../src/memory/project-changes.ts';
import { checkReadiness } from '../../src/memory/readiness.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { createGraphRebuilder } from '../../src/neo4j/graph-rebuilder.ts';
import { createGraphWriter } from '../../src/neo4j/graph-writer.ts';
import { startProjector } from '../../src/neo4j/projector.ts';
import { createChangeLog, findProjectionStatus } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { pruneOutbox } from '../../src/postgres/prune-outbox.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { type GraphParts, openGraphParts } from '../support/graph-parts.ts';
import { seedPages, seedProject } from '../support/seed.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

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

/** A tenant whose outbox no longer tells how its graph came about, and another. */
async function seedTenants(name: string) {
  const [cut, other] = [`${name}-cut`, `${name}-other`];
  const projects = await Promise.all(
    [cut, other].map(async (tenant) => {
      const principal = { ...LOCAL_PRINCIPAL, tenant };
      return { principal, project: await seedProject(parts.stores, name, principal) };
    }),
  );
  const write = async (index: 0 | 1, path: string) => {
    const { principal, project } = projects[index] ?? {};
    if (project === undefined) throw new Error('Expected a project.');
    await seedPages(parts.stores, project, { [path]: 'It came.' }, principal);
  };
  await write(0, 'old');
  await pruneOutbox(database, { now: Date.now() + MINUTE_MS, keepMs: 0, isProjected: false });
  return { cut, other, write };
}

test('a graph that can not be made anew is tried again after a growing wait, and others go on', async () => {
  const { cut, other, write } = await seedTenants('growing');
  let now = Date.now();
  const tried: number[] = [];
  const waits: number[] = [];
  const { record } = parts.verifySources;
  const changes = createChangeLog(database, () => now);
  const rebuilder = createGraphRebuilder(parts.graph);
  let isMended = false;
  const projection: Projection = {
    changes,
    writer: createGraphWriter(parts.graph),
    async rebuild(tenant) {
      tried.push(now);
      if (!isMended) throw new StoreOverloadedError('neo4j', null);
      await rebuildGraph({ record, changes, rebuilder, graceMs: 0 }, tenant);
    },
    reportFailure: (_tenant, _change, error) => expect(error).toBe(undefined),
    reportSetback: (tenant, waitMs) => {
      expect(tenant).toBe(cut);
      waits.push(waitMs);
    },
  };
  const start = now;

  for (let second = 0; second < 16; second++) {
    await write(1, `page-${second}`);
    // As often as a projector would look.
    for (let look = 0; look < 3; look++) await projectChanges(projection);
    const newest = await changes.findNewest(other);
    expect(await parts.verifySources.projected.findSequence(other)).toBe(newest);
    now += SECOND_MS;
  }
  const status = await findProjectionStatus(database, now);
  isMended = true;
  now += 2 * 5 * MINUTE_MS;
  await projectChanges(projection);

  expect(tried.map((at) => (at - start) / SECOND_MS)).toEqual([0, 1, 3, 7, 15, 616]);
  expect(waits).toEqual([1, 2, 4, 8, 16].map((seconds) => seconds * SECOND_MS));
  expect(status).toMatchObject({ setbacks: 1, failures: 0 });
  expect(await findProjectionStatus(database, now)).toMatchObject({ setbacks: 0 });
  expect(await parts.verifySources.projected.findSequence(cut)).toBe(await changes.findNewest(cut));
});

test('the wait has a cap, and the service is degraded as long as a tenant is set back', async () => {
  const { cut } = await seedTenants('capped');
  let now = Date.now();
  const waits: number[] = [];
  const projection: Projection = {
    changes: createChangeLog(database, () => now),
    writer: createGraphWriter(parts.graph),
    rebuild: () => Promise.reject(new Error('It can not be.')),
    reportFailure: (_tenant, _change, error) => expect(error).toBe(undefined),
    reportSetback: (_tenant, waitMs) => waits.push(waitMs),
  };

  for (let tries = 0; tries < 12; tries++) {
    await projectChanges(projection);
    now += waits.at(-1) ?? 0;
  }

  expect(waits).toHaveLength(12);
  expect(waits.slice(-2)).toEqual([5 * MINUTE_MS, 5 * MINUTE_MS]);
  const findStatus = () => findProjectionStatus(database, now);
  const graph = { isReady: () => true, awayReason: () => null, isProjecting: () => true };
  expect(await checkReadiness({ findStatus, graph })).toMatchObject({ status: 'degraded' });
  const [row] = await database.query<{ setback: string }>({
    text: 'select setback from projection where tenant = $1',
    values: [cut],
  });
  expect(row).toEqual({ setback: 'It can not be.' });
});

test('a projector that can not begin waits longer from one time to the next', async () => {
  vi.useFakeTimers();
  let tries = 0;
  const unused = () => Promise.reject(new Error('Nothing can be carried.'));
  const projector = startProjector(
    {
      changes: createChangeLog(database),
      writer: { listWatermarks: unused, apply: unused },
      prepare: async () => {
        tries += 1;
        throw new Error('The graph is of a newer version.');
      },
      rebuild: unused,
      reportFailure: () => undefined,
      reportSetback: () => undefined,
    },
    {
      take: async () => ({ isHeld: () => true, release: async () => undefined }),
      listen: async () => async () => undefined,
    },
    () => undefined,
  );

  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  const inTenMinutes = tries;
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  await projector.close();
  vi.useRealTimers();

  expect(inTenMinutes).toBe(16);
  expect(tries - inTenMinutes).toBe(10);
});
