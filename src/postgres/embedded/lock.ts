import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DataFolderLockedError } from './errors.ts';

/** A sign of life, for those who cannot ask about our process: the time of the lock file. */
const HEARTBEAT_MS = 5_000;

/** Without a sign of life for so long, a holder on another host (or container) counts as gone. */
const SILENT_MS = 60_000;

/** A lock file may be empty for the moment between its making and its writing. */
const UNWRITTEN_MS = 5_000;

const HOLDER = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** When the lock was taken, ISO 8601. */
  startedAt: z.iso.datetime(),
  /** When the process started, as its kernel counts; null where that cannot be told. */
  processStart: z.string().nullable(),
  /** Tells this lock from every other. */
  token: z.uuid(),
});

type Holder = z.infer<typeof HOLDER>;

/**
 * Takes the data folder for this process: the embedded engine has no lock of its own, and two
 * openers lose each other's rows in silence. The lock goes with `release`, and with the process;
 * one left by a killed process is taken over.
 *
 * @returns release; safe to repeat
 * @throws {DataFolderLockedError} if another process, or this one, holds it
 */
export function lockDataFolder(dataFolder: string): () => void {
  const path = join(dataFolder, 'causeway.lock');
  const token = takeLock(dataFolder, path);

  const heartbeat = setInterval(() => touch(path), HEARTBEAT_MS).unref();
  const release = () => {
    clearInterval(heartbeat);
    process.off('exit', release);
    if (readLock(path)?.holder?.token === token) rmSync(path, { force: true });
  };
  process.on('exit', release);
  return release;
}

/**
 * Makes the lock file, or takes over a stale one. Of several who find the same stale lock, one may
 * replace it: who holds a second lock, named after the stale one, and still finds it in place.
 */
function takeLock(dataFolder: string, path: string): string {
  const mine = describeThisProcess();
  for (;;) {
    try {
      writeFileSync(path, JSON.stringify(mine), { flag: 'wx' });
      return mine.token;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }

    const found = readLock(path);
    if (found === null) continue; // released meanwhile
    if (isHeld(found)) throw new DataFolderLockedError(dataFolder, found.holder);

    const claim = `${path}.${found.holder?.token ?? 'unwritten'}`;
    takeLock(dataFolder, claim);
    try {
      const now = readLock(path);
      if (now !== null && now.holder?.token === found.holder?.token) {
        const draft = `${path}.${mine.token}`;
        writeFileSync(draft, JSON.stringify(mine));
        renameSync(draft, path);
        return mine.token;
      }
    } finally {
      rmSync(claim, { force: true });
    }
  }
}

type Lock = { readonly holder: Holder | null; readonly ageMs: number };

/** Null when there is no lock; a holder of null when the file is not, or not yet, a lock's. */
function readLock(path: string): Lock | null {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs;
    return { holder: parseHolder(readFileSync(path, 'utf8')), ageMs };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

function parseHolder(text: string): Holder | null {
  try {
    return HOLDER.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function isHeld({ holder, ageMs }: Lock): boolean {
  if (holder === null) return ageMs < UNWRITTEN_MS;
  if (holder.host !== hostname()) return ageMs < SILENT_MS;
  if (holder.processStart !== null) return holder.processStart === processStart(holder.pid);
  if (holder.pid === process.pid) return Date.parse(holder.startedAt) >= processStartMs();
  return isAlive(holder.pid);
}

function describeThisProcess(): Holder {
  return {
    pid: process.pid,
    host: hostname(),
    startedAt: new Date().toISOString(),
    processStart: processStart(process.pid),
    token: crypto.randomUUID(),
  };
}

/**
 * Boot of the machine and start of the process in clock ticks after it, from Linux' /proc: no two
 * processes share both, though process ids return, in a container at every start. Null for a
 * process that is gone or only waits to be buried, and where there is no /proc.
 *
 * Source: proc_pid_stat(5), fields 3 (state) and 22 (starttime).
 */
function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, and may hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`;
  } catch {
    return null;
  }
}

function processStartMs(): number {
  return Date.now() - process.uptime() * 1_000;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to someone else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function touch(path: string): void {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // The folder is away: the engine will say so.
  }
}
