import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Refuses an edited migration, since stores that have applied it would differ from those to come.
 * `frozen.txt` has a line `<sha256>  <path>` for each shipped file. Ends with 1, and names the file,
 * when one is edited, missing or not listed. `--write` lists those that are not; it never changes a
 * line. A new one must have a number above all that are listed of its store: others would have applied
 * those before it. Another folder than `migrations` may be given.
 */
const folder =
  process.argv.slice(2).find((argument) => !argument.startsWith('--')) ??
  fileURLToPath(new URL('../../migrations/', import.meta.url));
const list = join(folder, 'frozen.txt');

const frozen = new Map<string, string>();
for (const line of existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []) {
  const [sha256, path] = line.split('  ');
  if (sha256 !== undefined && path !== undefined) frozen.set(path, sha256);
}

const paths = globSync('*/**/*.*', { cwd: folder })
  .map((path) => path.replaceAll('\\', '/'))
  .sort();
/** By store, the highest number that is shipped. */
const highest = new Map<string, number>();
for (const path of frozen.keys()) {
  highest.set(storeOf(path), Math.max(highest.get(storeOf(path)) ?? 0, numberOf(path)));
}

for (const path of paths) {
  const sha256 = createHash('sha256')
    .update(readFileSync(join(folder, path)))
    .digest('hex');
  const expected = frozen.get(path);
  if (expected === sha256) continue;
  if (expected !== undefined) complain(`${path} was edited. Restore it, and add a new migration.`);
  else if (numberOf(path) <= (highest.get(storeOf(path)) ?? 0)) {
    complain(
      `${path} must have a number above ${highest.get(storeOf(path))}: stores that have applied that one would never run it.`,
    );
  } else if (process.argv.includes('--write')) appendFileSync(list, `${sha256}  ${path}\n`);
  else complain(`${path} is not listed. Run \`node src/cli/check-migrations.ts --write\`.`);
}

for (const path of frozen.keys()) {
  if (!paths.includes(path)) complain(`${path} is missing. Restore it: stores have applied it.`);
}

function storeOf(path: string): string {
  return path.slice(0, path.indexOf('/'));
}

function numberOf(path: string): number {
  return Number.parseInt(path.slice(path.lastIndexOf('/') + 1), 10);
}

function complain(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}
