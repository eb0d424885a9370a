import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startServer } from '../support/server-process.ts';

const run = promisify(execFile);
const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const PROGRAM = fileOf('../../src/cli/main.ts');
const INSPECTOR = fileOf(
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
/** Some starts of programs, each with a store to open, on a busy machine. */
const SEVERAL_STARTS_MS = 120_000;

/** Far apart, since a process may be slow. */
const UNTIL = { timeout: 60_000, interval: 20 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-mcp-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const environment = () => ({ PATH: process.env.PATH ?? '', CAUSEWAY_DATA: folder });
const isLocked = (): boolean => existsSync(join(folder, 'causeway.lock'));

const message = (id: number, method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

const initialize = (id: number) =>
  message(id, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });

const linesOf = (said: string) =>
  said
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Starts the program as a client does that speaks nothing but lines. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', ...args], { env: environment() });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, ended, stdout: readText(child.stdout), stderr: readText(child.stderr) };
}

/** A client of its own process, whose program starts in its turn. */
function startClient(said: readonly string[]): ChildProcess {
  const command = [process.execPath, PROGRAM, 'mcp'];
  const script = `
    const [command, ...args] = ${JSON.stringify(command)};
    const { stdin } = require('node:child_process').spawn(command, args);
    for (const line of ${JSON.stringify(said)}) stdin.write(line);
    setInterval(() => {}, 1_000);`;
  return spawn(process.execPath, ['-e', script], { env: environment() });
}

async function connect(...args: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', ...args],
    env: environment(),
  });
  await client.connect(transport);
  return client;
}

/** What the inspector prints for one call. */
async function inspect(...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await run(process.execPath, [INSPECTOR, '--cli', ...args], {
    // It keeps a folder in the home of its user.
    env: { ...process.env, HOME: folder },
  });
  return JSON.parse(stdout);
}

