import type { PageId } from '../memory/page.ts';
import { MAX_BODY_BYTES } from '../memory/parse-page-input.ts';
import type { SessionId } from '../memory/session.ts';
import type { DraftObservation, SessionDraft, SessionState } from '../memory/session-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { IS_SEEN, scopeValues } from './page-view.ts';
import {
  PATHS_ABOUT,
  SENSITIVITY_NOW,
  SESSION_COLUMNS,
  SESSION_IS_SEEN,
  type SessionRow,
  toSession,
} from './session-rows.ts';

type DraftRow = SessionRow & {
  readonly project: string;
  readonly revision: number;
  readonly highest: number;
  readonly total: number;
};

type TextRow = DraftObservation & { readonly session_id: SessionId };

/** What the end of a session has to write. Give it a snapshot. */
export async function findDraft(
  connection: Connection,
  view: View,
  id: SessionId,
): Promise<SessionDraft | null> {
  const [seen] = await connection.query<{ id: SessionId }>({
    name: 'session_find_to_end',
    text: `select s.id from session s where s.id = $4 and ${SESSION_IS_SEEN}`,
    values: [...scopeValues(view), id],
  });
  if (seen === undefined) return null;
  const [draft] = await readDrafts(connection, view.tenant, [id], null);
  return draft ?? null;
}

/** As `SessionStore.listDerived`. */
export async function listDerived(
  connection: Connection,
  view: View,
  pageId: PageId,
): Promise<readonly SessionState[] | null> {
  const rows = await connection.query<SessionState | { readonly sessionId: null }>({
    name: 'session_list_derived',
    text: `
      select told.id as "sessionId", told.revision
      from page p
      left join (
        select distinct s.id, s.revision
        from observation_page about
        join session s on s.tenant = $1 and s.id = about.session_id and s.page_id <> $4
        where about.tenant = $1 and about.page_id = $4
      ) told on true
      where p.id = $4 and ${IS_SEEN}
      order by told.id
    `,
    values: [...scopeValues(view), pageId],
  });
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.sessionId === null ? [] : [row]));
}

/** What the pages of sessions say. Give it a snapshot. @param without  observations about this page are left out */
export async function readDrafts(
  connection: Connection,
  tenant: string,
  ids: readonly SessionId[],
  without: PageId | null,
): Promise<SessionDraft[]> {
  const isKept = `
    o.tenant = $1 and ($3::uuid is null or not exists (
      select from observation_page gone
      where gone.tenant = $1 and gone.session_id = o.session_id and gone.position = o.position
        and gone.page_id = $3::uuid
    ))`;
  const values = [tenant, ids, without];
  const sessions = await connection.query<DraftRow>({
    name: 'session_list_drafts',
    text: `
      select ${SESSION_COLUMNS}, s.revision, project.name as project, seen.total,
        greatest(s.sensitivity, seen.highest) as highest
      from session s
      join project on project.tenant = $1 and project.id = s.project_id
      cross join lateral (
        select count(*) as total, max(greatest(o.sensitivity, ${SENSITIVITY_NOW})) as highest
        from observation o
        where o.session_id = s.id and ${isKept}
      ) seen
      where s.tenant = $1 and s.id = any($2::uuid[])
      order by s.id
    `,
    values,
  });
  const texts = await connection.query<TextRow>({
    name: 'observation_list_for_page',
    text: `
      select o.session_id, o.text, o.importance, ${PATHS_ABOUT} as paths
      from (
        select o.*, sum(octet_length(o.text)) over (
          partition by o.session_id order by o.importance desc, o.position
        ) as bytes
        from observation o
        where o.session_id = any($2::uuid[]) and ${isKept}
      ) o
      where o.bytes - octet_length(o.text) < ${MAX_BODY_BYTES}
      order by o.session_id, o.importance desc, o.position
    `,
    values,
  });
  const bySession = Map.groupBy(texts, ({ session_id }) => session_id);
  return sessions.map(
    (row): SessionDraft => ({
      session: toSession(row),
      project: row.project,
      sensitivity: row.highest,
      observations: (bySession.get(row.id) ?? []).map(({ text, importance, paths }) => ({
        ...{ text, importance, paths },
      })),
      total: row.total,
      revision: row.revision,
    }),
  );
}
