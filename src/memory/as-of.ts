import { InvalidInputError } from './errors.ts';
import { parseInstant } from './instant.ts';
import type { AsOf } from './view.ts';

/** A point of both times as a caller writes it, RFC 3339. */
export type AsOfInput = {
  readonly validAt?: string | null | undefined;
  readonly recordedAt?: string | null | undefined;
};

/**
 * The instant of a read of the past. `recordedAt` left out is now; one that lies in the future is
 * now too, since nothing of what will be recorded is known yet.
 *
 * @param now  milliseconds UTC
 * @throws {InvalidInputError} naming `asOf`, `asOf.validAt` or `asOf.recordedAt`: when neither is
 * given, or one is no RFC 3339 instant with an offset
 */
export function parseAsOf({ validAt, recordedAt }: AsOfInput, now: number): AsOf {
  if (validAt == null && recordedAt == null) {
    throw new InvalidInputError('asOf', 'validAt, recordedAt or both', 'neither');
  }
  const recorded = recordedAt == null ? now : parseInstant(recordedAt, 'asOf.recordedAt');
  return {
    validAt: validAt == null ? null : parseInstant(validAt, 'asOf.validAt'),
    recordedAt: Math.min(recorded, now),
  };
}
