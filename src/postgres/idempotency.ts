import type { Committed, Idempotency } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import { AnswerPurgedError, IdempotencyConflictError } from '../memory/write-conflicts.ts';
import type { Connection } from './connect.ts';

/**
 * Does work once for a key, in the transaction of the work: a retry gets the first answer, and of
 * two at the same time the second waits for the first.
 *
 * @throws {IdempotencyConflictError} if the key was used for another request
 * @throws {AnswerPurgedError} if a page of the first answer was purged
 */
export async function once<T>(
  connection: Connection,
  {
    tenant,
    idempotency,
    now,
    toPageIds,
  }: {
    readonly tenant: string;
    readonly idempotency: Idempotency | null;
    readonly now: number;
    /** The pages that a result names, so that a purge of one finds the answer. */
    readonly toPageIds: (result: T) => readonly PageId[];
  },
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
      answer: Committed<T> | null;
    }>({
      name: 'idempotency_key_find',
      text: `
        select operation, request_sha256, answer from idempotency_key
        where tenant = $1 and principal = $2 and key = $3
      `,
      values: [tenant, principal, key],
    });
    if (found?.answer === null) throw new AnswerPurgedError(key);
    if (found?.operation !== operation || found.request_sha256 !== requestSha256) {
      throw new IdempotencyConflictError(key);
    }
    return found.answer;
  }

  const answer = await work();
  await connection.query({
    name: 'idempotency_key_answer',
    text: `
      update idempotency_key set answer = $4::jsonb, page_ids = $5::uuid[]
      where tenant = $1 and principal = $2 and key = $3
    `,
    values: [
      tenant,
      principal,
      key,
      JSON.stringify(answer),
      [...new Set(toPageIds(answer.result))],
    ],
  });
  return answer;
}

/**
 * Empties the answers that name a page, and what the requests were recognised by: a digest of few
 * words tells them. The keys stay, so that a late retry does not make the page again.
 */
export async function forgetAnswers(
  connection: Connection,
  tenant: string,
  pageId: PageId,
): Promise<void> {
  await connection.query({
    name: 'idempotency_key_forget_page',
    text: `
      update idempotency_key_of_tenant set answer = 'null', request_sha256 = '', page_ids = '{}'
      where tenant = $1 and page_ids @> array[$2::uuid]
    `,
    values: [tenant, pageId],
  });
}
