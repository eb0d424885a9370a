import {
  createRemoteJWKSet,
  errors,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
} from 'jose';
import { z } from 'zod';
import { StoreUnavailableError, UnauthenticatedError } from '../memory/errors.ts';
import { SENSITIVITIES } from '../memory/page.ts';
import { ACCESS_SCOPES, isPrincipalName, type Principal } from '../memory/principal.ts';

export type JwtRules = {
  /** Where public keys are, or the secret of HS256. */
  readonly keys: { readonly url: string } | { readonly secret: string };
  readonly issuer: string;
  readonly audience: string;
};

/** By which clocks of two machines may differ. */
const CLOCK_SKEW_SECONDS = 30;
const KEY_SET_TIMEOUT_MS = 5_000;

/** A secret admits its one algorithm, public keys theirs: so no public key is ever taken for a secret. */
const SECRET_ALGORITHMS = ['HS256'];
const PUBLIC_ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];

const name = z.string().refine(isPrincipalName);
const names = z.array(z.string());

/** Nothing is assumed in the caller's favour: what a token does not say, it does not give. */
const Claims = z.object({
  tenant: name,
  sub: name,
  /** As of OAuth, parted by spaces; those of others are passed over. */
  scope: z.union([z.string().transform((text) => text.split(' ')), names]).default([]),
  /** Names, or `*` for all of the tenant. */
  projects: z.union([z.literal('*').transform(() => ['*']), names]).default([]),
  clearance: z.enum(SENSITIVITIES).default('PUBLIC'),
});

/**
 * Tells whose a JWT is. It must be signed by the keys, with an algorithm that is theirs, name issuer
 * and audience, and end (`exp`).
 *
 * @returns a function that throws an `UnauthenticatedError` for a token that is no good, whatever the
 * reason, and a `StoreUnavailableError` while the key set can't be had
 */
export function createJwtDoor(rules: JwtRules): (token: string) => Promise<Principal> {
  const options: JWTVerifyOptions = {
    issuer: rules.issuer,
    audience: rules.audience,
    clockTolerance: CLOCK_SKEW_SECONDS,
    requiredClaims: ['exp', 'sub', 'tenant'],
    algorithms: 'secret' in rules.keys ? SECRET_ALGORITHMS : PUBLIC_ALGORITHMS,
  };
  const keyOf = 'secret' in rules.keys ? secretKey(rules.keys.secret) : publicKeys(rules.keys.url);

  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keyOf, options);
      const { tenant, sub, scope, projects, clearance } = Claims.parse(payload);
      return {
        tenant,
        name: sub,
        scopes: ACCESS_SCOPES.filter((each) => scope.includes(each)),
        projects: projects.includes('*') ? 'ALL' : projects,
        clearance,
      };
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      // Also what nobody thought of: a token that can't be read admits nobody.
      throw new UnauthenticatedError('another');
    }
  };
}

function secretKey(secret: string): JWTVerifyGetKey {
  const key = new TextEncoder().encode(secret);
  return async () => key;
}

/** Fetched when first needed, and again for a key that is not known, but not for each of them. */
function publicKeys(url: string): JWTVerifyGetKey {
  const keySet = createRemoteJWKSet(new URL(url), { timeoutDuration: KEY_SET_TIMEOUT_MS });
  return async (header, token) => {
    try {
      return await keySet(header, token);
    } catch (error) {
      const isOfToken =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      throw isOfToken ? error : new StoreUnavailableError('the key set of JWTs', error);
    }
  };
}
