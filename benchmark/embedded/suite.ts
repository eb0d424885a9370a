// Question: is the embedded profile fast and small enough for a laptop, over a real graph?
// Good numbers, on two cores with the 8,195 commits and 16,335 edges of a real project:
// import < 60 s and < 1 GB; recall p50 < 30 ms and p95 < 80 ms; walk of depth 3 p50 < 20 ms, from
// the hub < 60 ms; a page with ten neighbours < 5 ms; start < 3 s, on an empty folder < 8 s.
// All through HTTP, one client, warm; absolute times, so compare only runs of one machine. Calls of
// the stores stand beside them, as the server logs them: they are the same on every machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJsonLines } from '../../src/importing/jsonl.ts';
import { findCommit } from '../find-commit.ts';
import { percentile, seededPicker } from '../sampling.ts';
import { ask, type LoggedRequest, runVerb, startServer } from './server-process.ts';

const RECALL = `query Recall($text: String!) {
  recall(input: { text: $text, project: "bench", limit: 10 }) {
    hits {
      rank score
      page { path title status }
      passage { text start end }
      explain {
        keyword { rank score terms matchedIn }
        dense { rank similarity }
        graph { rank }
        graphVia { edge direction depth from { path } path { direction } }
        fusion { method contributions { arm weight rank value } }
        authority { value factors { name multiplier reason } cap { name limit } }
        confidence { value evidenceCount inRanking }
      }
    }
    degraded { arm reason }
  }
}`;

const TRAVERSE = `query Traverse($from: [ID!]!) {
  traverse(from: $from, depth: 3) {
    pages { depth page { path title } path { direction edge { kind } } }
    edges { kind from { path } to { path } }
    truncated { reason }
  }
}`;

const HUB = TRAVERSE.replace('Traverse', 'Hub');

const PAGE = `query Page($path: String!) {
  page(project: "bench", path: $path) {
    title body kind status
    edges(first: 10) { edges { kind direction node { path title } } totalCount }
  }
}`;

const PAGE_ID = `query ($path: String!) { page(project: "bench", path: $path) { id } }`;

export async function measureEmbedded({
  data,
  keep,
}: {
  readonly data: string;
  readonly keep: string | null;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  try {
    const empty = await startServer(join(folder, 'empty'));
    await empty.stop();

    const store = join(folder, 'store');
    const imported = await runVerb(['import', 'jsonl', data, '--project', 'bench'], store);
    const server = await startServer(store);
    const { paths, titles, degrees } = await readGraph(data);
    const pick = seededPicker(20_260_101);
    const idOf = async (path: string) =>
      (await ask<{ page: { id: string } }>(server.url, PAGE_ID, { path })).page.id;

    const starts = await Promise.all(pick(paths, 100).map(idOf));
    const hub = [...degrees].sort((a, b) => b[1] - a[1])[0]?.[0] ?? paths[0] ?? '';
    const hubId = await idOf(hub);
    const neighbours = [...degrees].filter(([, degree]) => degree === 10).map(([path]) => path);

    const measured = {
      commit: findCommit(),
      data: data.split('/').at(-1),
      machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
      emptyStartSeconds: empty.startSeconds,
      importSeconds: imported.seconds,
      importPeakMiB: imported.peakMiB,
      startSeconds: server.startSeconds,
      recallMs: await time(pick(titles, 200), (text) => ask(server.url, RECALL, { text })),
      traverseMs: await time(starts, (id) => ask(server.url, TRAVERSE, { from: [id] })),
      hubMs: await time(Array(50).fill(hubId), (id) => ask(server.url, HUB, { from: [id] })),
      hubDegree: degrees.get(hub),
      pageMs: await time(pick(neighbours, 100), (path) => ask(server.url, PAGE, { path })),
      serverPeakMiB: server.peakMiB(),
    };
    const result = { ...measured, storeCalls: countStoreCalls(await server.stop()) };

    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    if (keep !== null) await writeFile(keep, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sends the first 20 to warm up, then each once, counted; milliseconds to a tenth. */
async function time<Item>(items: readonly Item[], send: (item: Item) => Promise<unknown>) {
  for (const item of items.slice(0, 20)) await send(item);
  const times: number[] = [];
  for (const item of items) {
    const start = performance.now();
    await send(item);
    times.push(performance.now() - start);
  }
  const at = (share: number) => Math.round(percentile(times, share) * 10) / 10;
  return { count: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** The median and the most calls of the stores for one request, by the name of its operation. */
function countStoreCalls(requests: readonly LoggedRequest[]) {
  const counted = Map.groupBy(
    requests.filter(({ operation }) => operation !== null),
    ({ operation }) => operation,
  );
  return Object.fromEntries(
    [...counted].map(([operation, own]) => {
      const calls = own.map(({ storeCalls }) => storeCalls).sort((a, b) => a - b);
      return [operation, { p50: calls[Math.floor(calls.length / 2)], most: calls.at(-1) }];
    }),
  );
}

async function readGraph(data: string) {
  const paths: string[] = [];
  const titles: string[] = [];
  const degrees = new Map<string, number>();
  for await (const { line } of readJsonLines(data)) {
    if (line.type === 'page') {
      paths.push(line.path);
      titles.push(line.title);
    }
    if (line.type === 'edge') {
      degrees.set(line.from, (degrees.get(line.from) ?? 0) + 1);
      degrees.set(line.to, (degrees.get(line.to) ?? 0) + 1);
    }
  }
  return { paths, titles, degrees };
}
