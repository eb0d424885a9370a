import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
/** Some starts of the program, each with a store to open, on a busy machine. */
const SEVERAL_STARTS_MS = 90_000;

let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-serve-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
});

const isLocked = (): boolean => existsSync(join(folder, 'causeway.lock'));

/** Starts the real program and collects what it says. */
function start(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { PATH: process.env.PATH, CAUSEWAY_DATA: folder, CAUSEWAY_PORT: '0', ...environment },
  });
  children.push(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    return { code, signal, ...said };
  });

  /** Until the log matches; fails when the program ends without it. */
  const says = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(said.stdout);
      if (found !== null) return found;
      if (isOver) throw new Error(`It ended: ${child.signalCode} ${said.stdout}${said.stderr}`);
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  };
  return { child, says, ended };
}

async function startServing() {
  const server = start();
  const [, port = ''] = await server.says(/http:\/\/127\.0\.0\.1:(\d+)\/graphql/u);
  return { ...server, port: Number(port), url: `http://127.0.0.1:${port}/graphql` };
}

const linesOf = (log: string): Record<string, unknown>[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test(
  'ends with one line and gives the store back when the port is taken',
  async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;

    const { code, stderr } = await start({ CAUSEWAY_PORT: String(port) }).ended;
    other.close();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `CAUSEWAY_PORT: expected a free port, but port ${port} is taken. Set another one, or 0 for any free one.\n`,
    );
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'refuses settings that do not fit before it opens a store',
  async () => {
    const { code, stderr } = await start({ CAUSEWAY_PORT: '', CAUSEWAY_DEPTH: '3' }).ended;

    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      'CAUSEWAY_DEPTH: there is no such variable; did you mean CAUSEWAY_DATA?',
      'CAUSEWAY_PORT: expected a whole number from 0 to 65535, but got "".',
    ]);
    expect(existsSync(join(folder, 'postgres'))).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'closes the store on %s, also when it comes more than once',
  async (signal) => {
    const { child, says, ended } = await startServing();

    child.kill(signal);
    await says(new RegExp(signal, 'u'));
    child.kill(signal);
    child.kill('SIGINT');
    const { code, signal: endedBy, stderr } = await ended;

    expect({ code, endedBy, stderr }).toEqual({ code: 0, endedBy: null, stderr: '' });
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'answers a running request before it ends, and takes no new one',
  async () => {
    const { child, says, ended, port, url } = await startServing();
    const body = JSON.stringify({
      query: 'mutation Late { createProject(input: { name: "late" }) { __typename } }',
    });
    const running = request(url, {
      method: 'POST',
      // Kept alive, so that the connection alone would stay.
      agent: new Agent({ keepAlive: true }),
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    });
    const answered = once(running, 'response');
    answered.catch(() => {});
    running.write(body.slice(0, 10));
    await fetch(url, { method: 'OPTIONS' });

    child.kill('SIGTERM');
    await says(/SIGTERM/u);
    await expect(fetch(`http://127.0.0.1:${port}/graphql`)).rejects.toThrow('fetch failed');
    running.end(body.slice(10));
    const [response] = await answered;
    const text = Buffer.concat(await Array.fromAsync<Buffer>(response)).toString();
    const { code, stdout } = await ended;

    expect(JSON.parse(text).data.createProject.__typename).toBe('CreateProjectSuccess');
    expect(code).toBe(0);
    expect(linesOf(stdout)).toContainEqual(
      expect.objectContaining({ msg: 'request', operation: 'Late', status: 200 }),
    );
    expect(isLocked()).toBe(false);
  },
  SEVERAL_STARTS_MS,
);

test(
  'logs one line for each request, without the texts of pages',
  async () => {
    const { child, ended, url } = await startServing();
    const ask = async (query: string) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(url, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query }),
      });
      return response.json();
    };
    await ask('mutation Make { createProject(input: { name: "notes" }) { __typename } }');
    await ask(
      'mutation Write { writePage(input: { project: "notes", page: { path: "a", title: "mellon", body: "mellon" } }) { __typename } }',
    );
    await ask('query Find { recall(input: { text: "mellon" }) { hits { page { title } } } }');
    await ask('query Wrong { node(id: "mellon") { id } }');

    child.kill('SIGTERM');
    const { stdout } = await ended;

    const requests = linesOf(stdout).filter(({ msg }) => msg === 'request');
    expect(requests.map(({ operation, errorCodes }) => [operation, errorCodes])).toEqual([
      ['Make', []],
      ['Write', []],
      ['Find', []],
      ['Wrong', ['INVALID_INPUT']],
    ]);
    expect(stdout).not.toContain('mellon');
  },
  SEVERAL_STARTS_MS,
);
