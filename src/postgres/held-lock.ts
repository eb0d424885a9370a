import type { Pool, PoolClient } from 'pg';
import { fromConnectError } from './errors.ts';

/** A lock that only one process has, for as long as its connection lives. */
export type HeldLock = {
  /** False once the connection is lost, and the lock with it. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
};

/**
 * Has the server notice within seconds that the holder's machine is gone, so that another process
 * can take over: probes after 1 s of silence, twice, 1 s apart.
 */
const NOTICE_LOSS = `
  set tcp_keepalives_idle = 1; set tcp_keepalives_interval = 1; set tcp_keepalives_count = 2;
  set tcp_user_timeout = 4000; set idle_session_timeout = 0`;

/**
 * Tries to take an advisory lock on a connection of its own; null when another process has it.
 *
 * @param pool  with a `query_timeout`: over a network that is held up no answer ever comes
 * @throws {StoreUnavailableError} if Postgres does not answer
 */
export async function tryHoldLock(pool: Pool, key: number): Promise<HeldLock | null> {
  const client = await pool.connect().catch((error: unknown) => {
    throw fromConnectError(error);
  });
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
