// Question: what does the whole API cost over the Cypher that it runs, and does projection keep up?
// Good numbers: the API at most 1.3 × the same Cypher through the bare driver at depths 1 to 4; a hub
// within the caps under 100 ms; at least 3,000 edges projected a second; lag p95 under 250 ms while
// an import runs; the import of 8,195 pages and 16,335 edges under 60 s.
// The API, the bare driver and the ledger are asked in turns, page by page, in one process; the
// ratios compare with other machines, the milliseconds do not.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { importLines } from '../../src/importing/import-lines.ts';
import { readJsonLines } from '../../src/importing/jsonl.ts';
import { createProject } from '../../src/memory/create-project.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { openStores } from '../../src/open-stores.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { toGlobalId } from '../../src/schema/global-id.ts';
import { findCommit } from '../find-commit.ts';
import { percentile, seededPicker } from '../sampling.ts';
import { openBareDriver } from './bare-driver.ts';
import { writePowerLawGraph } from './power-law-graph.ts';

const TRAVERSE = `query ($from: [ID!]!, $depth: Int!) {
  traverse(from: $from, depth: $depth, kinds: [CAUSES, FIXES, CONTRADICTS, SUPERSEDES, REFERENCES]) {
    pages { depth page { id } path { direction edge { id kind } } }
    edges { id kind }
    truncated { reason }
    servedBy stale
  }
}`;

const KINDS = ['CAUSES', 'FIXES', 'CONTRADICTS', 'SUPERSEDES', 'REFERENCES'] as const;
const STARTS = 60;
const SEED = 20_260_101;

export type TraversalOptions = {
  /** A JSONL file of pages and edges. */
  readonly data: string;
  /** Edges of the generated graph; 0 leaves it out. */
  readonly edges: number;
  readonly keep: string | null;
};

