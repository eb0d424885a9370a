import { createYoga } from 'graphql-yoga';
import { createAccess } from './memory/access.ts';
import { LOCAL_PRINCIPAL, type Principal } from './memory/principal.ts';
import type { Readiness } from './memory/readiness.ts';
import type { RecallStores } from './memory/recall.ts';
import type { Stores } from './memory/stores.ts';
import { createContext, type RequestContext } from './schema/context.ts';
import { schema } from './schema/index.ts';
import { maskError } from './schema/mask-error.ts';
import { renderGraphiQLPage } from './server/graphiql-page.ts';
import { GRAPHIQL_TABS } from './server/graphiql-tabs.ts';
import { DEFAULT_LIMITS, type RequestLimits } from './server/limits.ts';
import { asksLoopback } from './server/loopback-host.ts';
import { type PrincipalOf, useDoor } from './server/use-door.ts';
import { useErrorCodes } from './server/use-error-codes.ts';
import { useFrontDoor } from './server/use-front-door.ts';
import { useHealth } from './server/use-health.ts';
import { useLimits } from './server/use-limits.ts';
import { useMcp } from './server/use-mcp.ts';
import { useOwnSite } from './server/use-own-site.ts';
import { createRequestLog, type RequestRecord } from './server/use-request-log.ts';
import { answerMcp } from './tools/mcp/answer-http.ts';
import { createToolBox } from './tools/tool-box.ts';
import { VERSION } from './version.ts';

export type AppOptions = {
  /**
   * Who sends a request; when left out the local principal, and only to names of the loopback. Asked
   * once for a request, and again and again for a subscription.
   */
  readonly principalOf?: PrincipalOf;
  readonly limits?: Partial<RequestLimits>;
  /** What `/health/ready` answers; `ok` when left out. */
  readonly readiness?: () => Promise<Readiness>;
  /** Read at each write; writes that carry hints are refused while it says no. */
  readonly hintsEnabled?: () => boolean;
  /** Takes what callers do not see. The id is in the answer too; null where it went out without an arm. */
  readonly reportError?: (errorId: string | null, error: unknown) => void;
  /** Takes one record for each request. */
  readonly logRequest?: (record: RequestRecord) => void;
};

const ENDPOINT = '/graphql';
const MCP_ENDPOINT = '/mcp';

const READY: Readiness = { status: 'ok', postgres: 'up', neo4j: null };

const GRAPHIQL = { title: 'Causeway', defaultTabs: GRAPHIQL_TABS, defaultQuery: '' };

/**
 * The whole service without a socket: `fetch` answers a `Request`. Used by the server, the tests and
 * the benchmarks alike.
 */
export function createApp(stores: Stores, options: AppOptions = {}) {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const admit = options.principalOf ?? (() => LOCAL_PRINCIPAL);
  const admitted = new WeakMap<Request, Principal>();
  const principalOf = async (request: Request): Promise<Principal> => {
    const principal = admitted.get(request) ?? (await admit(request));
    admitted.set(request, principal);
    return principal;
  };
  const graphLimits = {
    maxDepth: limits.maxGraphDepth,
    hintsEnabled: options.hintsEnabled ?? (() => false),
  };

  const tools = createToolBox({ ...graphLimits, defaultProject: null });

  const reportError = options.reportError ?? (() => {});
  const reporting: Stores & RecallStores = {
    ...stores,
    reportFailure: (error) => reportError(null, error),
  };
  const requestLog = createRequestLog(options.logRequest ?? (() => {}));
  const loopbackOnly = options.principalOf === undefined;

  return createYoga<object, RequestContext>({
    schema,
    context: async ({ request }) =>
      createContext(
        requestLog.countedFor(request, reporting),
        await principalOf(request),
        { limits: graphLimits, tools },
        () => admit(request),
      ),
    graphqlEndpoint: ENDPOINT,
    // Yoga answers for GraphiQL before any plugin is asked.
    graphiql: (request) => (!loopbackOnly || asksLoopback(request)) && GRAPHIQL,
    renderGraphiQL: renderGraphiQLPage,
    landingPage: false,
    logging: false,
    cors: false,
    multipart: false,
    maxRequestBodySize: limits.maxBodyBytes,
    maskedErrors: { maskError: (error) => maskError(error, reportError) },
    plugins: [
      useFrontDoor(ENDPOINT),
      useHealth(options.readiness ?? (async () => READY)),
      requestLog.plugin,
      useOwnSite({ loopbackOnly }),
      // All that comes after it is for those who are let in.
      useDoor(principalOf, reportError),
      useMcp(MCP_ENDPOINT, {
        maxBodyBytes: limits.maxBodyBytes,
        answer: (request, body, asked) =>
          answerMcp(request, body, {
            tools,
            version: VERSION,
            openAccess: async () =>
              createAccess(requestLog.countedFor(asked, reporting), await principalOf(asked)),
            reportError,
            note: (noted) => requestLog.note(asked, noted),
            maxBodyBytes: limits.maxBodyBytes,
          }),
      }),
      useLimits(limits),
      useErrorCodes(),
    ],
  });
}
