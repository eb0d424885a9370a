import { StoreUnavailableError } from '../memory/errors.ts';
import type { ProjectorTurn } from '../memory/graph-projection.ts';
import { alignWatermarks, type Projection, projectChanges } from '../memory/project-changes.ts';

/** A notification may be lost with its connection; then the next look finds the change. */
const LOOK_EVERY_MS = 1_000;
/** Another process takes over within this after the holder's connection is gone. */
export const TRY_TURN_EVERY_MS = 1_000;
/** A graph that was lost, or put back from a copy, while nobody writes: no batch would tell. */
const ALIGN_EVERY_MS = 5_000;
/** A store that is away is asked again soon, since readers wait for it. */
const RETRY_AFTER_MS = 500;
/** What is no store that is away, a graph of a newer version for one, is not mended soon: the wait doubles. */
const LONGEST_RETRY_MS = 60_000;

export type Projector = {
  /** Whether this process is the one that projects. */
  readonly isActive: () => boolean;
  /** Ends after the batch that is under way; safe to repeat. */
  readonly close: () => Promise<void>;
};

/**
 * Carries changes into the graph for as long as the process runs: one process at a time, woken by
 * each commit. Nothing that goes wrong ends it: what is away is tried again, and what can't be
 * carried is noted and passed over.
 *
 * @param projection   `prepare` brings the schema of the graph up to date: before the first batch,
 *                     and again and again, since the graph may be lost and come back empty
 * @param reportError  takes what is neither a store that is away nor a change at fault: a bug
 */
export function startProjector(
  projection: Projection & { readonly prepare: () => Promise<void> },
  turn: ProjectorTurn,
  reportError: (error: unknown) => void,
): Projector {
  let isClosed = false;
  let isActive = false;
  let retryMs = RETRY_AFTER_MS;
  const wake = new Wake();

  async function run(): Promise<void> {
    while (!isClosed) {
      try {
        const held = await turn.take();
        if (held === null) {
          await wake.after(TRY_TURN_EVERY_MS);
          continue;
        }
        try {
          isActive = true;
          await project(held.isHeld);
        } finally {
          isActive = false;
          await held.release();
        }
      } catch (error) {
        const isAway = error instanceof StoreUnavailableError;
        if (!isAway) reportError(error);
        if (!isClosed) await wake.after(retryMs);
        retryMs = isAway ? RETRY_AFTER_MS : Math.min(2 * retryMs, LONGEST_RETRY_MS);
      }
    }
  }

  async function project(isHeld: () => boolean): Promise<void> {
    const unlisten = await turn.listen(() => wake.call());
    try {
      let alignedAt = Number.NEGATIVE_INFINITY;
      while (!isClosed && isHeld()) {
        if (performance.now() - alignedAt >= ALIGN_EVERY_MS) {
          await projection.prepare();
          await alignWatermarks(projection);
          alignedAt = performance.now();
        }
        const carried = await projectChanges(projection);
        retryMs = RETRY_AFTER_MS;
        if (carried === 0 && !isClosed) await wake.after(LOOK_EVERY_MS);
      }
    } finally {
      await unlisten().catch(() => undefined);
    }
  }

  const running = run();
  return {
    isActive: () => isActive,
    close: async () => {
      isClosed = true;
      wake.call();
      await running;
    },
  };
}

/** A wait that a call ends early; a call while no one waits ends the next wait at once. */
class Wake {
  #isCalled = false;
  #end: (() => void) | null = null;

  call(): void {
    this.#isCalled = true;
    this.#end?.();
  }

  async after(timeoutMs: number): Promise<void> {
    if (!this.#isCalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#end = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#end = null;
    }
    this.#isCalled = false;
  }
}
