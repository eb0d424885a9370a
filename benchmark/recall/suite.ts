// Question: does recall find what answers, and which arm and which feature does it?
// Good numbers: with hints, plain questions that share no word with their answer find it first
// (recall@1 from under 0.05 to over 0.95), and sets without hints are not changed by a bit.
// Sets are read in one neutral format, each into a project of its own in a fresh embedded store; a
// query sees nothing but its set. Equal runs give equal reports, but for the machine.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { basename, dirname } from 'node:path';
import { startProgress } from '../../src/cli/progress.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { findCommit } from '../find-commit.ts';
import { type RecallSet, readRecallSet } from './neutral-format.ts';
import { openFreshStore, type StoreKind } from './open-store.ts';
import { PROFILE_NAMES, type Ranker, rankersOf } from './rankers.ts';
import { type Row, type Run, toMarkdown, toRows } from './report.ts';
import { seedSet } from './seed-set.ts';
import { SEED } from './statistics.ts';

export type RecallOptions = {
  /** Data files: each is a conversation, or a topic. */
  readonly files: readonly string[];
  /** Names of ranking profiles; the first is what the others are compared with. All when empty. */
  readonly profiles: readonly string[];
  readonly store: StoreKind;
  /** Where the report goes; null keeps none. */
  readonly keep: string | null;
  /** Prints the report as JSON in place of a table. */
  readonly json: boolean;
};

/** @throws {DataFileError} for a file that can't be measured with; then no report is written */
export async function measureRecall({
  files,
  profiles,
  store,
  keep,
  json,
}: RecallOptions): Promise<void> {
  const sets = files.map(readRecallSet);
  if (keep !== null) await mkdir(dirname(keep), { recursive: true });
  const names = profiles.length === 0 ? PROFILE_NAMES : profiles;
  const rankers = rankersOf(names);
  const open = await openFreshStore(store);
  let rows: readonly Row[];
  try {
    const hasHints = sets.some(({ memories }) => memories.some(({ hints }) => hints !== undefined));
    const runs = [
      ...(await rankAll(open.stores, sets, rankers, false)),
      ...(hasHints ? await rankAll(open.stores, sets, rankers, true) : []),
    ];
    rows = toRows(sets, runs, names[0] ?? '');
  } finally {
    await open.close();
  }

  const report = {
    commit: findCommit(),
    data: await Promise.all(files.map(describeFile)),
    memories: sets.reduce((sum, { memories }) => sum + memories.length, 0),
    queries: sets.reduce((sum, { queries }) => sum + queries.length, 0),
    store,
    embedder: open.stores.embedder.model,
    machine: { cpu: cpus()[0]?.model, cores: availableParallelism(), node: process.version },
    seed: SEED,
    rows,
  };
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : `${toMarkdown(rows)}\n`);
  if (keep !== null) await writeFile(keep, `${JSON.stringify(report, null, 2)}\n`);
}

async function rankAll(
  stores: Stores,
  sets: readonly RecallSet[],
  rankers: readonly Ranker[],
  withHints: boolean,
): Promise<readonly Run[]> {
  const ranked = rankers.map((): string[][][] => sets.map(() => []));
  for (const [index, set] of sets.entries()) {
    const seeded = await seedSet(stores, set, { name: `set-${index}-${withHints}`, withHints });
    const progress = startProgress(`set ${index + 1}`, 'queries', set.queries.length);
    for (const [done, query] of set.queries.entries()) {
      for (const [at, ranker] of rankers.entries()) {
        ranked[at]?.[index]?.push([...(await ranker.rank(stores, seeded, query))]);
      }
      progress.update(done + 1);
    }
    progress.stop();
  }
  return rankers.map(({ name }, at) => ({
    name: withHints ? `${name} + hints` : name,
    ranked: ranked[at] ?? [],
  }));
}

async function describeFile(file: string) {
  const bytes = await readFile(file);
  return { file: basename(file), sha256: createHash('sha256').update(bytes).digest('hex') };
}
