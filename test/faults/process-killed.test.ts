import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { verifyGraph } from '../../src/memory/verify-graph.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { type GraphParts, openGraphParts } from '../support/graph-parts.ts';
import { callerFor } from '../support/seed.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';

/** Each costs a start of the program. */
const KILLS = 4;
/** Five seconds are promised; a busy machine gets some more. */
const TAKE_OVER_MS = 10_000;

const { tenant } = LOCAL_PRINCIPAL;

let database: Database & { readonly url: string };
let parts: GraphParts;
let environment: Record<string, string>;
const servers: ServerProcess[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  const namespace = `${new URL(database.url).pathname.slice(1)}.`;
  const neo4j = { ...testNeo4j(database.url), namespace };
  parts = openGraphParts(database, neo4j);
  await parts.settled();
  environment = {
    DATABASE_URL: database.url,
    NEO4J_URI: neo4j.uri,
    NEO4J_USER: neo4j.user,
    NEO4J_PASSWORD: neo4j.password,
    CAUSEWAY_GRAPH_NAMESPACE: namespace,
  };
});

afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  await parts.close();
  await database.close();
});

const WRITE = `mutation Write($page: PageInput!) {
  writePage(input: { project: "notes", page: $page }) {
    ... on WritePageSuccess { page { id } graphSequence }
  }
}`;

async function start(): Promise<ServerProcess> {
  const server = await startServer(environment);
  servers.push(server);
  return server;
}

test('another process carries what a killed one had acknowledged', {
  timeout: 120_000,
}, async () => {
  let [first, second] = [await start(), await start()];
  await first.ask('mutation { createProject(input: { name: "notes" }) { __typename } }');
  const paths: string[] = [];

  for (let kill = 1; kill <= KILLS; kill++) {
    const path = `written-${kill}`;
    const body = paths.map((each) => `- causes [[${each}]]`).join('\n');
    // Whichever process carries changes, the one that has answered is the one that dies.
    const answer = await first.ask(WRITE, { page: { path, title: path, body } });
    await first.kill();
    expect(answer).toMatchObject({ writePage: { graphSequence: expect.any(String) } });
    paths.push(path);

    const newest = await parts.verifySources.changes.findNewest(tenant);
    await vi.waitFor(
      async () => {
        expect(await parts.verifySources.projected.findSequence(tenant)).toBe(newest);
      },
      { timeout: TAKE_OVER_MS, interval: 50 },
    );
    await vi.waitFor(async () => {
      expect(await second.readiness()).toMatchObject({ neo4j: { isProjecting: true } });
    });
    [first, second] = [second, await start()];
  }

  const { view } = await callerFor(parts.stores);
  const [project] = await parts.stores.projects.list(tenant, 'ALL');
  const found = await parts.stores.pages.findManyByKey(
    view,
    paths.map((path) => ({ projectId: project?.id ?? '', path })),
  );
  expect(found.map((page) => page?.title)).toEqual(paths);
  const last = found.at(-1)?.id ?? '';
  const { pages, served } = await traverse(parts.stores, view, { from: [last], depth: 1 });
  expect(pages).toHaveLength(KILLS);
  expect(served).toMatchObject({ by: 'NEO4J', isStale: false });
  expect((await verifyGraph(parts.verifySources, tenant)).differences).toEqual([]);
});
