import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withCode } from '../schema/mask-error.ts';
import { refusal } from './refusal.ts';

/** Refusals of HTTP itself, which would be answered with nothing but their number. */
const REFUSALS: Readonly<Record<number, { readonly code: string; readonly message: string }>> = {
  404: { code: 'NOT_FOUND', message: 'Path: expected /graphql or /mcp, but got another.' },
  406: {
    code: 'NOT_ACCEPTABLE',
    message: 'Accept: expected application/graphql-response+json or application/json in it.',
  },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', message: 'Content-Type: expected application/json.' },
};

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
    onResponse({ response, setResponse }) {
      const known = REFUSALS[response.status];
      const says = response.headers.get('content-type') ?? '';
      if (known === undefined || says.includes('json')) return;
      setResponse(refusal(response.status, known.code, known.message));
    },
  };
}
