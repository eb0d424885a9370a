import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** The real program, listening. */
export type ServerProcess = {
  readonly url: string;
  /** Sends one operation and answers its data. @throws when there are errors, or no answer */
  readonly ask: (query: string, variables?: object) => Promise<Record<string, unknown>>;
  /** What `/health/ready` says. */
  readonly readiness: () => Promise<unknown>;
  /** As a crash would (SIGKILL); safe to repeat. */
  readonly kill: () => Promise<void>;
};

/** Starts `causeway serve` at a free port and waits until it listens. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { PATH: process.env.PATH, CAUSEWAY_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const url = await addressOf(child);
  return {
    url,
    async ask(query, variables = {}) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = await response.json();
      if (errors !== undefined) throw new Error(JSON.stringify(errors));
      return data;
    },
    readiness: async () => (await fetch(new URL('/health/ready', url))).json(),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+\/graphql/u.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
  }
  child.once('exit', () => reject(new Error(`The server ended: ${said}`)));
  return promise;
}
