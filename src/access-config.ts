import { z } from 'zod';
import { optionalVariable as optional } from './optional-variable.ts';
import type { JwtRules } from './server/admit-jwt.ts';

/** Shorter ones could be found by trying. */
const MIN_SECRET = 32;

const secret = z
  .string()
  .regex(/^[\x21-\x7e]+$/u, 'expected visible ASCII characters without spaces')
  .min(MIN_SECRET, `expected at least ${MIN_SECRET} characters, as of \`openssl rand -base64 32\``);

const LOOPBACK_HOSTS = ['127.0.0.1', 'localhost', '::1', '[::1]'];

/** Keys that came over the open net could be anybody's. */
function isKeySetUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname));
}

/** Variables of who gets in, and on which address. */
export const ACCESS_VARIABLES = {
  CAUSEWAY_HOST: z
    .string()
    .regex(/^[\w.:-]{1,253}$/u, 'expected an address or a name of this machine')
    .default('127.0.0.1')
    .describe(
      'Address to listen on. One beyond the loopback needs CAUSEWAY_TOKEN_SECRET or CAUSEWAY_JWT_….',
    ),
  CAUSEWAY_TOKEN_SECRET: optional(secret).describe(
    'Key of the hashes of API keys, the same for every server of a store; with it every request needs a key or a JWT. `causeway token create` makes keys.',
  ),
  CAUSEWAY_JWT_JWKS_URL: optional(
    z.string().refine(isKeySetUrl, 'expected https://, or http:// on this machine'),
  ).describe('Where the public keys of JWTs are (a JWK set); RS, PS, ES and EdDSA are taken.'),
  CAUSEWAY_JWT_SECRET: optional(secret).describe(
    'Secret of JWTs that are signed with HS256; in place of CAUSEWAY_JWT_JWKS_URL.',
  ),
  CAUSEWAY_JWT_ISSUER: optional(z.string()).describe('What `iss` of a JWT must be.'),
  CAUSEWAY_JWT_AUDIENCE: optional(z.string()).describe('What `aud` of a JWT must be, or hold.'),
};

/** What a caller must bring. Both null: nobody signs in, and only the loopback is served. */
export type AccessConfig = {
  readonly tokenSecret: string | null;
  readonly jwt: JwtRules | null;
};

type Values = Readonly<Record<string, string | undefined>>;

export function toAccess(values: Values): AccessConfig {
  const { CAUSEWAY_JWT_JWKS_URL: url, CAUSEWAY_JWT_SECRET: own } = values;
  const { CAUSEWAY_JWT_ISSUER: issuer = '', CAUSEWAY_JWT_AUDIENCE: audience = '' } = values;
  const keys = url ? { url } : own ? { secret: own } : null;
  return {
    tokenSecret: values.CAUSEWAY_TOKEN_SECRET || null,
    jwt: keys && { keys, issuer, audience },
  };
}

/** What does not fit together, a line for each variable. */
export function faultsOfAccess(environment: Values): string[] {
  const { CAUSEWAY_JWT_JWKS_URL: url, CAUSEWAY_JWT_SECRET: own } = environment;
  const { CAUSEWAY_HOST: host = '127.0.0.1', CAUSEWAY_TOKEN_SECRET: tokenSecret } = environment;
  const faults: string[] = [];
  if (url && own) {
    faults.push('CAUSEWAY_JWT_SECRET: expected none beside CAUSEWAY_JWT_JWKS_URL, but got one.');
  }
  const named = ['CAUSEWAY_JWT_ISSUER', 'CAUSEWAY_JWT_AUDIENCE'] as const;
  if (url || own) {
    const given = url ? 'CAUSEWAY_JWT_JWKS_URL' : 'CAUSEWAY_JWT_SECRET';
    for (const name of named.filter((each) => !environment[each])) {
      faults.push(`${name}: expected a value beside ${given}, but got none.`);
    }
  } else if (named.some((name) => environment[name])) {
    faults.push(
      'CAUSEWAY_JWT_JWKS_URL: expected it, or CAUSEWAY_JWT_SECRET, beside an issuer and an audience, but got neither.',
    );
  }
  if (!url && !own && !tokenSecret && !LOOPBACK_HOSTS.includes(host)) {
    faults.push(
      `CAUSEWAY_HOST: expected 127.0.0.1, localhost or ::1, since nobody signs in here, but got "${host}". Set CAUSEWAY_TOKEN_SECRET and make keys with \`causeway token create\`, or set CAUSEWAY_JWT_JWKS_URL, CAUSEWAY_JWT_ISSUER and CAUSEWAY_JWT_AUDIENCE.`,
    );
  }
  return faults;
}
