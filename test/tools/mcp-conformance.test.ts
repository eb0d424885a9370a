import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { openTestSocket } from '../support/socket.ts';
import { seedOps } from '../support/tools.ts';

const run = promisify(execFile);
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const SUITE = fileOf('../../node_modules/@modelcontextprotocol/conformance/dist/index.js');
const BASELINE = fileOf('conformance-baseline.yml');

test('passes all of the conformance suite that asks for no server of its own', async () => {
  const socket = await openTestSocket();
  await seedOps(socket);
  const results = await mkdtemp(join(tmpdir(), 'causeway-conformance-'));
  const url = `http://127.0.0.1:${socket.port}/mcp`;
  const args = ['server', '--url', url, '--expected-failures', BASELINE, '--output-dir', results];

  // Ends with 1 when one fails that is not listed, and when one passes that is.
  const { stdout } = await run(process.execPath, [SUITE, ...args]);
  await socket.close();
  await rm(results, { recursive: true });

  const passed = [...stdout.matchAll(/^✓ ([\w-]+): [1-9]\d* passed, 0 failed$/gmu)];
  expect(passed.map(([, name]) => name)).toEqual([
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ]);
});
