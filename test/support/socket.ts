import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AppOptions, createApp } from '../../src/app.ts';
import { createStores } from '../../src/open-stores.ts';
import { toListener } from '../../src/server/to-listener.ts';
import type { TestApp } from './app.ts';
import { openTestDatabase } from './database.ts';

export type TestSocket = {
  readonly port: number;
  /** Sends one operation; who asks is said by the options of the app. */
  readonly ask: TestApp['ask'];
  readonly close: () => Promise<void>;
};

/** The whole service over a fresh store, behind a socket as `serve` has it: for what `fetch` hides. */
export async function openTestSocket(options: AppOptions = {}): Promise<TestSocket> {
  const database = await openTestDatabase();
  const server = createServer(toListener(createApp(createStores(database), options)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening.');
  const { port } = address;
  return {
    port,
    async ask(query, variables = {}) {
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      return response.json();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await database.close();
    },
  };
}
