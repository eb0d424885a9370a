import type { Plugin } from 'graphql-yoga';
import { UnauthenticatedError } from '../memory/errors.ts';
import type { Principal } from '../memory/principal.ts';
import { maskError } from '../schema/mask-error.ts';

/** Tells who sends a request. @throws {UnauthenticatedError} for nobody that is known */
export type PrincipalOf = (request: Request) => Principal | Promise<Principal>;

/** As RFC 6750 has it; the scheme in any case. */
const BEARER = /^bearer +(\S+) *$/iu;

/**
 * Asks every request who sends it, whatever it is for, before its body is read. What is to be had
 * without a name must come before this plugin.
 *
 * @param principalOf  asked again by whoever needs the principal
 */
export function useDoor(
  principalOf: PrincipalOf,
  reportError: (errorId: string | null, error: unknown) => void,
): Plugin {
  return {
    async onRequest({ request, endResponse }) {
      try {
        await principalOf(request);
      } catch (error) {
        endResponse(refuse(error, reportError));
      }
    },
  };
}

/** Of a token: an API key, or a JWT. */
export type TokenDoors = {
  readonly apiKey: ((token: string) => Promise<Principal>) | null;
  readonly jwt: ((token: string) => Promise<Principal>) | null;
};

/** What an API key begins with, and no JWT can. */
const API_KEY = 'cwk_';

/** Reads the `Authorization` of a request. */
export function createPrincipalOf({ apiKey, jwt }: TokenDoors): PrincipalOf {
  return async (request) => {
    const header = request.headers.get('authorization');
    if (header === null) throw new UnauthenticatedError('none');
    const token = BEARER.exec(header)?.[1] ?? '';
    const admit = token.startsWith(API_KEY) ? apiKey : jwt;
    if (token === '' || admit === null) throw new UnauthenticatedError('another');
    return admit(token);
  };
}

function refuse(error: unknown, reportError: (errorId: string, error: unknown) => void): Response {
  const { message, extensions } = maskError(error, reportError);
  const body = { errors: [{ message, extensions }] };
  if (!(error instanceof UnauthenticatedError)) {
    return Response.json(body, { status: extensions.retryable === true ? 503 : 500 });
  }
  const fault = error.received === 'none' ? '' : ', error="invalid_token"';
  const headers = { 'www-authenticate': `Bearer realm="causeway"${fault}` };
  return Response.json(body, { status: 401, headers });
}