/** Needs `DATABASE_URL`, of a role that may make databases, and `NEO4J_URI`. */
export async function measureTraversal({ data, edges, keep }: TraversalOptions): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl === null || config.neo4j === null) {
    throw new Error('The suite `traversal` needs DATABASE_URL and NEO4J_URI.');
  }
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const admin = connectPostgres({ url: config.databaseUrl });
  await admin.query({ text: `create database ${name}` });
  const url = new URL(config.databaseUrl);
  url.pathname = `/${name}`;
  const neo4j = { ...config.neo4j, namespace: `${name}/` };
  const open = await openStores({ ...config, databaseUrl: url.href, neo4j });
  try {
    if (open.graph === null) throw new Error('Expected a graph, but got none.');
    await open.graph.settled();
    const imported = await measureImport(open, data);
    const bench = { ...open, graph: open.graph, neo4j };
    const real = await measureWalks(bench, LOCAL_PRINCIPAL.tenant);
    const generated = edges === 0 ? null : await measureGenerated(bench, edges);
    const result = {
      commit: findCommit(),
      data: data.split('/').at(-1),
      machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
      import: imported,
      real,
      generated,
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    if (keep !== null) await writeFile(keep, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await open.close();
    await admin.query({ text: `drop database ${name} with (force)` });
    await admin.close();
  }
}

type Open = Awaited<ReturnType<typeof openStores>>;
type Bench = Open & {
  readonly graph: NonNullable<Open['graph']>;
  readonly neo4j: Parameters<typeof openBareDriver>[0];
};

/** Import with the projector beside it; the lag is looked at every 50 ms. */
async function measureImport({ stores, database }: Open, data: string) {
  const project = await createProject(stores, { principal: LOCAL_PRINCIPAL }, { name: 'bench' });
  const { tenant } = LOCAL_PRINCIPAL;
  const view = { tenant, projectIds: [project.id], clearance: 3, asOf: null, now: Date.now() };
  const lags: number[] = [];
  const timer = setInterval(async () => lags.push(await findLagMs(database)), 50);
  const start = performance.now();
  const counts = await importLines(
    stores,
    { principal: LOCAL_PRINCIPAL, view },
    project,
    readJsonLines(data),
    { fault: () => undefined, progress: () => undefined },
  );
  const importSeconds = (performance.now() - start) / 1_000;
  clearInterval(timer);
  const drained = performance.now();
  while ((await findLagMs(database)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  return {
    seconds: round(importSeconds),
    drainSeconds: round((performance.now() - drained) / 1_000),
    edges: counts.edges.linked,
    lagMs: { p50: round(percentile(lags, 0.5)), p95: round(percentile(lags, 0.95)) },
  };
}

/** For how long the oldest change waits that is not carried yet. */
async function findLagMs(database: Database): Promise<number> {
  const [row] = await database.query<{ oldest: number | null }>({
    text: `select min(o.recorded_at) as oldest from projection p
      join outbox o on o.tenant = p.tenant and o.sequence > p.projected`,
  });
  return row?.oldest == null ? 0 : Math.max(1, Date.now() - row.oldest);
}

/** Random pages and the hub, at each depth: the API, the bare driver, and the ledger in turns. */
async function measureWalks({ stores, database, neo4j }: Bench, tenant: string) {
  const app = createApp(stores, { principalOf: () => ({ ...LOCAL_PRINCIPAL, tenant }) });
  const bare = await openBareDriver(neo4j, tenant);
  const ledger = createLedgerGraph(database);
  const projects = await stores.projects.list(tenant, 'ALL');
  const projectIds = projects.map(({ id }) => id);
  const view = { tenant, projectIds, clearance: 3, asOf: null, now: Date.now() };
  const { ids, hub } = await pickPages(database, tenant);
  const viaApi = async (from: string, depth: number) => {
    const global = toGlobalId('Page', from);
    const response = await app.fetch('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: TRAVERSE, variables: { from: [global], depth } }),
    });
    const { data, errors } = await response.json();
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    if (data.traverse.servedBy !== 'NEO4J') throw new Error('Expected an answer from Neo4j.');
  };
  const viaLedger = (from: string, depth: number) =>
    ledger.walk(view, {
      from: [from],
      kinds: KINDS,
      direction: 'OUT',
      depth,
      maxPages: 100,
      fanOut: 50,
      where: {},
    });

  const rows = [];
  for (const depth of [1, 2, 3, 4]) {
    const times = { api: [] as number[], bare: [] as number[], ledger: [] as number[] };
    const ways = {
      api: (id: string) => viaApi(id, depth),
      bare: (id: string) => bare.walk(id, depth, projectIds),
      ledger: (id: string) => viaLedger(id, depth),
    };
    for (const id of ids.slice(0, 10)) for (const way of Object.values(ways)) await way(id);
    for (const [index, id] of ids.entries()) {
      const order = Object.entries(ways) as [keyof typeof ways, (id: string) => Promise<unknown>][];
      // Whoever comes first warms the pages for the others.
      for (const [name, way] of [...order.slice(index % 3), ...order.slice(0, index % 3)]) {
        times[name].push(await timeOf(() => way(id)));
      }
    }
    const hubMs = await timeOf(() => viaApi(hub, depth));
    rows.push({
      depth,
      apiMs: spread(times.api),
      bareMs: spread(times.bare),
      ledgerMs: spread(times.ledger),
      apiToBare: round(percentile(times.api, 0.5) / percentile(times.bare, 0.5)),
      hubMs: round(hubMs),
    });
  }
  await bare.close();
  return rows;
}

async function measureGenerated(bench: Bench, edges: number) {
  const tenant = 'generated';
  const start = performance.now();
  const graph = await writePowerLawGraph(bench.database, tenant, edges);
  const { rebuildGraph } = await import('../../src/memory/rebuild-graph.ts');
  const projecting = performance.now();
  const counts = await rebuildGraph(bench.graph.rebuildSources, tenant);
  const seconds = (performance.now() - projecting) / 1_000;
  return {
    ...graph,
    writeSeconds: round((projecting - start) / 1_000),
    rebuildSeconds: round(seconds),
    counts,
    walks: await measureWalks(bench, tenant),
  };
}

async function pickPages(database: Database, tenant: string) {
  const pages = await database.query<{ id: string }>({
    text: 'select id from page where tenant = $1 order by id',
    values: [tenant],
  });
  const [hub] = await database.query<{ id: string }>({
    text: `select from_id as id from edge where tenant = $1
      group by from_id order by count(*) desc, from_id limit 1`,
    values: [tenant],
  });
  const pick = seededPicker(SEED);
  return {
    ids: pick(
      pages.map(({ id }) => id),
      STARTS,
    ),
    hub: hub?.id ?? '',
  };
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function spread(values: readonly number[]) {
  return { p50: round(percentile(values, 0.5)), p95: round(percentile(values, 0.95)) };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
