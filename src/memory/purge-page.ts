import { type Caller, requireScope } from './caller.ts';
import { NotFoundError } from './errors.ts';
import type { Committed, PurgeCounts, SessionPageWrite } from './memory-writer.ts';
import type { PageId } from './page.ts';
import { prepareSessionPages, untilUnchanged } from './prepare-session-page.ts';
import type { SessionId } from './session.ts';
import type { SessionState } from './session-store.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** What a purge needs from outside. */
export type PurgeStores = Pick<Stores, 'writer' | 'sessions' | 'embedder' | 'redactor'>;

/** Sessions whose pages are made at once: bounds the texts of one step. */
const SESSIONS_AT_ONCE = 20;

/**
 * Removes a page for good, with all versions, passages, vectors, evidence, hints and edges; links of
 * other pages wait for its path again.
 *
 * What sessions observed about the page goes with it, and the page of each such session is made anew
 * from what is left, without its earlier versions, hints, tags and attributes: what was taken from the
 * purged page stands in them, and so may what people wrote into them since. Of the page of a session,
 * the session goes.
 *
 * Costs one embedding for each passage of those pages; what changed meanwhile is made once more.
 *
 * @returns numbers of what the caller could see of it; what they could not goes too
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if the caller sees no such page; nothing is made then
 * @throws {SessionBusyError} if its sessions change each time it is about to be removed
 */
export async function purgePage(
  stores: PurgeStores,
  caller: Caller,
  pageId: PageId,
): Promise<Committed<PurgeCounts>> {
  requireScope(caller, 'memory:write');
  const { view, principal } = caller;
  const made = new Map<SessionId, SessionPageWrite>();
  const { result, graphSequence } = await untilUnchanged(async () => {
    const told = await stores.sessions.listDerived(view, pageId);
    if (told === null) throw new NotFoundError('id', 'a page');
    await makeAnew(stores, view, pageId, told, made);
    const derived = told.flatMap(({ sessionId }) => made.get(sessionId) ?? []);
    return stores.writer.purgePage(view, pageId, principal.name, derived);
  });
  if (result === null) throw new NotFoundError('id', 'a page');
  return { result, graphSequence };
}

/** The pages of sessions that tell of the page, but for those that are made already of the same state. */
async function makeAnew(
  stores: PurgeStores,
  view: View,
  pageId: PageId,
  told: readonly SessionState[],
  made: Map<SessionId, SessionPageWrite>,
): Promise<void> {
  const due = told
    .filter(({ sessionId, revision }) => made.get(sessionId)?.revision !== revision)
    .map(({ sessionId }) => sessionId);
  for (let at = 0; at < due.length; at += SESSIONS_AT_ONCE) {
    const ids = due.slice(at, at + SESSIONS_AT_ONCE);
    const drafts = await stores.sessions.listDraftsWithout(view, pageId, ids);
    for (const write of await prepareSessionPages(stores, drafts, 'ANEW')) {
      made.set(write.sessionId, write);
    }
  }
}
