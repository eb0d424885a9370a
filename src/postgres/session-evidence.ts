import type { PageId } from '../memory/page.ts';
import type { SessionId } from '../memory/session.ts';
import type { Connection } from './connect.ts';

/**
 * Makes a session evidence for pages as they are now, once for each. Where it spoke before for content
 * that was replaced, that row says nothing for the new content, and is never edited: then the session
 * speaks once more, by a row that names the version too, and still counts as one session.
 */
export async function insertSessionEvidence(
  connection: Connection,
  tenant: string,
  sessionId: SessionId,
  pageIds: readonly PageId[],
  now: number,
): Promise<void> {
  if (pageIds.length === 0) return;
  await connection.query({
    name: 'evidence_insert_of_session',
    text: `
      insert into evidence (tenant, page_id, source_kind, source_id, created_at)
      select $1, p.id, 'SESSION', case when earlier.is_there then $2 || '/' || p.version else $2 end,
        greatest($4::int8, p.recorded_at)
      from page p
      join page_version v on v.tenant = $1 and v.page_id = p.id and v.version = p.version
      cross join lateral (
        select exists (
          select from evidence e
          where e.tenant = $1 and e.page_id = p.id and e.source_kind = 'SESSION'
            and e.source_id = $2::text and e.created_at < v.believed_since
        ) as is_there
      ) earlier
      where p.tenant = $1 and p.id = any($3::uuid[])
      on conflict do nothing
    `,
    values: [tenant, sessionId, pageIds, now],
  });
}
