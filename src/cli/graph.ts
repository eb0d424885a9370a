import { readConfig } from '../config.ts';
import { InvalidInputError } from '../memory/errors.ts';
import type { GraphCounts } from '../memory/graph-counts.ts';
import { rebuildGraph } from '../memory/rebuild-graph.ts';
import { listVerifiedTenants, type Verified, verifyGraph } from '../memory/verify-graph.ts';
import type { OpenGraph } from '../open-graph.ts';
import { openStores } from '../open-stores.ts';
import { startProgress } from './progress.ts';

export type GraphOptions = { readonly tenant?: string; readonly json: boolean };

/**
 * Makes the graph of one tenant, or of all that the ledger has, anew, while reads go on. A tenant of
 * the graph alone is emptied only when it is named: it may be of another installation.
 */
export async function rebuild({ tenant, json }: GraphOptions): Promise<void> {
  await withGraph(async (graph) => {
    const tenants =
      tenant === undefined ? await graph.record.listTenants() : await named(graph, tenant);
    for (const each of tenants) {
      const progress = startProgress(`rebuilding ${each}`, 'pages and edges');
      const counts = await rebuildGraph(graph.rebuildSources, each, progress.update);
      progress.stop();
      print(json, { tenant: each, ...counts }, toLines(each, counts));
    }
  });
}

/**
 * Compares the graph of one tenant, or of all on either side, with the ledger; ends with 1 when
 * something differs.
 */
export async function verify({ tenant, json }: GraphOptions): Promise<void> {
  await withGraph(async (graph) => {
    const tenants =
      tenant === undefined
        ? await listVerifiedTenants(graph.verifySources)
        : await named(graph, tenant);
    for (const each of tenants) {
      const progress = startProgress(`verifying ${each}`, 'pages');
      const verified = await verifyGraph(graph.verifySources, each, progress.update);
      progress.stop();
      print(json, verified, toReport(verified));
      if (verified.differenceCount > 0) process.exitCode = 1;
    }
  });
}

async function withGraph(work: (graph: OpenGraph) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  if (config.neo4j === null) {
    throw new InvalidInputError('NEO4J_URI', 'the address of Neo4j', 'nothing');
  }
  const { graph, close } = await openStores(config);
  try {
    if (graph !== null) await work(graph);
  } finally {
    await close();
  }
}

async function named({ verifySources }: OpenGraph, tenant: string): Promise<readonly string[]> {
  if ((await listVerifiedTenants(verifySources)).includes(tenant)) return [tenant];
  throw new InvalidInputError('--tenant', 'a tenant that has pages', tenant);
}

function print(json: boolean, value: object, lines: readonly string[]): void {
  const text = json ? JSON.stringify(value) : lines.join('\n');
  process.stdout.write(`${text}\n`);
}

function toLines(tenant: string, { pages, ...edges }: GraphCounts): readonly string[] {
  const kinds = Object.entries(edges).map(([kind, count]) => `${count} ${kind}`);
  return [`${tenant}: ${pages} pages, ${kinds.join(', ')}`];
}

function toReport({ tenant, sums, differences, differenceCount }: Verified): readonly string[] {
  return [
    ...sums.map(({ what, ledger, graph }) => {
      const isEqual = ledger.count === graph.count && ledger.checksum === graph.checksum;
      const says = isEqual ? 'equal' : `DIFFERS: ledger ${ledger.count}, graph ${graph.count}`;
      return `${tenant}  ${what.padEnd(11)} ${String(ledger.count).padStart(8)}  ${ledger.checksum.slice(0, 12)}  ${says}`;
    }),
    ...differences.map(({ what, id, fault }) => `${tenant}  ${fault} ${what} ${id}`),
    ...(differenceCount > differences.length
      ? [`${tenant}  and ${differenceCount - differences.length} more`]
      : []),
  ];
}
