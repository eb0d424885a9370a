import { GraphQLError, type GraphQLErrorOptions } from 'graphql';
import { tellError } from '../memory/error-details.ts';
import { shortenMessage } from '../memory/shown-text.ts';

/**
 * Turns whatever a resolver threw into what the caller may see: a `MemoryError` with its code and
 * details, an error of the request with a code, or "Unexpected error.".
 *
 * @param report  takes what the caller does not see, a bug or why a store is away, with the id that
 * the answer has too
 */
export function maskError(
  error: unknown,
  report: (errorId: string, error: unknown) => void,
): GraphQLError {
  const graphqlError = error instanceof GraphQLError ? error : null;
  const cause = rootCause(error);
  if (graphqlError !== null && cause instanceof GraphQLError && isOfRequest(graphqlError, cause)) {
    return withCode(graphqlError);
  }
  const { message, details } = tellError(cause, report);
  return new GraphQLError(message, { ...placeOf(graphqlError), extensions: details });
}

/**
 * Whether GraphQL's own error is about what was asked: the request as a whole, or an argument, which
 * it points at. One of a field that points at nothing is about what a resolver answered.
 */
function isOfRequest({ path }: GraphQLError, cause: GraphQLError): boolean {
  return (
    path === undefined || cause.nodes !== undefined || typeof cause.extensions.code === 'string'
  );
}

/**
 * Gives an error of the request a code when it has none, and bounds its message: GraphQL's own repeat
 * what came, whatever its length.
 */
export function withCode(error: GraphQLError, code = 'BAD_USER_INPUT'): GraphQLError {
  const message = shortenMessage(error.message);
  const isCoded = typeof error.extensions.code === 'string';
  if (isCoded && message === error.message) return error;
  return new GraphQLError(message, {
    ...placeOf(error),
    extensions: { ...error.extensions, ...(!isCoded && { code }) },
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
