import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AppOptions, createApp } from '../../src/app.ts';
import { type ApiKey, createApiKey, type KeyStore } from '../../src/memory/api-key.ts';
import type { Principal } from '../../src/memory/principal.ts';
import { openDoor } from '../../src/open-door.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createKeyStore } from '../../src/postgres/key-store.ts';
import type { JwtRules } from '../../src/server/admit-jwt.ts';
import { toListener } from '../../src/server/to-listener.ts';

export const TOKEN_SECRET = 'a secret of the tests, which has 42 signs.';

/** A service behind a socket and a door, as `serve` opens it. */
export type GuardedServer = {
  readonly url: string;
  readonly keys: KeyStore;
  readonly reported: readonly unknown[];
  readonly newKey: (
    principal: Principal,
    days?: number,
  ) => Promise<{ readonly token: string; readonly key: ApiKey }>;
  /** Sends one operation with what stands in `authorization`; null sends none. */
  readonly post: (
    authorization: string | null,
    query: string,
    variables?: object,
  ) => Promise<Response>;
  readonly close: () => Promise<void>;
};

export async function openGuardedServer(
  database: Database,
  {
    jwt = null,
    clock = Date.now,
    ...options
  }: AppOptions & { readonly jwt?: JwtRules | null; readonly clock?: () => number } = {},
): Promise<GuardedServer> {
  const keys = createKeyStore(database);
  const reported: unknown[] = [];
  const door = await openDoor(
    { tokenSecret: TOKEN_SECRET, jwt },
    { keys, clock, report: (_message, error) => reported.push(error) },
  );
  const app = createApp(createStores(database), {
    reportError: (_id, error) => reported.push(error),
    ...options,
    ...(door.principalOf && { principalOf: door.principalOf }),
  });
  const server = createServer(toListener(app));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening.');
  const url = `http://127.0.0.1:${address.port}`;
  return {
    url,
    keys,
    reported,
    newKey: (principal, days = 1) =>
      createApiKey({ keys, secret: TOKEN_SECRET, clock }, { principal, days }),
    post: (authorization, query, variables = {}) =>
      fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(authorization !== null && { authorization }),
        },
        body: JSON.stringify({ query, variables }),
      }),
    async close() {
      server.close();
      server.closeAllConnections();
      await door.close();
    },
  };
}
