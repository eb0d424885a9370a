import { type Caller, requireScope } from './caller.ts';
import { NotFoundError } from './errors.ts';
import type { Committed, PurgeCounts } from './memory-writer.ts';
import type { PageId } from './page.ts';
import type { Stores } from './stores.ts';

/**
 * Removes a page for good, with all versions, passages, vectors, evidence, hints and edges; links of
 * other pages wait for its path again.
 *
 * @returns numbers of what the caller could see of it; what they could not goes too
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if the caller sees no such page
 */
export async function purgePage(
  { writer }: Pick<Stores, 'writer'>,
  caller: Caller,
  pageId: PageId,
): Promise<Committed<PurgeCounts>> {
  requireScope(caller, 'memory:write');
  const { result, graphSequence } = await writer.purgePage(
    caller.view,
    pageId,
    caller.principal.name,
  );
  if (result === null) throw new NotFoundError('id', 'a page');
  return { result, graphSequence };
}
