import { spawnSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../src/cli/check-migrations.ts', import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-frozen-'));
  await mkdir(join(folder, 'postgres'));
  await writeFile(join(folder, 'postgres', '0001_one.sql'), 'select 1;');
  await writeFile(join(folder, 'postgres', '0002_two.sql'), 'select 2;');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('passes once every file is listed', () => {
  const unlisted = check();
  const written = check('--write');
  const listed = check();

  expect(unlisted.status).toBe(1);
  expect(unlisted.stderr).toContain('postgres/0001_one.sql is not listed');
  expect(written).toEqual({ status: 0, stderr: '' });
  expect(listed).toEqual({ status: 0, stderr: '' });
});

test('names an edited and a missing file, and never changes their lines', async () => {
  check('--write');
  const before = await readFile(join(folder, 'frozen.txt'), 'utf8');
  await appendFile(join(folder, 'postgres', '0001_one.sql'), ' ');
  await rm(join(folder, 'postgres', '0002_two.sql'));

  const { status, stderr } = check('--write');

  expect(status).toBe(1);
  expect(stderr).toContain('postgres/0001_one.sql was edited');
  expect(stderr).toContain('postgres/0002_two.sql is missing');
  expect(await readFile(join(folder, 'frozen.txt'), 'utf8')).toBe(before);
});

test('refuses a number that is not above all that are shipped of the store, and lists none', async () => {
  await mkdir(join(folder, 'neo4j'));
  check('--write');
  await writeFile(join(folder, 'postgres', '0002_late.sql'), 'select 3;');
  await writeFile(join(folder, 'postgres', '0003_next.sql'), 'select 4;');
  await writeFile(join(folder, 'neo4j', '0001_other.cypher'), 'RETURN 1');

  const { status, stderr } = check('--write');

  expect(status).toBe(1);
  expect(stderr).toBe(
    'postgres/0002_late.sql must have a number above 2: stores that have applied that one would never run it.\n',
  );
  const listed = await readFile(join(folder, 'frozen.txt'), 'utf8');
  expect(listed).not.toContain('late');
  expect(listed).toMatch(/neo4j\/0001_other\.cypher\n.*postgres\/0003_next\.sql/su);
});

function check(...args: readonly string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, folder, ...args], {
    encoding: 'utf8',
  });
  return { status, stderr };
}
