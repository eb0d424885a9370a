import { inject } from 'vitest';
import { type AppOptions, createApp } from '../../src/app.ts';
import type { LanguageModel } from '../../src/memory/language-model.ts';
import type { Principal } from '../../src/memory/principal.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import type { Readiness } from '../../src/memory/readiness.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { openGraph } from '../../src/open-graph.ts';
import { checkStores, createStores } from '../../src/open-stores.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openServerDatabase, openTestDatabase } from './database.ts';
import { testNeo4j } from './graph.ts';

/** Fields of an answer, of which nothing is said. */
export type Fields = { readonly [field: string]: unknown };

/** An answer; who reads deeper in it names the shape that the query asked for. */
export type Answer<Data extends Fields = Fields> = {
  readonly data: Data;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
};

export type TestApp = {
  readonly stores: Stores;
  readonly database: Database;
  readonly readiness: () => Promise<Readiness>;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Sends one operation as a principal (the local one when left out). */
  readonly ask: <Data extends Fields>(
    query: string,
    variables?: object,
    as?: Principal,
  ) => Promise<Answer<Data>>;
  readonly close: () => Promise<void>;
};

type TestStores = Pick<TestApp, 'stores' | 'database' | 'readiness' | 'close'>;

/** Of the profile that the suite is asked to run on: on the server one, Neo4j serves edges. */
async function openTestStores(): Promise<TestStores> {
  if (inject('profile') === 'embedded') {
    const database = await openTestDatabase();
    return {
      stores: createStores(database),
      database,
      readiness: () => checkStores(database, null),
      close: () => database.close(),
    };
  }
  const database = await openServerDatabase();
  // Its statements do not count: tests count those of requests.
  const projectorDatabase = connectPostgres({ url: database.url, maxConnections: 2 });
  const neo4j = testNeo4j(database.url);
  const graph = openGraph({ database, projectorDatabase, neo4j, waitMs: 10_000 });
  await graph.settled();
  return {
    stores: createStores(database, Date.now, graph.store, undefined, graph.service),
    database,
    readiness: () => checkStores(database, graph),
    async close() {
      await graph.close();
      await projectorDatabase.close();
      await database.close();
    },
  };
}

/** The whole service over a fresh, real store; requests go through `fetch`, as a client's would. */
export async function openTestApp({
  model = null,
  ...options
}: AppOptions & { readonly model?: LanguageModel | null } = {}): Promise<TestApp> {
  const { stores: plain, database, readiness, close } = await openTestStores();
  const stores = { ...plain, model };
  const callers = new Map<string, Principal>();
  const app = createApp(stores, {
    readiness,
    ...options,
    principalOf: (request) => callers.get(request.headers.get('x-caller') ?? '') ?? LOCAL_PRINCIPAL,
  });
  const fetch = async (request: Request): Promise<Response> => app.fetch(request);

  return {
    stores,
    database,
    readiness,
    fetch,
    async ask(query, variables = {}, as = LOCAL_PRINCIPAL) {
      const caller = JSON.stringify(as);
      callers.set(caller, as);
      const response = await fetch(
        new Request('http://causeway/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-caller': caller },
          body: JSON.stringify({ query, variables }),
        }),
      );
      return response.json();
    },
    close,
  };
}
