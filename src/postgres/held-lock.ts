import type { Pool, PoolClient } from 'pg';
import { fromConnectError } from './errors.ts';
import { lendClient } from './session.ts';

/** A lock that only one process has, for as long as its connection lives. */
export type HeldLock = {
  /** False once the connection is lost, and the lock with it. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
};

/** Probes after this much silence and then as far apart; the second that is not answered ends it. */
const PROBE_EVERY_SECONDS = 1;
const PROBES = 2;

/** In which the server notices that the holder's machine is gone, so that another process can take over. */
export const NOTICE_LOSS_MS = (1 + PROBES) * PROBE_EVERY_SECONDS * 1_000;

const NOTICE_LOSS = `
  set tcp_keepalives_idle = ${PROBE_EVERY_SECONDS};
  set tcp_keepalives_interval = ${PROBE_EVERY_SECONDS};
  set tcp_keepalives_count = ${PROBES};
  set tcp_user_timeout = ${NOTICE_LOSS_MS}; set idle_session_timeout = 0`;

/**
 * Tries to take an advisory lock on a connection of its own; null when another process has it.
 *
 * @param pool  with a `query_timeout`: over a network that is held up no answer ever comes
 * @throws {StoreUnavailableError} if Postgres does not answer
 */
export async function tryHoldLock(pool: Pool, key: number): Promise<HeldLock | null> {
  const client = await lendClient(pool);
  let isLost = false;
  const onLoss = () => {
    if (!isLost) client.release(true);
    isLost = true;
  };
  client.on('error', onLoss);
  client.on('end', onLoss);
  try {
    await client.query(NOTICE_LOSS);
    if (await tryLock(client, key)) return { isHeld: () => !isLost, release };
    await release();
    return null;
  } catch (error) {
    onLoss();
    throw fromConnectError(error);
  }

  /** The lock goes with the connection, so that nothing can stay locked by mistake. */
  async function release(): Promise<void> {
    client.off('error', onLoss);
    client.off('end', onLoss);
    client.on('error', () => undefined);
    if (!isLost) client.release(true);
    isLost = true;
  }
}

async function tryLock(client: PoolClient, key: number): Promise<boolean> {
  const { rows } = await client.query<{ is_taken: boolean }>(
    'select pg_try_advisory_lock($1) as is_taken',
    [key],
  );
  return rows[0]?.is_taken === true;
}
