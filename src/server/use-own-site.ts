import { GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { quoteText } from '../memory/shown-text.ts';
import { asksLoopback, hostOf } from './loopback-host.ts';
import { refusal } from './refusal.ts';

/**
 * Bodies that a page of another site cannot send without asking first, which browsers do and we do
 * not allow. Forms and plain text it could send, and an operation would have run by then.
 */
const MEDIA_TYPES = ['application/json', 'application/graphql+json', 'application/graphql'];

/**
 * Keeps other websites out of a browser's way to us: a body must be of a type that needs leave, and
 * with `loopbackOnly`, for a server that asks nobody to sign in, the host a name of the loopback.
 */
export function useOwnSite({ loopbackOnly }: { readonly loopbackOnly: boolean }): Plugin {
  return {
    onRequest({ request, endResponse }) {
      if (!loopbackOnly || asksLoopback(request)) return;
      const host = quoteText(hostOf(request));
      endResponse(
        refusal(
          403,
          'HOST_NOT_ALLOWED',
          `Host: expected localhost, 127.0.0.1 or [::1], since nobody signs in here, but got ${host}.`,
        ),
      );
    },

    onRequestParse({ request }) {
      if (request.method !== 'POST') return;
      const given = request.headers.get('content-type');
      const type = given?.split(/[;,]/u)[0]?.trim().toLowerCase() ?? '';
      if (MEDIA_TYPES.includes(type)) return;
      throw new GraphQLError(
        `Content-Type: expected one of ${MEDIA_TYPES.join(', ')}, but got ${given === null ? 'none' : quoteText(given)}.`,
        { extensions: { code: 'UNSUPPORTED_MEDIA_TYPE', http: { status: 415 } } },
      );
    },
  };
}
