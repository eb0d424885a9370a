import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withCode } from '../schema/mask-error.ts';

/** Gives a code to every error that leaves, whichever layer refused the request. */
export function useErrorCodes(): Plugin {
  return {
    onParse() {
      return ({ result, replaceParseResult }) => {
        if (result instanceof GraphQLError) {
          replaceParseResult(withCode(result, 'GRAPHQL_PARSE_FAILED'));
        }
      };
    },
    onValidate() {
      return ({ valid, result, setResult }) => {
        if (valid) return;
        const errors: readonly Error[] = result;
        setResult(
          errors.map((error) =>
            error instanceof GraphQLError ? withCode(error, 'GRAPHQL_VALIDATION_FAILED') : error,
          ),
        );
      };
    },
    onExecutionResult({ result, setResult }) {
      if (result === undefined || Array.isArray(result) || !('errors' in result)) return;
      setResult({ ...result, errors: (result.errors ?? []).map((error) => withCode(error)) });
    },
  };
}
