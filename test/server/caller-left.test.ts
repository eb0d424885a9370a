import { createServer, request } from 'node:http';
import { expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { toListener } from '../../src/server/to-listener.ts';
import { openTestApp } from '../support/app.ts';

test('begins nothing more for a client that has left', async () => {
  const { stores, close } = await openTestApp();
  const reached = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const calls: string[] = [];
  const reported: unknown[] = [];
  const slow: Stores = {
    ...stores,
    projects: {
      ...stores.projects,
      async list(tenant, names) {
        calls.push('projects');
        reached.resolve();
        await goesOn.promise;
        return stores.projects.list(tenant, names);
      },
    },
    pages: {
      ...stores.pages,
      async list(view, query) {
        calls.push('pages');
        return stores.pages.list(view, query);
      },
    },
  };
  const app = createApp(slow, { reportError: (_, error) => reported.push(error) });
  const server = createServer(toListener(app));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const query = JSON.stringify({ query: '{ pages(first: 1) { nodes { path } } }' });
  const asked = request({ port, path: '/graphql', method: 'POST', host: '127.0.0.1' });
  asked.setHeader('content-type', 'application/json');
  asked.on('error', () => undefined);
  asked.end(query);
  await reached.promise;

  asked.destroy();
  // The server hears of it by its socket.
  await expect.poll(() => connectionsOf(server)).toBe(0);
  goesOn.resolve();

  // The store has one connection: what the first request began comes before what a second one does.
  const second = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: query,
  });
  expect(await second.json()).toEqual({ data: { pages: { nodes: [] } } });
  expect(calls).toEqual(['projects', 'projects', 'pages']);
  expect(reported).toEqual([]);
  server.close();
  await close();
});

async function connectionsOf(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
