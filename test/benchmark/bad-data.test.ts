import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../benchmark/main.ts', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-data-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const MEMORY = '{"key": "a", "body": "text"}';

test.each([
  ['broken text', '{"memories": [', 'set.json:1 '],
  [
    'a missing field',
    `{"memories": [${MEMORY}],\n"queries": [{"q": "x"}]}`,
    ':2 queries.0.relevant:',
  ],
  [
    'a key of no memory',
    `{"memories": [${MEMORY}],\n"queries": [{"q": "x", "relevant": ["b"]}]}`,
    ':2 queries.0.relevant.0: expected the key of a memory, got "b"',
  ],
  ['an empty set', '{"memories": [],\n"queries": []}', 'set.json:1 memories:'],
])('refuses %s by line and field, and writes no report', async (_, text, message) => {
  const file = join(folder, 'set.json');
  await writeFile(file, text);

  const { status, stderr } = bench('--data', file);

  expect(status).toBe(1);
  expect(stderr).toContain(message);
  expect(existsSync(join(folder, 'report.json'))).toBe(false);
});

test('refuses a profile that there is none of, and half a comparison', async () => {
  const file = join(folder, 'set.json');
  await writeFile(file, `{"memories": [${MEMORY}], "queries": [{"q": "x", "relevant": ["a"]}]}`);

  const unknown = bench('--data', file, '--compare', 'baseline', 'best');
  const half = bench('--data', file, '--compare', 'baseline');

  expect(unknown.status).toBe(1);
  expect(unknown.stderr).toContain('profile: expected one of baseline, ');
  expect(half.status).toBe(2);
  expect(half.stderr).toContain('--compare A B');
  expect(existsSync(join(folder, 'report.json'))).toBe(false);
});

function bench(...options: readonly string[]) {
  const keep = join(folder, 'report.json');
  return spawnSync(process.execPath, [PROGRAM, 'recall', ...options, '--keep', keep], {
    encoding: 'utf8',
  });
}
