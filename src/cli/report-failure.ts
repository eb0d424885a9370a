import { ConfigError } from '../config.ts';
import { MemoryError } from '../memory/errors.ts';

/** Says what went wrong on standard error, and ends the process with 1 once running work is done. */
export function reportFailure(error: unknown): void {
  const isKnown = error instanceof MemoryError || error instanceof ConfigError;
  process.stderr.write(isKnown ? `${error.message}\n` : `${describe(error)}\n`);
  process.exitCode = 1;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
