import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Cited, RANKING_DEFAULTS } from '../../src/memory/ranking-defaults.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/check-rankings.ts', import.meta.url));
const CITED: readonly Cited<unknown>[] = Object.values(RANKING_DEFAULTS);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-reports-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('passes where every default did better than without it', async () => {
  await writeReports(() => 0.7);

  expect(check()).toEqual({ status: 0, stderr: '' });
});

test('names a default whose report does not favour it', async () => {
  await writeReports((row) => (row === 'dialogue' ? 0.5 : 0.7));

  const { status, stderr } = check();

  expect(status).toBe(1);
  expect(stderr).toContain(
    'sessionShares: expected recallAt10 of "dialogue" in locomo.json above that of "dialogue without sessionNeighbours", but got 0.5 and 0.5.',
  );
  expect(stderr).not.toContain('chainWeight');
});

test('names a default whose report is missing, and one whose row is', async () => {
  await writeReports(() => 0.7);
  await rm(join(folder, 'causal.json'));
  await writeFile(join(folder, 'locomo.json'), JSON.stringify({ rows: [] }));

  const { status, stderr } = check();

  expect(status).toBe(1);
  expect(stderr).toContain(`graphShare: expected the report ${join(folder, 'causal.json')}`);
  expect(stderr).toContain('fusion: expected a row "baseline" in locomo.json, found none.');
});

/** Rows that are cited as worse score 0.5, the others as told. */
async function writeReports(scoreOf: (row: string) => number) {
  for (const [report, cited] of Map.groupBy(CITED, (each) => each.report)) {
    const worse = new Set(cited.map(({ than }) => than));
    const names = new Set(cited.flatMap(({ better, than }) => [better, than]));
    const rows = [...names].map((name) => {
      const score = worse.has(name) ? 0.5 : scoreOf(name);
      return { name, scores: { recallAt1: score, recallAt10: score, ndcgAt10: score } };
    });
    await writeFile(join(folder, `${report}.json`), JSON.stringify({ rows }));
  }
}

function check() {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, folder], { encoding: 'utf8' });
  return { status, stderr };
}
