import { spawnSync } from 'node:child_process';

/** The checks of one commit, cheapest first; all run, and any failure ends with 1. */
const CHECKS: readonly (readonly [string, ...string[]])[] = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.'],
  ['frozen migrations', 'src/cli/check-migrations.ts'],
  ['cited rankings', 'src/cli/check-rankings.ts'],
  ['table of settings', 'src/cli/print-settings.ts', '--check'],
  ['table of results', 'benchmark/recall/results.ts', '--check'],
  ['printed schema', 'src/cli/print-schema.ts', '--check'],
  ['import rules', 'node_modules/vitest/vitest.mjs', 'run', 'test/architecture.test.ts'],
  ['types', 'node_modules/typescript/bin/tsc', '-p', '.'],
];

for (const [name, ...command] of CHECKS) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' });
  process.stdout.write(`${name}: ${status === 0 ? 'ok' : 'FAILED'}\n`);
  if (status !== 0) process.exitCode = 1;
}
