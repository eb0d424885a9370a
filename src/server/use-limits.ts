import {
  type DocumentNode,
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
import type { RequestLimits } from './limits.ts';
import { measureDocument } from './measure-document.ts';
import { measureOperation } from './measure-operation.ts';

/**
 * Refuses requests that ask for too much, by name, before anything is executed: tokens before
 * parsing; depth, aliases, directives and root fields before validation; cost and hops, which need
 * variables, before execution.
 */
export function useLimits(limits: RequestLimits): Plugin {
  return {
    onParse({ params, parseFn, setParseFn }) {
      const text = typeof params.source === 'string' ? params.source : params.source.body;
      const excess = tokensAbove(text, limits.maxTokens);
      if (excess === null) return;
      // Thrown from the parser's place, so that it is answered as a document that cannot be parsed.
      setParseFn(((...args: Parameters<typeof parseFn>) => {
        if (args.length > 0) throw excess;
      }) as typeof parseFn);
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

    onExecute({ args, setResultAndStopExecution }) {
      const operation = getOperationAST(args.document, args.operationName);
      if (operation == null) return;
      const variables = getVariableValues(
        args.schema,
        operation.variableDefinitions ?? [],
        args.variableValues ?? {},
      );
      // Variables that do not fit are reported by the execution itself.
      if (variables.coerced === undefined) return;
      const { cost, hops } = measureOperation(
        args.schema,
        operation,
        fragmentsOf(args.document),
        variables.coerced,
      );
      const errors = [
        above('Cost', 'COST_LIMIT_EXCEEDED', cost, limits.maxCost),
        above('Graph depth', 'DEPTH_LIMIT_EXCEEDED', hops, limits.maxGraphDepth),
      ].filter((error) => error !== null);
      if (errors.length > 0) setResultAndStopExecution({ errors });
    },
  };
}

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = document.definitions.filter(
    (definition) => definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** An error when `received` is above `limit`; both are in its extensions. */
function above(what: string, code: string, received: number, limit: number): GraphQLError | null {
  if (received <= limit) return null;
  const came = Number.isFinite(received) ? String(received) : 'an endless one';
  return new GraphQLError(`${what}: expected at most ${limit}, but got ${came}.`, {
    extensions: { code, limit, ...(Number.isFinite(received) && { received }) },
  });
}

/** The refusal of a text of more than `most` tokens; null for any other, also one that is no GraphQL. */
function tokensAbove(text: string, most: number): GraphQLError | null {
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; count <= most; count++) {
      if (lexer.advance().kind === TokenKind.EOF) return null;
    }
  } catch {
    return null;
  }
  return above('Tokens', 'TOKEN_LIMIT_EXCEEDED', Number.POSITIVE_INFINITY, most);
}
