import type { Database } from './postgres/connect.ts';
import { pruneIdempotencyKeys } from './postgres/prune-idempotency.ts';
import { pruneOutbox } from './postgres/prune-outbox.ts';

/** What is pruned is kept for days, so its end need not be met to the minute. */
const PRUNE_EVERY_MS = 60 * 60 * 1_000;

/** After a start: a process that never lives for an hour prunes too, but not before it is of use. */
const FIRST_PRUNE_MS = 60 * 1_000;

/**
 * Removes what is old from a store, now and then, for as long as the process lives.
 *
 * @param isProjected  whether a graph database is served
 * @param report       takes what went wrong; the next time tries again
 * @returns stop
 */
export function startPruning(
  database: Database,
  {
    isProjected,
    report,
  }: {
    readonly isProjected: boolean;
    readonly report: (message: string, error: unknown) => void;
  },
): () => void {
  const prune = async () => {
    const now = Date.now();
    await pruneOutbox(database, { now, isProjected }).catch((error) =>
      report('old changes could not be removed and will be next time', error),
    );
    await pruneIdempotencyKeys(database, { now }).catch((error) =>
      report('old idempotency keys could not be removed and will be next time', error),
    );
  };
  const first = setTimeout(prune, FIRST_PRUNE_MS).unref();
  const later = setInterval(prune, PRUNE_EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}
