import { randomUUID } from 'node:crypto';
import { MemoryError } from './errors.ts';

/** What a caller may see of an error. */
export type ToldError = {
  readonly message: string;
  readonly details: { readonly code: string; readonly [detail: string]: unknown };
};

/**
 * A `MemoryError` with its code and public fields, anything else as one unexpected error.
 *
 * @param report  takes what the caller does not see, a bug or why a store is away, with the id that
 * the details have too
 */
export function tellError(
  error: unknown,
  report: (errorId: string, error: unknown) => void,
): ToldError {
  const reported = (): { readonly errorId: string } => {
    const errorId = randomUUID();
    report(errorId, error);
    return { errorId };
  };
  if (!(error instanceof MemoryError)) {
    const details = { code: 'INTERNAL_SERVER_ERROR', ...reported() };
    return { message: 'Unexpected error.', details };
  }
  const { name: _name, message, stack: _stack, cause: _cause, ...fields } = { ...error };
  const { code, retryable } = error;
  const details = { ...fields, code, retryable, ...(retryable && reported()) };
  return { message: error.message, details };
}
