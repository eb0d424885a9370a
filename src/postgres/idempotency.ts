import { IdempotencyConflictError } from '../memory/errors.ts';
import type { Committed, Idempotency } from '../memory/memory-writer.ts';
import type { Connection } from './connect.ts';

/**
 * Does work once for a key, in the transaction of the work: a retry gets the first answer, and of
 * two at the same time the second waits for the first.
 *
 * @throws {IdempotencyConflictError} if the key was used for another request
 */
export async function once<T>(
  connection: Connection,
  tenant: string,
  idempotency: Idempotency | null,
  now: number,
  work: () => Promise<Committed<T>>,
): Promise<Committed<T>> {
  if (idempotency === null) return work();
  const { principal, key, operation, requestSha256 } = idempotency;

  const claimed = await connection.query({
    name: 'idempotency_key_claim',
    text: `
      insert into idempotency_key
        (tenant, principal, key, operation, request_sha256, answer, created_at)
      values ($1, $2, $3, $4, $5, 'null', $6)
      on conflict do nothing
      returning key
    `,
    values: [tenant, principal, key, operation, requestSha256, now],
  });

  if (claimed.length === 0) {
    const [found] = await connection.query<{
      operation: string;
      request_sha256: string;
      answer: Committed<T>;
    }>({
      name: 'idempotency_key_find',
      text: `
        select operation, request_sha256, answer from idempotency_key
        where tenant = $1 and principal = $2 and key = $3
      `,
      values: [tenant, principal, key],
    });
    if (found?.operation !== operation || found.request_sha256 !== requestSha256) {
      throw new IdempotencyConflictError(key);
    }
    return found.answer;
  }

  const answer = await work();
  await connection.query({
    name: 'idempotency_key_answer',
    text: `
      update idempotency_key set answer = $4::jsonb
      where tenant = $1 and principal = $2 and key = $3
    `,
    values: [tenant, principal, key, JSON.stringify(answer)],
  });
  return answer;
}
