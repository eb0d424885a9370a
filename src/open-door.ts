import type { AccessConfig } from './access-config.ts';
import { ConfigError } from './config.ts';
import { openKeyDoor } from './memory/admit-api-key.ts';
import type { KeyStore } from './memory/api-key.ts';
import { createJwtDoor } from './server/admit-jwt.ts';
import { createPrincipalOf, type PrincipalOf } from './server/use-door.ts';

export type OpenDoor = {
  /** Null where nobody signs in. */
  readonly principalOf: PrincipalOf | null;
  readonly close: () => Promise<void>;
};

/**
 * Opens what asks callers who they are, as configured.
 *
 * @throws {ConfigError} when nobody would have to sign in at a store that has API keys: a variable
 * that was forgotten must not open the door
 */
export async function openDoor(
  { tokenSecret, jwt }: AccessConfig,
  {
    keys,
    clock = Date.now,
    report,
  }: {
    readonly keys: KeyStore;
    readonly clock?: () => number;
    readonly report: (message: string, error: unknown) => void;
  },
): Promise<OpenDoor> {
  if (tokenSecret === null && jwt === null) {
    await refuseForgotten(keys, clock());
    return { principalOf: null, close: async () => undefined };
  }
  const keyDoor =
    tokenSecret === null ? null : await openKeyDoor({ keys, secret: tokenSecret, clock, report });
  return {
    principalOf: createPrincipalOf({
      apiKey: keyDoor === null ? null : keyDoor.admit,
      jwt: jwt && createJwtDoor(jwt),
    }),
    close: async () => keyDoor?.close(),
  };
}

async function refuseForgotten(keys: KeyStore, now: number): Promise<void> {
  const good = (await keys.list(null)).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && expiresAt > now,
  );
  if (good.length === 0) return;
  throw new ConfigError(
    `CAUSEWAY_TOKEN_SECRET: expected the secret that the ${good.length} API keys of this store were made with, but got none. Without it nobody would have to sign in; revoke them with \`causeway token revoke\` if that is meant.`,
  );
}
