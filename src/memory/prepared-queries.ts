import type { CompleteQuery } from './complete-query.ts';
import type { QueryMeaning } from './query-meaning.ts';
import type { Run, RunContext, RunId } from './run.ts';

/** Queries that are kept prepared, of all runs together; the one that was least recently used goes first. */
export const MAX_PREPARED = 128;

/** A query that was checked, beside its vector and what that rests on. */
export type PreparedQuery = {
  readonly query: CompleteQuery;
  readonly meaning: QueryMeaning;
  readonly context: RunContext;
  /** Milliseconds UTC. */
  readonly expiresAt: number;
};

type Key = { readonly run: Run; readonly digest: string };

export type PreparedQueries = {
  readonly size: number;
  set(key: Key, prepared: PreparedQuery): void;
  /** Counts as a use. */
  find(key: Key): PreparedQuery | null;
  delete(key: Key): void;
  deleteRun(id: RunId): void;
};

export function createPreparedQueries(): PreparedQueries {
  /** In the order of use: a map keeps the order in which its keys were set. */
  const entries = new Map<string, PreparedQuery & { readonly runId: RunId }>();

  const touch = (key: string, entry: PreparedQuery & { readonly runId: RunId }) => {
    entries.delete(key);
    entries.set(key, entry);
  };

  return {
    get size() {
      return entries.size;
    },
    set(key, prepared) {
      touch(toText(key), { ...prepared, runId: key.run.id });
      const [oldest] = entries.keys();
      if (entries.size > MAX_PREPARED && oldest !== undefined) entries.delete(oldest);
    },
    find(key) {
      const found = entries.get(toText(key));
      if (found === undefined) return null;
      touch(toText(key), found);
      return found;
    },
    delete(key) {
      entries.delete(toText(key));
    },
    deleteRun(id) {
      for (const [key, { runId }] of entries) if (runId === id) entries.delete(key);
    },
  };
}

function toText({ run, digest }: Key): string {
  return JSON.stringify([run.principal.tenant, run.id, digest]);
}
