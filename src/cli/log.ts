import pino from 'pino';
import { MemoryError, StoreUnavailableError } from '../memory/errors.ts';

/** @param to  a file descriptor; standard output belongs to the protocol where that is spoken on it */
export function createLog(to: 1 | 2) {
  const options = { base: null, serializers: { err: withoutDetails } };
  return pino(options, pino.destination(to));
}

/** Logs what callers do not see: a bug, or why a store is away. */
export function reportTo(log: pino.Logger) {
  return (errorId: string | null, error: unknown): void => {
    if (error instanceof StoreUnavailableError) {
      log.warn({ errorId, err: error }, 'a store does not answer');
    } else if (error instanceof MemoryError) {
      log.warn({ errorId, err: error }, 'told to come back later');
    } else {
      log.error({ errorId, err: error }, 'unexpected error');
    }
  };
}

/** A driver's error may quote whole rows in its details; the log takes none. */
function withoutDetails(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error);
  return { type, message, stack, code };
}
