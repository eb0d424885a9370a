import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FragmentDefinitionNode,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  Lexer,
  Source,
  TokenKind,
} from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { MemoryError } from '../memory/errors.ts';
import { maskError } from '../schema/mask-error.ts';
import type { RequestLimits } from './limits.ts';
import { measureDocument } from './measure-document.ts';
import { measureOperation, type OperationSize } from './measure-operation.ts';

/**
 * Refuses requests that ask for too much, by name, before anything is executed: tokens and nesting
 * before parsing; depth, aliases, directives and root fields before validation; cost, walks and hops,
 * which need variables, before execution, and with them arguments that are refused whatever is found.
 */
export function useLimits(limits: RequestLimits): Plugin {
  const refuseExcess = ({
    args,
    setResultAndStopExecution,
  }: {
    readonly args: Pick<ExecutionArgs, 'schema' | 'document' | 'operationName' | 'variableValues'>;
    readonly setResultAndStopExecution: (result: ExecutionResult) => void;
  }): void => {
    const operation = getOperationAST(args.document, args.operationName);
    if (operation == null) return;
    const variables = getVariableValues(
      args.schema,
      operation.variableDefinitions ?? [],
      args.variableValues ?? {},
    );
    // Variables that do not fit are reported by the execution itself.
    if (variables.coerced === undefined) return;
    const errors = faultsOf(
      () =>
        measureOperation(args.schema, operation, fragmentsOf(args.document), variables.coerced, {
          maxDepth: limits.maxGraphDepth,
        }),
      limits,
    );
    if (errors.length > 0) setResultAndStopExecution({ errors });
  };

  return {
    onParse({ params, setParseFn }) {
      const text = typeof params.source === 'string' ? params.source : params.source.body;
      const excess = excessOfText(text, limits);
      if (excess === null) return;
      // Thrown from the parser's place, so that it is answered as a document that cannot be parsed.
      setParseFn(() => {
        throw excess;
      });
    },

    onValidate({ params, setResult }) {
      const size = measureDocument(params.documentAST);
      const errors = [
        above('Depth', 'DEPTH_LIMIT_EXCEEDED', size.depth, limits.maxDepth),
        above('Aliases', 'ALIAS_LIMIT_EXCEEDED', size.aliases, limits.maxAliases),
        above('Directives', 'DIRECTIVE_LIMIT_EXCEEDED', size.directives, limits.maxDirectives),
        above('Root fields', 'ROOT_FIELD_LIMIT_EXCEEDED', size.rootFields, limits.maxRootFields),
      ].filter((error) => error !== null);
      if (errors.length > 0) setResult(errors);
    },

    onExecute: refuseExcess,
    // Weighed once, as the answer to one event.
    onSubscribe: refuseExcess,
  };
}

/** Why an operation is refused before it is executed; empty when it is not. */
function faultsOf(measure: () => OperationSize, limits: RequestLimits): readonly GraphQLError[] {
  try {
    const { cost, hops, walks } = measure();
    return [
      above('Cost', 'COST_LIMIT_EXCEEDED', cost, limits.maxCost),
      above('Walks', 'WALK_LIMIT_EXCEEDED', walks, limits.maxWalks),
      above('Graph depth', 'DEPTH_LIMIT_EXCEEDED', hops, limits.maxGraphDepth),
    ].filter((error) => error !== null);
  } catch (error) {
    if (error instanceof MemoryError) return [maskError(error, () => {})];
    throw error;
  }
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** An error when `received` is above `limit`; both are in its extensions. */
function above(
  what: string,
  code: string,
  received: number,
  limit: number,
  unknown = 'an endless one',
): GraphQLError | null {
  if (received <= limit) return null;
  const came = Number.isFinite(received) ? String(received) : unknown;
  return new GraphQLError(`${what}: expected at most ${limit}, but got ${came}.`, {
    extensions: { code, limit, ...(Number.isFinite(received) && { received }) },
  });
}

const OPENING: readonly TokenKind[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const CLOSING: readonly TokenKind[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/**
 * The refusal of a text of too many tokens, or with too many brackets open at once: parser and
 * validation call themselves for each. Null for any other, also one that is no GraphQL.
 *
 * Reading stops at the limit, so how many there are is not known.
 */
function excessOfText(
  text: string,
  { maxTokens, maxNesting }: Pick<RequestLimits, 'maxTokens' | 'maxNesting'>,
): GraphQLError | null {
  const beyond = (what: string, code: string, most: number) =>
    above(what, code, Number.POSITIVE_INFINITY, most, `more than ${most}`);
  const lexer = new Lexer(new Source(text));
  let open = 0;
  try {
    for (let count = 0; count <= maxTokens; count++) {
      const { kind } = lexer.advance();
      if (kind === TokenKind.EOF) return null;
      if (OPENING.includes(kind)) open += 1;
      if (CLOSING.includes(kind)) open -= 1;
      if (open > maxNesting) return beyond('Open brackets', 'DEPTH_LIMIT_EXCEEDED', maxNesting);
    }
  } catch {
    return null;
  }
  return beyond('Tokens', 'TOKEN_LIMIT_EXCEEDED', maxTokens);
}
