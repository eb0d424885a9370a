import { setTimeout as delay } from 'node:timers/promises';
import { type ClientBase, escapeIdentifier, type Pool } from 'pg';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;

type OnNotify = (payload: string) => void;

/**
 * Who listens to which channel, over whichever connection there is. Give `adopt` to the pool as
 * `onConnect`: each new connection then listens to all of them.
 */
export class Channels {
  readonly #handlers = new Map<string, Set<OnNotify>>();

  get isEmpty(): boolean {
    return this.#handlers.size === 0;
  }

  /** Gives true for the first handler of a channel. */
  add(channel: string, onNotify: OnNotify): boolean {
    const handlers = this.#handlers.get(channel);
    if (handlers === undefined) this.#handlers.set(channel, new Set([onNotify]));
    else handlers.add(onNotify);
    return handlers === undefined;
  }

  /** Gives true when the channel has lost its last handler. */
  remove(channel: string, onNotify: OnNotify): boolean {
    const handlers = this.#handlers.get(channel);
    const isLast = handlers?.delete(onNotify) === true && handlers.size === 0;
    if (isLast) this.#handlers.delete(channel);
    return isLast;
  }

  /** Hears a connection, and has it listen to every channel. */
  async adopt(client: ClientBase): Promise<void> {
    client.on('notification', ({ channel, payload }) => {
      for (const onNotify of this.#handlers.get(channel) ?? []) onNotify(payload ?? '');
    });
    for (const channel of this.#handlers.keys()) await client.query(listenText(channel));
  }

  /** Tells every handler that something may have been missed. */
  announceGap(): void {
    for (const handlers of this.#handlers.values()) for (const onNotify of handlers) onNotify('');
  }
}

/**
 * Listens on the single connection of a pool, whose `onConnect` adopts `channels`. Where it is a
 * server's, the pool has a `query_timeout`: over a network that is held up no answer ever comes. When that
 * connection is lost while someone listens, it is made again, for as long as it takes.
 *
 * @returns `listen` as a database offers it
 */
export function createListen(pool: Pool, channels: Channels) {
  let isReviving = false;
  pool.on('remove', () => {
    if (!isReviving && !pool.ending && !channels.isEmpty) void revive();
  });

  async function revive(): Promise<void> {
    isReviving = true;
    let waitMs = FIRST_RETRY_MS;
    while (!pool.ending && !channels.isEmpty) {
      const isBack = await say('select 1').then(
        () => true,
        () => false,
      );
      if (isBack) {
        channels.announceGap();
        break;
      }
      await delay(waitMs, undefined, { ref: false });
      waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS);
    }
    isReviving = false;
  }

  async function say(text: string): Promise<void> {
    const client = await pool.connect();
    let isWell = true;
    const onError = () => {
      isWell = false;
    };
    client.on('error', onError);
    try {
      await client.query(text).catch((error: unknown) => {
        // It may be held up, and would be for all who come after.
        isWell = false;
        throw error;
      });
    } finally {
      client.off('error', onError);
      client.release(!isWell);
    }
  }

  return async (channel: string, onNotify: OnNotify): Promise<() => Promise<void>> => {
    const isFirst = channels.add(channel, onNotify);
    try {
      if (isFirst) await say(listenText(channel));
    } catch (error) {
      channels.remove(channel, onNotify);
      throw error;
    }
    return async () => {
      if (channels.remove(channel, onNotify) && !pool.ending) {
        await say(`unlisten ${escapeIdentifier(channel)}`);
      }
    };
  };
}

function listenText(channel: string): string {
  return `listen ${escapeIdentifier(channel)}`;
}
