import type { MemoryError } from './errors.ts';

/** The public fields of an error beside its message and code: `retryable`, `field`, `expected`, `received`, … */
export function detailsOf(error: MemoryError): Record<string, unknown> {
  const { name: _name, message: _message, stack: _stack, cause: _cause, ...details } = { ...error };
  return details;
}
