import { type Caller, requireScope } from './caller.ts';
import { toIdempotency } from './idempotency.ts';
import type { PageId } from './page.ts';
import type { Verdict } from './salience.ts';
import type { Stores } from './stores.ts';

/**
 * Counts what somebody says of a page, which moves its salience; `USEFUL` is one more piece of
 * evidence. No version of the page comes of it.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if the caller sees no such page
 */
export async function giveFeedback(
  { writer }: Pick<Stores, 'writer'>,
  caller: Caller,
  {
    idempotencyKey,
    ...feedback
  }: {
    readonly pageId: PageId;
    readonly verdict: Verdict;
    readonly idempotencyKey?: string | null | undefined;
  },
): Promise<PageId> {
  requireScope(caller, 'memory:write');
  const idempotency = toIdempotency(caller, 'giveFeedback', idempotencyKey, feedback);
  await writer.giveFeedback(caller.view, feedback, idempotency);
  return feedback.pageId;
}
