import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { InvalidInputError } from './errors.ts';
import { type AccessScope, isPrincipalName, PRINCIPAL_NAME, type Principal } from './principal.ts';

/** A key as it may be shown: never the key itself, nor its hash. Times are milliseconds UTC. */
export type ApiKey = {
  /** Public: it stands in the key, so that a log or a leaked key can be told from others. */
  readonly id: string;
  readonly principal: Principal;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  /** Within some minutes; null before the first use. */
  readonly lastUsedAt: number | null;
};

export type StoredKey = ApiKey & { readonly hash: Buffer };

/** The keys of all tenants: for an operator, and for the door of a server. */
export type KeyStore = {
  readonly insert: (key: StoredKey) => Promise<void>;
  readonly find: (id: string) => Promise<StoredKey | null>;
  /** From the oldest on; of every tenant for null. */
  readonly list: (tenant: string | null) => Promise<ApiKey[]>;
  /** Keeps the first time. @returns null where there is no such key */
  readonly revoke: (id: string, at: number) => Promise<ApiKey | null>;
  readonly noteUse: (id: string, at: number) => Promise<void>;
  /** Hears of each key that is revoked, in any process; an empty id may be any. @returns stops */
  readonly watch: (onRevoked: (id: string) => void) => Promise<() => Promise<void>>;
};

const ID_BYTES = 8;
const SECRET_BYTES = 32;
/** `cwk_`, by which scanners of secrets can know one; the id; 256 random bits. */
const TOKEN = /^cwk_([0-9a-f]{16})_[\w-]{43}$/u;

const DAY_MS = 24 * 60 * 60 * 1_000;
export const MAX_DAYS = 3_650;

/** The id in a key; null for a text that is none. */
export function keyIdOf(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null;
}

export function isHashOf(hash: Buffer, token: string, secret: string): boolean {
  return timingSafeEqual(hash, hashOf(token, secret));
}

/**
 * A key is 256 random bits, so nobody guesses one, and a slow hash would protect nothing but cost each
 * request; the secret keeps who has the table from trying keys that were found elsewhere.
 */
function hashOf(token: string, secret: string): Buffer {
  return createHmac('sha256', secret).update(token).digest();
}

/**
 * Makes a key for a principal.
 *
 * @param days  until it expires, a whole number from 1 to MAX_DAYS
 * @returns the key, which nothing can show again, and what is kept of it
 * @throws {InvalidInputError} for a name that is none, no scope, or days out of range
 */
export async function createApiKey(
  {
    keys,
    secret,
    clock,
  }: { readonly keys: KeyStore; readonly secret: string; readonly clock: () => number },
  { principal, days }: { readonly principal: Principal; readonly days: number },
): Promise<{ readonly token: string; readonly key: ApiKey }> {
  for (const field of ['tenant', 'name'] as const) {
    if (!isPrincipalName(principal[field])) {
      throw new InvalidInputError(field, PRINCIPAL_NAME, principal[field]);
    }
  }
  requireSome(principal.scopes);
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS) {
    throw new InvalidInputError('days', `a whole number from 1 to ${MAX_DAYS}`, String(days));
  }

  const id = randomBytes(ID_BYTES).toString('hex');
  const token = `cwk_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  const createdAt = clock();
  const key = {
    id,
    principal,
    createdAt,
    expiresAt: createdAt + days * DAY_MS,
    revokedAt: null,
    lastUsedAt: null,
  };
  await keys.insert({ ...key, hash: hashOf(token, secret) });
  return { token, key };
}

function requireSome(scopes: readonly AccessScope[]): void {
  if (scopes.length === 0) throw new InvalidInputError('scopes', 'at least one scope', 'none');
}
