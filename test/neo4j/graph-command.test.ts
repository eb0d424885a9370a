import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { createGraphRebuilder } from '../../src/neo4j/graph-rebuilder.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createGraphRecord } from '../../src/postgres/graph-record.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { type GraphParts, openGraphParts } from '../support/graph-parts.ts';
import { seedPages, seedProject } from '../support/seed.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const run = promisify(execFile);

let database: Database & { readonly url: string };
let lost: Database;
let parts: GraphParts;
let environment: Record<string, string | undefined>;

beforeAll(async () => {
  database = await openServerDatabase();
  lost = await openServerDatabase();
  const namespace = `${new URL(database.url).pathname.slice(1)}.`;
  const neo4j = { ...testNeo4j(database.url), namespace };
  parts = openGraphParts(database, neo4j);
  await parts.settled();
  environment = {
    PATH: process.env.PATH,
    DATABASE_URL: database.url,
    NEO4J_URI: neo4j.uri,
    NEO4J_USER: neo4j.user,
    NEO4J_PASSWORD: neo4j.password,
    CAUSEWAY_GRAPH_NAMESPACE: namespace,
  };
});

afterAll(async () => {
  await parts.close();
  await lost.close();
  await database.close();
});

/** A tenant of a ledger, carried into the graph that both ledgers have. */
async function seedTenant(ledger: Database, tenant: string): Promise<void> {
  const stores = createStores(ledger);
  const principal = { ...LOCAL_PRINCIPAL, tenant };
  const project = await seedProject(stores, 'notes', principal);
  await seedPages(stores, project, { a: '- causes [[b]]', b: 'B' }, principal);
  const record = createGraphRecord(ledger);
  const rebuilder = createGraphRebuilder(parts.graph);
  const { changes } = parts.verifySources;
  await rebuildGraph(
    { record, rebuilder, changes: { ...changes, ...NOTHING_TO_NOTE }, graceMs: 0 },
    tenant,
  );
}

const NOTHING_TO_NOTE = {
  findNewest: async () => 0,
  noteProjected: async () => undefined,
  forgetFailuresUpTo: async () => undefined,
};

async function graph(...words: readonly string[]) {
  const asked = run(process.execPath, [PROGRAM, 'graph', ...words, '--json'], { env: environment });
  const { stdout, code = 0 } = await asked.catch((error) => error);
  const lines = stdout.trim().split('\n');
  return {
    code,
    told: lines.filter((line: string) => line !== '').map((line: string) => JSON.parse(line)),
  };
}

test('a tenant that only the graph has is a difference until it is named to a rebuild', {
  timeout: 120_000,
}, async () => {
  await seedTenant(database, 'kept');
  await seedTenant(lost, 'left');

  const before = await graph('verify');
  const rebuilt = await graph('rebuild');
  const between = await graph('verify', '--tenant', 'left');
  const emptied = await graph('rebuild', '--tenant', 'left');
  const after = await graph('verify');

  expect(before).toMatchObject({
    code: 1,
    told: [
      { tenant: 'kept', differenceCount: 0 },
      { tenant: 'left', differenceCount: 3 },
    ],
  });
  expect(
    before.told[1].differences.map(({ what, fault }: Record<string, string>) => [what, fault]),
  ).toEqual(
    expect.arrayContaining([
      ['PAGE', 'EXTRA'],
      ['CAUSES', 'EXTRA'],
    ]),
  );
  expect(rebuilt).toMatchObject({ code: 0, told: [{ tenant: 'kept', pages: 2 }] });
  expect(between).toMatchObject({ code: 1, told: [{ tenant: 'left', differenceCount: 3 }] });
  expect(emptied).toMatchObject({ code: 0, told: [{ tenant: 'left', pages: 0 }] });
  expect(after).toMatchObject({ code: 0, told: [{ differenceCount: 0 }, { differenceCount: 0 }] });
});
