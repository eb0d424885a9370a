import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type Cited, RANKING_DEFAULTS } from '../memory/ranking-defaults.ts';

/**
 * Refuses a default of ranking whose report is missing, lacks a row that it cites, or does not favour
 * it. Ends with 1 and names the default. Another folder of reports may be given.
 */
const folder =
  process.argv[2] ?? fileURLToPath(new URL('../../benchmark/recall/reports/', import.meta.url));

const REPORT = z.object({
  rows: z.array(
    z.object({
      name: z.string(),
      scores: z.object({ recallAt1: z.number(), recallAt10: z.number(), ndcgAt10: z.number() }),
    }),
  ),
});

for (const [name, cited] of Object.entries(RANKING_DEFAULTS)) {
  const fault = findFault(cited);
  if (fault === null) continue;
  process.stderr.write(`${name}: ${fault}\n`);
  process.exitCode = 1;
}

function findFault({ report, better, than, metric }: Cited<unknown>): string | null {
  const file = join(folder, `${report}.json`);
  if (!existsSync(file)) return `expected the report ${file}, found none.`;
  const { rows } = REPORT.parse(JSON.parse(readFileSync(file, 'utf8')));
  const scoreOf = (row: string) => rows.find((each) => each.name === row)?.scores[metric];
  const [withIt, without] = [scoreOf(better), scoreOf(than)];
  if (withIt === undefined) return `expected a row "${better}" in ${report}.json, found none.`;
  if (without === undefined) return `expected a row "${than}" in ${report}.json, found none.`;
  if (withIt > without) return null;
  return `expected ${metric} of "${better}" in ${report}.json above that of "${than}", but got ${withIt} and ${without}.`;
}
