import { randomUUID } from 'node:crypto';
import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import { MemoryError } from '../memory/errors.ts';

/**
 * Turns whatever a resolver threw into what the caller may see: a `MemoryError` with its code and
 * details, an error of the request with a code, or "Unexpected error." with an id that the log has too.
 */
export function maskError(
  error: unknown,
  report: (errorId: string, error: unknown) => void,
): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : null;
  const cause = rootCause(error);

  if (cause instanceof MemoryError) {
    return new GraphQLError(cause.message, {
      ...placeOf(graphqlError),
      extensions: { code: cause.code, retryable: cause.retryable, ...detailsOf(cause) },
    });
  }
  // GraphQL's own error at the root: parsing, validating or coercing the request itself.
  if (graphqlError !== null && cause instanceof GraphQLError) return withCode(graphqlError);

  const errorId = randomUUID();
  report(errorId, cause);
  return new GraphQLError('Unexpected error.', {
    ...placeOf(graphqlError),
    extensions: { code: 'INTERNAL_SERVER_ERROR', errorId },
  });
}

/** Gives an error of the request a code when it has none. */
export function withCode(error: GraphQLError, code = 'BAD_USER_INPUT'): GraphQLError {
  if (typeof error.extensions.code === 'string') return error;
  return new GraphQLError(error.message, {
    ...placeOf(error),
    extensions: { ...error.extensions, code },
  });
}

function rootCause(error: unknown): unknown {
  let cause = error;
  while (cause instanceof GraphQLError && cause.originalError != null) cause = cause.originalError;
  return cause;
}

function placeOf(error: GraphQLError | null): GraphQLErrorOptions {
  if (error === null) return {};
  const { nodes, source, positions, path } = error;
  return {
    ...(nodes && { nodes }),
    ...(source && { source }),
    ...(positions && { positions }),
    ...(path && { path }),
  };
}

/** The public fields of an error beside its message and code: `field`, `expected`, `received`, … */
function detailsOf(error: MemoryError): Record<string, unknown> {
  const { name: _name, message: _message, stack: _stack, cause: _cause, ...details } = { ...error };
  return details;
}
