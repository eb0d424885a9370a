import { type Caller, requireScope } from './caller.ts';
import { NotFoundError } from './errors.ts';
import type { Committed } from './memory-writer.ts';
import { prepareSessionPages, untilUnchanged } from './prepare-session-page.ts';
import type { SessionId } from './session.ts';
import type { Stores } from './stores.ts';

/**
 * Ends a session: writes its page by rule, without a model, and makes the session evidence for each
 * page that was observed in it. Ending it again changes nothing.
 *
 * Costs one embedding for each passage of the page.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {NotFoundError} if the caller sees no such session
 * @throws {SessionBusyError} if more is recorded each time it is about to end
 */
export async function endSession(
  stores: Pick<Stores, 'sessions' | 'embedder' | 'redactor'>,
  caller: Caller,
  sessionId: SessionId,
): Promise<Committed<SessionId>> {
  requireScope(caller, 'memory:write');
  return untilUnchanged(async () => {
    const draft = await stores.sessions.findDraft(caller.view, sessionId);
    if (draft === null) throw new NotFoundError('session', 'a session');
    const [write] = await prepareSessionPages(stores, [draft], 'NEW');
    if (write === undefined) throw new Error('Expected one prepared write, but got none.');
    return stores.sessions.end(caller.view, write);
  });
}
