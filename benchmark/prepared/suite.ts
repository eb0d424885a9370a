// Question: does a prepared query cost no more than one that embeds, less its embedding, and does the
// cache of prepared queries stay small?
// Good numbers: a prepared recall within 5 % of an embedded one less the embedding; narrowing under
// 50 µs, also with 1,000 included and 1,000 excluded ids, and under 150 where the included are in
// another order; 10,000 prepared queries keep 128, and the
// heap where it was (within 5 MiB).
// One process, a fresh embedded store; both recalls are asked in turns, so what else the machine does
// falls on both. Statements stand beside the times: they are the same on every machine.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Caller } from '../../src/memory/caller.ts';
import { completeQuery } from '../../src/memory/complete-query.ts';
import { narrowing } from '../../src/memory/narrowing.ts';
import { openRun } from '../../src/memory/open-run.ts';
import { prepareRecall } from '../../src/memory/prepare-recall.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { recallInRun } from '../../src/memory/recall-in-run.ts';
import { parseRecallInput, type RecallInput } from '../../src/memory/recall-query.ts';
import { type OpenStores, openStores } from '../../src/open-stores.ts';
import { findCommit } from '../find-commit.ts';
import type { Memory } from '../recall/neutral-format.ts';
import { seedSet } from '../recall/seed-set.ts';
import { percentile } from '../sampling.ts';

const PAGES = 2_000;
const SEARCHES = 400;
const PREPARES = 10_000;
const WORDS = 'otter river stone leak pool deploy queue cache retry token index vector'.split(' ');

export async function measurePrepared({ keep }: { readonly keep: string | null }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'));
  const open = await openStores({
    dataFolder: folder,
    databaseUrl: null,
    neo4j: null,
    graphWaitMs: 0,
  });
  try {
    const { view } = await seedSet(
      open.stores,
      { memories: memories(), queries: [] },
      { name: 'bench', withHints: false },
    );
    const caller = { principal: LOCAL_PRINCIPAL, view };
    const result = {
      commit: findCommit(),
      machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
      narrowing: {
        plain: timeNarrowing(caller, {}),
        withThousandIds: timeNarrowing(caller, thousandIds()),
        inAnotherOrder: timeNarrowing(caller, thousandIds(), (ids) => ids.toReversed()),
      },
      cache: await fillCache(open, caller),
      recall: await compareRecalls(open, caller),
    };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    if (keep !== null) await writeFile(keep, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await open.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Sentences of a few words each, the same on every run. */
function memories(): Memory[] {
  return Array.from({ length: PAGES }, (_, index) => ({ key: `${index}`, body: sentence(index) }));
}

function sentence(index: number): string {
  const word = (at: number) => WORDS[at % WORDS.length] ?? '';
  return `the ${word(index)} and the ${word(index * 7 + 3)} of ${word(index * 5 + 1)} ${index}`;
}

function queryOf(text: string, filter: RecallInput['filter'] = {}): RecallInput {
  return {
    text,
    filter,
    includeSuperseded: false,
    includeArchived: false,
    typeHints: [],
    limit: null,
    tokenBudget: null,
    ranking: null,
  };
}

function thousandIds(): RecallInput['filter'] {
  const ids = (of: string) => Array.from({ length: 1_000 }, (_, index) => `${of}-${index}`);
  return { includeIds: ids('included'), excludeIds: ids('excluded') };
}

/** Microseconds of one call; samples are of 100, for the clock is not finer. */
function timeNarrowing(
  caller: Caller,
  filter: RecallInput['filter'],
  reorder = (ids: readonly string[]) => ids,
) {
  const read = (given: RecallInput['filter']) =>
    completeQuery(caller, parseRecallInput(queryOf(sentence(1), structuredClone(given))));
  const { includeIds } = filter;
  const scoped = {
    ...filter,
    people: ['ann'],
    ...(includeIds && { includeIds: reorder(includeIds) }),
  };
  const [parent, derived] = [read(filter), read(scoped)];
  const samples = Array.from({ length: 200 }, () => {
    const start = performance.now();
    for (let times = 0; times < 100; times++) narrowing(parent, derived);
    return (performance.now() - start) * 10;
  }).slice(20);
  return { answer: narrowing(parent, derived), ...spread(samples, 100) };
}

async function fillCache({ stores }: OpenStores, caller: Caller) {
  const run = await openBenchRun(stores, caller);
  const prepare = (index: number) =>
    prepareRecall(stores, caller, { runId: run.id, query: queryOf(sentence(index)) });
  for (let index = 0; index < 1_000; index++) await prepare(index);
  const before = heapMiB();
  for (let index = 0; index < PREPARES; index++) await prepare(1_000 + index);
  const grown = Math.round((heapMiB() - before) * 10) / 10;
  return { prepares: PREPARES, kept: stores.runs.prepared.size, heapGrownMiB: grown };
}

async function compareRecalls({ stores, database }: OpenStores, caller: Caller) {
  const run = await openBenchRun(stores, caller);
  const samples: Record<'embedded' | 'prepared' | 'embedding', number[]> = {
    embedded: [],
    prepared: [],
    embedding: [],
  };
  const statements = { embedded: 0, prepared: 0 };
  for (let index = 0; index < SEARCHES; index++) {
    const query = queryOf(sentence(index));
    const { digest } = await prepareRecall(stores, caller, { runId: run.id, query });
    const ask = async (name: 'embedded' | 'prepared') => {
      const before = database.statements;
      samples[name].push(
        await time(() =>
          recallInRun(stores, caller, query, {
            runId: run.id,
            prepared: name === 'prepared' ? digest : null,
          }),
        ),
      );
      statements[name] = database.statements - before;
    };
    // Whoever comes second finds warm pages: they take turns.
    await ask(index % 2 === 0 ? 'embedded' : 'prepared');
    await ask(index % 2 === 0 ? 'prepared' : 'embedded');
    samples.embedding.push(await time(() => stores.embedder.embed([query.text])));
  }
  return {
    embeddedMs: spread(samples.embedded.slice(50), 1_000),
    preparedMs: spread(samples.prepared.slice(50), 1_000),
    embeddingMs: spread(samples.embedding.slice(50), 1_000),
    statements,
  };
}

function openBenchRun(stores: OpenStores['stores'], caller: Caller) {
  const [projectId = ''] = caller.view.projectIds;
  return openRun(stores, caller, {
    projectId,
    task: 'benchmark',
    leaseSeconds: 3_600,
    searchBudget: 10_000,
  });
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** After a full collection. */
function heapMiB(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** @param grain  1 / the smallest part that is told */
function spread(samples: readonly number[], grain: number) {
  const at = (share: number) => Math.round(percentile(samples, share) * grain) / grain;
  return { p50: at(0.5), p95: at(0.95) };
}
