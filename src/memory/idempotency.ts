import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';
import type { Idempotency } from './memory-writer.ts';
import { parseText } from './text-input.ts';

/** Longest idempotency key, bytes of UTF-8. */
const MAX_KEY_BYTES = 255;

/** What a retry is recognised by: the key, and a digest of everything that was asked. */
export function toIdempotency(
  { principal }: Caller,
  operation: string,
  key: string | null | undefined,
  request: unknown,
): Idempotency | null {
  if (key == null) return null;
  parseText(key, { field: 'idempotencyKey', allowBlank: false, maxBytes: MAX_KEY_BYTES });
  const requestSha256 = createHash('sha256').update(JSON.stringify(request)).digest('hex');
  return { principal: principal.name, key, operation, requestSha256 };
}
