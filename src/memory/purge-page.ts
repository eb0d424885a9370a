import { type Caller, requireScope } from './caller.ts';
import { NotFoundError } from './errors.ts';
import type { Committed, PurgeCounts, SessionPageWrite } from './memory-writer.ts';
import { type PageId, sensitivityRank } from './page.ts';
import { prepareSessionPage, untilUnchanged } from './prepare-session-page.ts';
import type { Stores } from './stores.ts';

/** What a purge needs from outside. */
export type PurgeStores = Pick<Stores, 'writer' | 'sessions' | 'pages' | 'embedder' | 'redactor'>;

/**
 * Removes a page for good, with all versions, passages, vectors, evidence, hints and edges; links of
 * other pages wait for its path again.
 *
 * What sessions observed about the page goes with it, and the page of each such session is made anew
 * from what is left, without its earlier versions: what was taken from the purged page stands in
 * them, and so may what people wrote into them since. Of the page of a session, the session goes.
 *
 * @returns numbers of what the caller could see of it; what they could not goes too
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if the caller sees no such page
 * @throws {SessionBusyError} if its sessions change each time it is about to be removed
 */
export async function purgePage(
  stores: PurgeStores,
  caller: Caller,
  pageId: PageId,
): Promise<Committed<PurgeCounts>> {
  requireScope(caller, 'memory:write');
  const { view, principal } = caller;
  const { result, graphSequence } = await untilUnchanged(async () =>
    stores.writer.purgePage(view, pageId, principal.name, await makeAnew(stores, caller, pageId)),
  );
  if (result === null) throw new NotFoundError('id', 'a page');
  return { result, graphSequence };
}

/** The pages of sessions that tell of the page, whoever may see them: what is purged is in all of them. */
async function makeAnew(
  stores: PurgeStores,
  { view }: Caller,
  pageId: PageId,
): Promise<SessionPageWrite[]> {
  const drafts = await stores.sessions.listDraftsWithout(view, pageId);
  if (drafts.length === 0) return [];
  const everything = { ...view, clearance: sensitivityRank('RESTRICTED') };
  const ids = drafts.flatMap(({ session }) => session.pageId ?? []);
  const pages = await stores.pages.findMany(everything, ids);
  const found = new Map(pages.flatMap((page) => (page === null ? [] : [[page.id, page]])));
  return Promise.all(
    drafts.map((draft) =>
      prepareSessionPage(stores, draft, found.get(draft.session.pageId ?? '') ?? null),
    ),
  );
}
