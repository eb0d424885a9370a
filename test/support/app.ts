import { type AppOptions, createApp } from '../../src/app.ts';
import type { Principal } from '../../src/memory/principal.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from './database.ts';

export type Answer = {
  // biome-ignore lint/suspicious/noExplicitAny: an answer has the shape that its query asks for
  readonly data: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: Readonly<Record<string, unknown>>;
  }[];
};

export type TestApp = {
  readonly stores: Stores;
  readonly database: Database;
  readonly fetch: (request: Request) => Promise<Response>;
  /** Sends one operation as a principal (the local one when left out). */
  readonly ask: (query: string, variables?: object, as?: Principal) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

/** The whole service over a fresh, real store; requests go through `fetch`, as a client's would. */
export async function openTestApp(options: AppOptions = {}): Promise<TestApp> {
  const database = await openTestDatabase();
  const stores = createStores(database);
  const callers = new Map<string, Principal>();
  const app = createApp(stores, {
    ...options,
    principalOf: (request) => callers.get(request.headers.get('x-caller') ?? '') ?? LOCAL_PRINCIPAL,
  });
  const fetch = async (request: Request): Promise<Response> => app.fetch(request);

  return {
    stores,
    database,
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
    close: () => database.close(),
  };
}
