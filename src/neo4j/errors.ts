import { Neo4jError } from 'neo4j-driver';
import { StoreUnavailableError } from '../memory/errors.ts';

/** Neo4j is there, but stopped the transaction: out of time, out of memory, or going down. */
const STOPPED_CODES = new Set([
  'Neo.ClientError.Transaction.TransactionTimedOut',
  'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
  'Neo.ClientError.Transaction.TransactionTerminated',
  'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
]);

/** What the driver itself says: no server, no connection in time, a connection that broke. */
const DRIVER_CODES = new Set(['ServiceUnavailable', 'SessionExpired', 'N/A']);

/** More than is waited for an answer: told to the reader as a store that is away. */
export class GraphTimeoutError extends Error {
  override readonly name = 'GraphTimeoutError';

  constructor(timeoutMs: number) {
    super(`Expected an answer from Neo4j within ${timeoutMs} ms, but none came.`);
  }
}

/**
 * Turns what the driver throws into what callers may see: a `StoreUnavailableError` where Neo4j is
 * away, does not let us in, has stopped the transaction, or is out of time. Anything else stays
 * what it is.
 */
export function fromNeo4jError(error: unknown): unknown {
  if (error instanceof GraphTimeoutError) return new StoreUnavailableError('neo4j', error);
  if (!(error instanceof Neo4jError)) return error;
  const isAway =
    error.retryable ||
    DRIVER_CODES.has(error.code) ||
    STOPPED_CODES.has(error.code) ||
    error.code.startsWith('Neo.ClientError.Security.');
  return isAway ? new StoreUnavailableError('neo4j', error) : error;
}
