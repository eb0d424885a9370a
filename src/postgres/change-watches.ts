import {
  type ChangeFeed,
  type ChangeWatch,
  MAX_WATCHES,
  SubscriptionLimitError,
} from '../memory/change-feed.ts';
import type { TenantDatabase } from './connect.ts';
import { OUTBOX_CHANNEL } from './outbox.ts';

export type ChangeWatches = Pick<ChangeFeed, 'watch' | 'close'> & { readonly count: number };

/**
 * Watches of a process. However many there are, they share one place among those who listen to the
 * database; without any, nothing listens.
 */
export function createChangeWatches(database: Pick<TenantDatabase, 'listen'>): ChangeWatches {
  const watches = new Map<string, Set<Watch>>();
  let isClosed = false;
  let unlisten: (() => Promise<void>) | null = null;
  let settled: Promise<void> = Promise.resolve();

  /** Listens or stops, as is due once all calls before have done. */
  function settle(): Promise<void> {
    const settling = settled.then(async () => {
      const isNeeded = watches.size > 0 && !isClosed;
      if (isNeeded && unlisten === null) {
        unlisten = await database.listen(OUTBOX_CHANNEL, wake);
      } else if (!isNeeded && unlisten !== null) {
        const stopListening = unlisten;
        unlisten = null;
        await stopListening();
      }
    });
    // A store that is away tells those who wait for it; the next call tries again.
    settled = settling.catch(() => undefined);
    return settling;
  }

  /** An empty tenant may be any. */
  function wake(tenant: string): void {
    if (tenant !== '') for (const watch of watches.get(tenant) ?? []) watch.wake();
    else for (const ofTenant of watches.values()) for (const watch of ofTenant) watch.wake();
  }

  function remove(tenant: string, watch: Watch): void {
    const ofTenant = watches.get(tenant);
    if (ofTenant?.delete(watch) !== true) return;
    if (ofTenant.size === 0) watches.delete(tenant);
    void settle().catch(() => undefined);
  }

  const count = () => [...watches.values()].reduce((sum, { size }) => sum + size, 0);

  return {
    get count() {
      return count();
    },

    async watch(tenant) {
      if (count() >= MAX_WATCHES) throw new SubscriptionLimitError();
      const watch = new Watch(() => remove(tenant, watch));
      const ofTenant = watches.get(tenant);
      if (ofTenant === undefined) watches.set(tenant, new Set([watch]));
      else ofTenant.add(watch);
      if (isClosed) watch.stop();
      try {
        await settle();
      } catch (error) {
        watch.stop();
        throw error;
      }
      return watch;
    },

    async close() {
      isClosed = true;
      for (const watch of [...watches.values()].flatMap((each) => [...each])) watch.stop();
      await settle().catch(() => undefined);
    },
  };
}

/** A wake while no one waits ends the next wait at once. */
class Watch implements ChangeWatch {
  readonly #onStop: () => void;
  #isOver = false;
  #isWoken = false;
  #end: () => void = () => undefined;

  constructor(onStop: () => void) {
    this.#onStop = onStop;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  wake(): void {
    this.#isWoken = true;
    this.#end();
  }

  stop(): void {
    this.#isOver = true;
    this.#end();
    this.#onStop();
  }

  async changed(timeoutMs: number): Promise<void> {
    if (!this.#isWoken && !this.#isOver) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isWoken = false;
  }
}
