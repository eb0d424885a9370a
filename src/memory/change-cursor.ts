import { z } from 'zod';
import { decodePlace, encodePlace } from './cursor.ts';
import { InvalidInputError, MemoryError } from './errors.ts';

const CursorSchema = z.tuple([z.literal('c1'), z.int().min(0)]);

/** A place in the tenant's log of changes as opaque text; pages and edges share the log. */
export function toChangeCursor(sequence: number): string {
  return encodePlace(['c1', sequence]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of a change */
export function parseChangeCursor(cursor: string): number {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  if (parsed.success) return parsed.data[1];
  throw new InvalidInputError('after', 'the cursor of a change', cursor);
}

/** Changes after the cursor are gone from the log, or it is of a log that was put back since. */
export class CursorExpiredError extends MemoryError {
  override readonly name = 'CursorExpiredError';
  readonly code = 'CURSOR_EXPIRED';
  readonly field = 'after';

  constructor() {
    super(
      'after: expected a cursor that every later change is still kept for, but got an expired one. Read what you need anew, then subscribe without `after`.',
    );
  }
}
