import type { Plugin } from 'graphql-yoga';
import type { Readiness } from '../memory/readiness.ts';

/**
 * `/health/live` says that the process runs; `/health/ready` whether it can answer, with the state of
 * each store: 200 while it can, also when degraded, else 503. For whoever watches over the process.
 */
export function useHealth(readiness: () => Promise<Readiness>): Plugin {
  return {
    async onRequest({ url, request, endResponse, fetchAPI }) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return;
      if (url.pathname === '/health/live') {
        endResponse(fetchAPI.Response.json({ status: 'ok' }));
      }
      if (url.pathname === '/health/ready') {
        const ready = await readiness();
        endResponse(fetchAPI.Response.json(ready, { status: ready.status === 'down' ? 503 : 200 }));
      }
    },
  };
}
