import type { Changed, SessionPageWrite, WrittenPage } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import { sensitivityRank } from '../memory/page.ts';
import type { SessionId } from '../memory/session.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { findStandingPages } from './derived-pages.ts';
import { forgetAnswers } from './idempotency.ts';
import { writeInTurn } from './write-pages.ts';

/** How many of something go, and how many of them the view sees. */
export type GoneAndSeen = { readonly gone: number; readonly seen: number };

const NONE: GoneAndSeen = { gone: 0, seen: 0 };

type PurgedObservations = {
  readonly observations: GoneAndSeen;
  readonly sessionPages: GoneAndSeen;
  /** The pages that were written anew. */
  readonly told: readonly PageId[];
};

type AffectedRow = {
  readonly id: SessionId;
  readonly revision: number;
  /** The page that is to be made anew, if any. */
  readonly page_id: PageId | null;
  readonly is_seen: boolean;
};

/**
 * Removes what was observed of a page, and the session that the page is the end of, with all that
 * was observed in that. Pages of other sessions are written anew, without what they said before.
 *
 * @param derived  prepared without these observations; must be those of exactly the ended sessions
 * @returns `CHANGED`, with nothing done, when they are not
 */
export async function purgeObservations(
  connection: Connection,
  view: View,
  pageId: PageId,
  derived: readonly SessionPageWrite[],
  now: number,
): Promise<PurgedObservations | Changed> {
  const { tenant, projectIds, clearance } = view;
  const sessions = await connection.query<AffectedRow>({
    name: 'session_list_affected',
    text: `
      select s.id, s.revision, s.page_id,
        coalesce(p.project_id = any($3::uuid[]) and p.sensitivity <= $4, false) as is_seen
      from session s
      left join page p on p.tenant = $1 and p.id = s.page_id
      where s.tenant = $1 and s.page_id is distinct from $2 and s.id in (
        select session_id from observation_page where tenant = $1 and page_id = $2)
    `,
    values: [tenant, pageId, projectIds, clearance],
  });
  const told = sessions.filter(({ page_id }) => page_id !== null);
  const prepared = new Map(derived.map((each) => [each.sessionId, each.revision]));
  const isPrepared = told.every(({ id, revision }) => prepared.get(id) === revision);
  if (!isPrepared || prepared.size !== told.length) return 'CHANGED';

  // One look-up for each, by key or by row: row ids hold, since a tenant's writers take turns.
  const [observations = NONE] = await connection.query<GoneAndSeen>({
    name: 'observation_delete_of_page',
    text: `
      with of_page as materialized (
        select session_id, position from observation_page where tenant = $1 and page_id = $2
        union
        select o.session_id, o.position
        from session s join observation o on o.tenant = $1 and o.session_id = s.id
        where s.tenant = $1 and s.page_id = $2
      ), gone as materialized (
        select o.row_id, o.sensitivity <= $3 and not exists (
          select from observation_page a
          join page p on p.tenant = $1 and p.id = a.page_id
          where a.tenant = $1 and a.session_id = of_page.session_id
            and a.position = of_page.position and p.sensitivity > $3
        ) as is_seen
        from of_page cross join lateral (
          select ctid as row_id, sensitivity from observation
          where tenant = $1 and session_id = of_page.session_id and position = of_page.position
          offset 0) o
      ), deleted as (
        delete from observation where ctid = any(array(select row_id from gone))
      ), ended as (
        update session set revision = revision + 1 where tenant = $1 and id = any($4::uuid[])
      )
      select count(*) as gone, count(*) filter (where is_seen) as seen from gone
    `,
    values: [tenant, pageId, clearance, sessions.map(({ id }) => id)],
  });
  const own = await connection.query<{ id: SessionId }>({
    name: 'session_delete_of_page',
    text: 'delete from session where tenant = $1 and page_id = $2 returning id',
    values: [tenant, pageId],
  });
  for (const { id } of own) await forgetAnswers(connection, tenant, id);
  await replaceSessionPages(connection, view, derived, now);
  const seen = told.filter(({ is_seen }) => is_seen).length;
  return {
    observations,
    sessionPages: { gone: told.length, seen },
    told: told.flatMap(({ page_id }) => page_id ?? []),
  };
}

/** Pages of one step: bounds the texts that go to the database at once. */
const PAGES_AT_ONCE = 20;

/** Writes the pages of sessions anew, and removes what they said before. */
async function replaceSessionPages(
  connection: Connection,
  view: View,
  derived: readonly SessionPageWrite[],
  now: number,
): Promise<void> {
  // Whoever may purge the page may not see all that tells of it, and none of it may stay.
  const everything = { ...view, clearance: sensitivityRank('RESTRICTED') };
  for (let at = 0; at < derived.length; at += PAGES_AT_ONCE) {
    const writes = derived.slice(at, at + PAGES_AT_ONCE).map(({ write }) => write);
    const standing = await findStandingPages(connection, view.tenant, writes);
    const kept = writes.map((write, index) => ({ ...write, ...standing[index] }));
    const { result } = await writeInTurn(connection, everything, kept, now);
    await forgetEarlier(connection, view.tenant, result);
  }
}

async function forgetEarlier(
  connection: Connection,
  tenant: string,
  pages: readonly WrittenPage[],
): Promise<void> {
  await connection.query({
    name: 'page_version_delete_older',
    text: `
      delete from page_version v
      using unnest($2::uuid[], $3::int4[]) as n(page_id, version)
      where v.tenant = $1 and v.page_id = n.page_id and v.version < n.version
    `,
    values: [tenant, pages.map(({ pageId }) => pageId), pages.map(({ version }) => version)],
  });
}
