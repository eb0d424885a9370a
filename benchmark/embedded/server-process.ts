import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** A run of the command line that has ended. */
export type Finished = {
  readonly seconds: number;
  readonly peakMiB: number;
  readonly output: string;
};

/** Runs a verb to its end. @throws when it ends with anything but 0 */
export async function runVerb(args: readonly string[], dataFolder: string): Promise<Finished> {
  const start = performance.now();
  const child = startVerb(args, dataFolder);
  const output = collect(child);
  const memory = watchMemory(child);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  const peakMiB = memory.stop();
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${output()}`);
  return { seconds: (performance.now() - start) / 1000, peakMiB, output: output() };
}

/** A server that answers, and how long it took from its start to the first answer. */
export type RunningServer = {
  readonly url: string;
  readonly startSeconds: number;
  readonly peakMiB: () => number;
  /** @returns what its log says of each request */
  readonly stop: () => Promise<readonly LoggedRequest[]>;
};

const LOGGED_REQUEST = z.object({
  msg: z.literal('request'),
  operation: z.string().nullable(),
  storeCalls: z.number(),
});

export type LoggedRequest = z.infer<typeof LOGGED_REQUEST>;

export async function startServer(dataFolder: string): Promise<RunningServer> {
  const start = performance.now();
  const child = startVerb(['serve'], dataFolder);
  const output = collect(child);
  const memory = watchMemory(child);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The server ended:\n${output()}`)));
    child.stdout?.on('data', () => {
      const found = /http:\/\/\S+\/graphql/u.exec(output());
      if (found !== null) resolve(found[0]);
    });
  });
  await ask(url, '{ viewer { name } }', {});
  return {
    url,
    startSeconds: (performance.now() - start) / 1000,
    peakMiB: memory.peak,
    async stop() {
      // Closed once all that it said has been read.
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      await ended;
      memory.stop();
      return output()
        .split('\n')
        .flatMap((line) => {
          const parsed = line.startsWith('{') ? LOGGED_REQUEST.safeParse(JSON.parse(line)) : null;
          return parsed?.success ? [parsed.data] : [];
        });
    },
  };
}

/** Sends one operation; answers its data. @throws when there are errors */
export async function ask<Data>(url: string, query: string, variables: object): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

function startVerb(args: readonly string[], dataFolder: string): ChildProcess {
  return spawn(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: ROOT,
    env: {
      ...process.env,
      CAUSEWAY_DATA: dataFolder,
      CAUSEWAY_PORT: '0',
      // Empty is as good as not there: the embedded store is what is measured.
      DATABASE_URL: '',
      NEO4J_URI: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

/** The high-water mark of resident memory, MiB; NaN where /proc does not say. */
function watchMemory(child: ChildProcess): { peak: () => number; stop: () => number } {
  let peakMiB = Number.NaN;
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      // A process that has ended but is not yet gone says nothing of its memory.
      const found = /VmHWM:\s+(\d+)/u.exec(status)?.[1];
      if (found !== undefined) peakMiB = Number(found) / 1024;
    } catch {
      // Not Linux, or it has just ended.
    }
  }, 100);
  return {
    peak: () => peakMiB,
    stop() {
      clearInterval(timer);
      return peakMiB;
    },
  };
}
