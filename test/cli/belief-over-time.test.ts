import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServerProcess, startServer } from '../support/server-process.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
let server: ServerProcess;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-test-'));
  server = await startServer({ CAUSEWAY_DATA: folder });
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

test('the story of a belief is what the README shows of it', async () => {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
  const section = readme.split('## Why should I believe this?')[1] ?? '';
  const [, shown] = /```json\n([\s\S]*?)\n```/u.exec(section) ?? [];

  const { stdout } = await promisify(execFile)(process.execPath, [
    join(ROOT, 'examples/belief-over-time.mjs'),
    server.url,
  ]);

  expect(JSON.parse(stdout)).toEqual(JSON.parse(shown ?? 'null'));
});
