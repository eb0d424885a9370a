import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openEmbedded } from '../../src/postgres/embedded/open.ts';
import { readContent } from './store-content.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

/** Several starts of the program, each with a store to open, on a busy machine. */
export const SEVERAL_STARTS_MS = 120_000;

export type Ended = {
  readonly status: number | null;
  /** Its lines. */
  readonly stderr: readonly string[];
  readonly stdout: string;
};

export type ImportFolder = Awaited<ReturnType<typeof createImportFolder>>;

/** A folder for files and stores, and the real program to bring one into the other; close it when done. */
export async function createImportFolder() {
  const path = await mkdtemp(join(tmpdir(), 'causeway-import-'));
  const children: ChildProcess[] = [];

  /** Starts a program of Node with a folder of the store; it is killed at the latest when all ends. */
  const start = (
    program: string,
    args: readonly string[],
    store = 'store',
    environment: Readonly<Record<string, string>> = {},
  ): ChildProcess => {
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, CAUSEWAY_DATA: join(path, store), ...environment },
    });
    children.push(child);
    return child;
  };

  const run = async (
    args: readonly string[],
    store = 'store',
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Ended> => {
    const child = start(PROGRAM, args, store, environment);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.setEncoding('utf8').on('data', (text: string) => {
        output[name] += text;
      });
    }
    const [status] = await once(child, 'close');
    const stderr = output.stderr.split('\n').filter((line) => line !== '');
    return { status, stderr, stdout: output.stdout };
  };

  return {
    path,
    start,
    run,

    /** Makes a file of lines, packed when its name ends in `.gz`. */
    async write(name: string, lines: readonly string[]): Promise<string> {
      const file = join(path, name);
      const text = lines.map((line) => `${line}\n`).join('');
      await writeFile(file, name.endsWith('.gz') ? gzipSync(text) : text);
      return file;
    },

    async importFile(
      file: string,
      { json = false, store = 'store', project = 'notes' } = {},
    ): Promise<Ended> {
      return run([...importArgs(file, project), ...(json ? ['--json'] : [])], store);
    },

    /** Starts an import and kills it once it says something; answers the signal that it ended by. */
    async importUntil(file: string, said: string): Promise<NodeJS.Signals | null> {
      const child = start(PROGRAM, importArgs(file, 'notes'));
      await waitFor(child, 'stderr', said);
      await kill(child);
      return child.signalCode;
    },

    async readStore(store = 'store') {
      const database = await openEmbedded({ dataFolder: join(path, store) });
      try {
        return await readContent(database);
      } finally {
        await database.close();
      }
    },

    async close(): Promise<void> {
      for (const child of children) await kill(child);
      await rm(path, { recursive: true, force: true });
    },
  };
}

export function page(key: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ type: 'page', key, title: `Page ${key}`, ...fields });
}

export function edge(from: string, kind: string, to: string, fields = {}): string {
  return JSON.stringify({ type: 'edge', from, to, kind, ...fields });
}

/** Until a line of a child's output begins so. */
export async function waitFor(
  child: ChildProcess,
  name: 'stdout' | 'stderr',
  said: string,
): Promise<void> {
  const output = child[name];
  if (output === null) throw new Error(`The child has no ${name}.`);
  for await (const line of createInterface({ input: output })) if (line.startsWith(said)) return;
  throw new Error(`The child ended without saying ${said}.`);
}

function importArgs(file: string, project: string): string[] {
  return ['import', 'jsonl', file, '--project', project];
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
