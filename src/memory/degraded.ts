import { StoreUnavailableError } from './errors.ts';
import { inTime } from './in-time.ts';

/** Why an arm that took no part did not. */
export type Degraded = {
  readonly arm: 'DENSE' | 'GRAPH';
  /**
   * `HISTORICAL`: there are no vectors of the past. `FAILED`: it could not answer, or not in time.
   * `UNPREPARED`: the query was to use a prepared vector, and there was none for it.
   */
  readonly reason: 'HISTORICAL' | 'FAILED' | 'UNPREPARED';
};

/** Takes note that the answer goes out without an arm, and why. */
export type DoWithout = (arm: Degraded['arm'], error: unknown) => void;

/**
 * Most time for the encoder, for the search by meaning, and for the graph; the answer goes out
 * without an arm that is late.
 */
export const ARM_DEADLINE_MS = 5_000;

/** What an arm found; null when its store is away or it is late. @throws what is neither: a bug */
export async function orWithout<Found>(
  arm: Degraded['arm'],
  work: Promise<Found>,
  doWithout: DoWithout,
): Promise<Found | null> {
  const ended = work.then(
    (found) => ({ found }),
    (error: unknown) => ({ error }),
  );
  const result = await inTime(ended, ARM_DEADLINE_MS).catch((late: unknown) => ({ late }));
  if ('found' in result) return result.found;
  if ('error' in result && !(result.error instanceof StoreUnavailableError)) throw result.error;
  doWithout(arm, 'late' in result ? result.late : result.error);
  return null;
}
