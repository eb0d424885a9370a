import { NotFoundError } from '../memory/errors.ts';
import type { WrittenPage } from '../memory/memory-writer.ts';
import type { ProjectId } from '../memory/page.ts';
import type { SessionId } from '../memory/session.ts';
import type { View } from '../memory/view.ts';
import { SessionEndedError } from '../memory/write-conflicts.ts';
import type { Connection } from './connect.ts';
import { scopeValues } from './page-view.ts';
import { insertSessionEvidence } from './session-evidence.ts';
import { SESSION_IS_SEEN } from './session-rows.ts';

export type OpenSession = {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly sensitivity: number;
  readonly endedAt: number | null;
  readonly revision: number;
};

/**
 * The session that a write adds to.
 *
 * @throws {NotFoundError} if the view sees none
 * @throws {SessionEndedError} if it is over, unless that is no matter
 */
export async function lockSession(
  connection: Connection,
  view: View,
  id: SessionId,
  which: 'OPEN' | 'ALSO_ENDED' = 'OPEN',
): Promise<OpenSession> {
  const [session] = await connection.query<OpenSession>({
    name: 'session_lock',
    text: `
      select s.id, s.project_id as "projectId", s.sensitivity, s.ended_at as "endedAt", s.revision
      from session s where s.id = $4 and ${SESSION_IS_SEEN}
      for no key update of s
    `,
    values: [...scopeValues(view), id],
  });
  if (session === undefined) throw new NotFoundError('session', 'a session');
  if (session.endedAt !== null && which === 'OPEN') throw new SessionEndedError();
  return session;
}

/** The next places in the order of a session. */
export async function takePlaces(
  connection: Connection,
  tenant: string,
  id: SessionId,
  count: number,
): Promise<number[]> {
  const [row] = await connection.query<{ revision: number }>({
    name: 'session_take_places',
    text: `
      update session set revision = revision + $3 where tenant = $1 and id = $2
      returning revision
    `,
    values: [tenant, id, count],
  });
  const last = row?.revision ?? 0;
  return Array.from({ length: count }, (_, index) => last - count + index + 1);
}

/** Notes that a session recorded pages, in their order; it is evidence for each of them. */
export async function recordPages(
  connection: Connection,
  tenant: string,
  id: SessionId,
  pages: readonly WrittenPage[],
  now: number,
): Promise<void> {
  const positions = await takePlaces(connection, tenant, id, pages.length);
  const pageIds = pages.map(({ pageId }) => pageId);
  await connection.query({
    name: 'session_page_insert_many',
    text: `
      insert into session_page (tenant, session_id, position, page_id, version)
      select $1, $2, n.position, n.page_id, n.version
      from unnest($3::int4[], $4::uuid[], $5::int4[]) as n(position, page_id, version)
    `,
    values: [tenant, id, positions, pageIds, pages.map(({ version }) => version)],
  });
  await insertSessionEvidence(connection, tenant, id, pageIds, now);
}
