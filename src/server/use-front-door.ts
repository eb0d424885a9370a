import type { Plugin } from 'graphql-yoga';

/** Leads who opens the bare address to GraphiQL, which is also the endpoint. */
export function useFrontDoor(endpoint: string): Plugin {
  return {
    onRequest({ url, request, endResponse, fetchAPI }) {
      if (request.method !== 'GET' || url.pathname !== '/') return;
      endResponse(new fetchAPI.Response(null, { status: 302, headers: { location: endpoint } }));
    },
  };
}
