import { Neo4jError } from 'neo4j-driver';
import { StoreOverloadedError, StoreUnavailableError } from '../memory/errors.ts';

/**
 * Neo4j gave up the transaction: it took too long, waited for a lock, or was too large. Of one that
 * waited for a lock it says the same whether time was over or the database is being shut down.
 */
const OVERLOAD_CODES = new Set([
  'Neo.ClientError.Transaction.TransactionTimedOut',
  'Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration',
  'Neo.ClientError.Transaction.Terminated',
  'Neo.ClientError.Transaction.LockClientStopped',
  'Neo.TransientError.Transaction.LockAcquisitionTimeout',
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

/** The connection to Neo4j was closed while it was in use. */
export class GraphClosedError extends Error {
  override readonly name = 'GraphClosedError';

  constructor() {
    super('Expected to get an answer from Neo4j before the end, but the process is closing.');
  }
}

/**
 * Turns what the driver throws into what callers may see: a `StoreUnavailableError` where Neo4j is
 * away or does not let us in, the `StoreOverloadedError` among them where it gave up the work or said
 * nothing in time. Anything else stays what it is.
 */
export function fromNeo4jError(error: unknown): unknown {
  if (error instanceof GraphTimeoutError) return new StoreOverloadedError('neo4j', error);
  if (!(error instanceof Neo4jError)) return error;
  if (OVERLOAD_CODES.has(error.code)) return new StoreOverloadedError('neo4j', error);
  const isAway =
    error.retryable ||
    DRIVER_CODES.has(error.code) ||
    error.code.startsWith('Neo.ClientError.Security.');
  return isAway ? new StoreUnavailableError('neo4j', error) : error;
}

/** Two that make the same constraint or index at once wait for each other, or the later finds it half made. */
const RACE_CODES = new Set([
  'Neo.TransientError.Transaction.DeadlockDetected',
  'Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists',
  'Neo.ClientError.Schema.ConstraintAlreadyExists',
  'Neo.ClientError.Schema.IndexAlreadyExists',
]);

/** Whether a change of the schema, made only where it does not exist, lost to one that makes the same. */
export function isSchemaRace(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  return cause instanceof Neo4jError && RACE_CODES.has(cause.code);
}
