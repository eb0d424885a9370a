import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { createYoga } from 'graphql-yoga';
import { LOCAL_PRINCIPAL, type Principal } from './memory/principal.ts';
import type { Stores } from './memory/stores.ts';
import { createContext, type RequestContext } from './schema/context.ts';
import { schema } from './schema/index.ts';
import { maskError } from './schema/mask-error.ts';
import { GRAPHIQL_TABS } from './server/graphiql-tabs.ts';
import { DEFAULT_LIMITS, type RequestLimits } from './server/limits.ts';
import { useErrorCodes } from './server/use-error-codes.ts';
import { useLimits } from './server/use-limits.ts';

export type AppOptions = {
  /** Who sends a request; the local principal when left out. */
  readonly principalOf?: (request: Request) => Principal | Promise<Principal>;
  readonly limits?: Partial<RequestLimits>;
  /** Read at each write; writes that carry hints are refused while it says no. */
  readonly hintsEnabled?: () => boolean;
  /** Takes what was masked; the caller of the API sees the id alone. */
  readonly reportError?: (errorId: string, error: unknown) => void;
};

/**
 * The whole service without a socket: `fetch` answers a `Request`. Used by the server, the tests and
 * the benchmarks alike.
 */
export function createApp(stores: Stores, options: AppOptions = {}) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const principalOf = options.principalOf ?? (() => LOCAL_PRINCIPAL);
  const graphLimits = {
    maxDepth: limits.maxGraphDepth,
    hintsEnabled: options.hintsEnabled ?? (() => false),
  };

  return createYoga<object, RequestContext>({
    schema,
    context: async ({ request }) => createContext(stores, await principalOf(request), graphLimits),
    graphqlEndpoint: '/graphql',
    graphiql: { title: 'Causeway', defaultTabs: GRAPHIQL_TABS, defaultQuery: '' },
    renderGraphiQL,
    landingPage: false,
    logging: false,
    maskedErrors: {
      maskError: (error) => maskError(error, options.reportError ?? (() => {})),
    },
    plugins: [useLimits(limits), useErrorCodes()],
  });
}
