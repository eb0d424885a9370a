/** What asks a process to end. */
export const END_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Calls `end` at the first of the signals. The others, and more of the same, change nothing: a second
 * one would otherwise end the process in the middle of its closing.
 */
export function onceAsked(end: (signal: NodeJS.Signals) => Promise<void>): void {
  let isAsked = false;
  for (const signal of END_SIGNALS) {
    process.on(signal, () => {
      if (isAsked) return;
      isAsked = true;
      void end(signal);
    });
  }
}
