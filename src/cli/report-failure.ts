import { ConfigError } from '../config.ts';
import { MemoryError, StoreUnavailableError } from '../memory/errors.ts';

/** Says what went wrong on standard error, and ends the process with 1 once running work is done. */
export function reportFailure(error: unknown): void {
  const isKnown = error instanceof MemoryError || error instanceof ConfigError;
  process.stderr.write(isKnown ? `${error.message}${reasonOf(error)}\n` : `${describe(error)}\n`);
  process.exitCode = 1;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Why a store is away, as its driver says it: whoever starts the process can mend that, a caller can not. */
function reasonOf(error: Error): string {
  if (!(error instanceof StoreUnavailableError && error.cause instanceof Error)) return '';
  return `\nThe reason: ${error.cause.message}\n\`causeway doctor\` looks closer.`;
}
