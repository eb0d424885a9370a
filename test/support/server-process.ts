import { spawn } from 'node:child_process';
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
  /** Asks it to end (SIGTERM). @returns how it ended, once it has */
  readonly stop: () => Promise<{ readonly code: number | null; readonly signal: string | null }>;
  /** Until its log matches. */
  readonly says: (pattern: RegExp) => Promise<void>;
};

/** Starts `causeway serve` at a free port and waits until it listens. */
export async function startServer(
  environment: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { PATH: process.env.PATH, CAUSEWAY_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const until = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const [found] = pattern.exec(said) ?? [];
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`The server ended: ${said}`);
      await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
    }
  };
  const url = await until(/http:\/\/127\.0\.0\.1:\d+\/graphql/u);
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
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code, signal] = await ended;
      return { code, signal };
    },
    async says(pattern) {
      await until(pattern);
    },
  };
}