test(
  'an agent writes and finds pages of the project that it was started for, from nothing',
  async () => {
    const client = await connect('--project', 'notes');

    const written = await client.callTool({
      name: 'memory_write',
      arguments: { path: 'rules/retry', title: 'Retry twice, never more', kind: 'RULE' },
    });
    const found = await client.callTool({
      name: 'memory_search',
      arguments: { query: 'how often do we retry?' },
    });
    await client.close();
    const again = await connect();
    const kept = await again.callTool({ name: 'memory_page', arguments: { page: 'rules/retry' } });
    await again.close();

    expect(JSON.stringify(written)).toContain('Created notes:rules/retry, version 1.');
    expect(JSON.stringify(found)).toContain(
      '1. notes:rules/retry “Retry twice, never more” [RULE]',
    );
    expect(JSON.stringify(kept)).toContain('# Retry twice, never more');
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'standard output has nothing but the protocol, and its end is the end of the program',
  async () => {
    const { child, ended, stdout, stderr } = start();
    child.stdin.write('no json\n');
    child.stdin.write(initialize(1));
    child.stdin.write(message(2, 'tools/list'));
    child.stdin.write(message(3, 'nonsense'));
    child.stdin.write(message(4, 'resources/read', { uri: 7 }));
    child.stdin.end('{"jsonrpc":"2.0","id":5,"method":"ping"}');

    const lines = linesOf(await stdout);

    expect(await ended).toBe(0);
    expect(lines.map(({ id, error }) => [id, error?.code]).toSorted()).toEqual([
      [null, -32700],
      [1, undefined],
      [2, undefined],
      [3, -32601],
      [4, -32602],
      [5, undefined],
    ]);
    expect(await stderr).toBe('');
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'a line that is too long is refused, and the next one answered',
  async () => {
    const { child, ended, stdout } = start();
    child.stdin.write(initialize(1));
    const query = 'q'.repeat(17 * 1024 * 1024);
    const search = { name: 'memory_search', arguments: { query } };
    child.stdin.write(message(2, 'tools/call', search));
    child.stdin.end(message(3, 'tools/list'));

    const lines = linesOf(await stdout);

    expect(await ended).toBe(0);
    expect(lines.map(({ id, error }) => [id, error])).toEqual([
      [null, { code: -32600, message: 'Expected a line of at most 16777216 bytes.' }],
      [1, undefined],
      [3, undefined],
    ]);
  },
  SEVERAL_STARTS_MS,
);

test(
  'what was asked for before the end of the input is done',
  async () => {
    const { child, ended, stdout } = start('--project', 'notes');
    const page = { path: 'rules/retry', title: 'Retry twice' };
    child.stdin.write(initialize(1));
    child.stdin.end(message(2, 'tools/call', { name: 'memory_write', arguments: page }));

    const lines = linesOf(await stdout);

    expect(await ended).toBe(0);
    expect(lines.at(-1)).toMatchObject({
      id: 2,
      result: { content: [{ text: 'Created notes:rules/retry, version 1.' }] },
    });
  },
  SEVERAL_STARTS_MS,
);

test.each([
  ['said nothing yet', []],
  ['waits for an answer', [initialize(1), message(2, 'tools/list')]],
])(
  'gives the store back when its client is killed during the start and %s',
  async (_what, said) => {
    const client = startClient(said);
    await vi.waitUntil(isLocked, UNTIL);

    client.kill('SIGKILL');

    await vi.waitUntil(() => !isLocked(), UNTIL);
  },
  SEVERAL_STARTS_MS,
);

test(
  'closes the store on a signal',
  async () => {
    const { child, ended } = start();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    await new Promise((resolve) => child.stdout.once('data', resolve));

    child.kill('SIGTERM');

    expect(await ended).toBe(0);
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'gives the store back when its project has no name that it could have',
  async () => {
    const { ended, stdout, stderr } = start('--project', 'a:b');

    expect(await ended).toBe(1);
    expect(await stdout).toBe('');
    expect(await stderr).toMatch(/^name: expected a name without : \/ .*, but got a:b\.\n$/u);
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'leads to the server that has the data folder already',
  async () => {
    const server = await startServer({ CAUSEWAY_DATA: folder });
    const { ended, stdout, stderr } = start();

    const code = await ended;
    await server.kill();

    expect([code, await stdout]).toEqual([1, '']);
    expect((await stderr).split('\n').filter((line) => line !== '')).toEqual([
      'Where that is `causeway serve`, connect the agent to it instead: http://127.0.0.1:4000/mcp',
      expect.stringMatching(/^The data folder .* is in use by process \d+ /u),
    ]);
  },
  SEVERAL_STARTS_MS,
);

test(
  'the inspector lists and calls the tools of a server, and has nothing against their schemas',
  async () => {
    const server = await startServer({ CAUSEWAY_DATA: folder });
    const url = new URL('/mcp', server.url).href;
    await server.ask('mutation { createProject(input: { name: "notes" }) { __typename } }');

    const { tools } = await inspect(url, '--method', 'tools/list', '--strict');
    const call = ['--method', 'tools/call', '--tool-name', 'memory_write'];
    const written = await inspect(
      url,
      ...call,
      '--tool-arg',
      'path=a',
      '--tool-arg',
      'title=A page',
    );
    await server.kill();

    expect(tools).toHaveLength(6);
    expect(written.content).toEqual([{ type: 'text', text: 'Created notes:a, version 1.' }]);
  },
  SEVERAL_STARTS_MS,
);

test(
  'the inspector lists and calls the tools over standard input and output',
  async () => {
    const program = [process.execPath, PROGRAM, 'mcp'];
    const data = ['-e', `CAUSEWAY_DATA=${folder}`];

    const { tools } = await inspect(...data, '--method', 'tools/list', '--strict', ...program);
    // An option of many values takes all up to the next option.
    const call = ['--tool-arg', 'query=anything', '--tool-name', 'memory_search'];
    const found = await inspect(...data, ...call, '--method', 'tools/call', ...program);

    expect(tools).toHaveLength(6);
    expect(found.content).toEqual([{ type: 'text', text: 'Nothing found.' }]);
  },
  SEVERAL_STARTS_MS,
);
