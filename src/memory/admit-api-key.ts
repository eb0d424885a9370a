import { isHashOf, type KeyStore, keyIdOf, type StoredKey } from './api-key.ts';
import { UnauthenticatedError } from './errors.ts';
import type { Principal } from './principal.ts';

/** Of a process that has not heard of a revocation: it looks again after so long. */
const KEEP_MS = 5_000;
const MAX_KEPT = 10_000;

/** One write of a key's last use for so long, however often it is used. */
const NOTE_EVERY_MS = 5 * 60_000;

export type KeyDoor = {
  /** @throws {UnauthenticatedError} for one that is unknown, wrong, expired or revoked: all the same */
  readonly admit: (token: string) => Promise<Principal>;
  readonly close: () => Promise<void>;
};

/**
 * Tells whose an API key is. What was read of a key is kept for some seconds, and forgotten as soon as
 * it is revoked, so that most requests cost no statement.
 *
 * @param report  takes why a last use could not be written, or revocations not be heard of
 */
export async function openKeyDoor({
  keys,
  secret,
  clock,
  report,
}: {
  readonly keys: KeyStore;
  readonly secret: string;
  readonly clock: () => number;
  readonly report: (message: string, error: unknown) => void;
}): Promise<KeyDoor> {
  const kept = new Map<
    string,
    { readonly key: Promise<StoredKey | null>; readonly since: number }
  >();
  const notedAt = new Map<string, number>();
  const forget = (id: string): void => {
    if (id === '') kept.clear();
    else kept.delete(id);
  };
  const stop = await keys.watch(forget);

  function find(id: string, now: number): Promise<StoredKey | null> {
    const found = kept.get(id);
    // A clock that was put back must not keep a key for longer.
    if (found !== undefined && now >= found.since && now - found.since < KEEP_MS) return found.key;
    if (kept.size >= MAX_KEPT) kept.clear();
    const key = keys.find(id);
    kept.set(id, { key, since: now });
    // An id that nobody has is not kept: it may be given any moment, and there is no end of them.
    key.then((stored) => stored ?? forget(id)).catch(() => forget(id));
    return key;
  }

  function noteUse({ id, lastUsedAt }: StoredKey, now: number): void {
    const last = notedAt.get(id) ?? lastUsedAt;
    if (last !== null && now - last < NOTE_EVERY_MS) return;
    if (notedAt.size >= MAX_KEPT) notedAt.clear();
    notedAt.set(id, now);
    keys.noteUse(id, now).catch((error) => report('the last use of a key was not written', error));
  }

  return {
    async admit(token) {
      const now = clock();
      const id = keyIdOf(token);
      const key = id === null ? null : await find(id, now);
      if (key === null || !isHashOf(key.hash, token, secret))
        throw new UnauthenticatedError('another');
      if (key.revokedAt !== null || now >= key.expiresAt) throw new UnauthenticatedError('another');
      noteUse(key, now);
      return key.principal;
    },
    close: stop,
  };
}
