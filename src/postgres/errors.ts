import { DatabaseError } from 'pg';
import { StoreOverloadedError, StoreUnavailableError } from '../memory/errors.ts';

/** SQLSTATE classes in which Postgres is away, full, shutting down, or stopped the statement. */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57']);

/** Failures of the socket itself, which carry no SQLSTATE. */
const SOCKET_CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** The statement was stopped: its time was over, or an operator did. */
const OUT_OF_TIME = '57014';

/** After these the server closes the connection: shut-downs, and time limits on idle transactions. */
const CLOSING_CODES = new Set(['25P03', '25P04', '57P01', '57P02', '57P03', '57P04', '57P05']);

/**
 * Turns what pg throws into what callers may see: a `StoreUnavailableError` where Postgres is away,
 * full, or has run out of time for the statement, then a `StoreOverloadedError`. Anything else stays
 * what it is.
 */
export function fromPostgresError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === OUT_OF_TIME) return new StoreOverloadedError('postgres', error);
  const isUnavailable = SOCKET_CODES.has(code) || UNAVAILABLE_CLASSES.has(code.slice(0, 2));
  return isUnavailable ? new StoreUnavailableError('postgres', error) : error;
}

/** A login that is refused, and a database that is not there: both are mended without the caller. */
const NOT_LET_IN = new Set(['28', '3D']);

/**
 * As `fromPostgresError`, for a connection that could not be had: whatever is not Postgres' own
 * answer counts as away, time limits of pg included, which carry no code; and so do a refused login
 * and an unknown database.
 */
export function fromConnectError(error: unknown): unknown {
  const isKnown = error instanceof DatabaseError && !NOT_LET_IN.has(codeOf(error).slice(0, 2));
  return isKnown ? fromPostgresError(error) : new StoreUnavailableError('postgres', error);
}

/** Whether the server closes the connection after this error. */
export function endsConnection(error: unknown): boolean {
  const code = codeOf(error);
  return CLOSING_CODES.has(code) || code.startsWith('08');
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
