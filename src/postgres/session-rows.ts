import type { PageId, ProjectId } from '../memory/page.ts';
import type { Observation, Session, SessionId } from '../memory/session.ts';
import { toSensitivity } from './page-rows.ts';

/** The view sees `session s`; $1 to $3 are those of `viewValues`. */
export const SESSION_IS_SEEN = `(
  s.tenant = $1 and s.project_id = any($2::uuid[]) and s.sensitivity <= $3::int2
)`;

/**
 * The view sees `observation o` of a session that it sees: what it is about has been, and is, within
 * the clearance. Its pages are of the session's project.
 */
export const OBSERVATION_IS_SEEN = `(
  o.sensitivity <= $3::int2 and not exists (
    select from observation_page about
    join page p on p.tenant = about.tenant and p.id = about.page_id
    where about.tenant = $1 and about.session_id = o.session_id and about.position = o.position
      and p.sensitivity > $3::int2
  )
)`;

/** `session s`, as `toSession` reads it. */
export const SESSION_COLUMNS = `s.id, s.project_id, s.agent, s.task, s.sensitivity, s.started_at,
  s.ended_at, s.page_id`;

/** `observation o`, as `toObservation` reads it. */
export const OBSERVATION_COLUMNS = `o.session_id, o.position, o.text, o.importance, o.recorded_at,
  array(
    select about.page_id from observation_page about
    join page p on p.tenant = about.tenant and p.id = about.page_id
    where about.tenant = $1 and about.session_id = o.session_id and about.position = o.position
    order by p.path
  ) as page_ids`;

export type SessionRow = {
  readonly id: SessionId;
  readonly project_id: ProjectId;
  readonly agent: string;
  readonly task: string;
  readonly sensitivity: number;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly page_id: PageId | null;
};

export type ObservationRow = {
  readonly session_id: SessionId;
  readonly position: number;
  readonly text: string;
  readonly importance: number;
  readonly recorded_at: number;
  readonly page_ids: readonly PageId[];
};

export function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    projectId: row.project_id,
    agent: row.agent,
    task: row.task,
    sensitivity: toSensitivity(row.sensitivity),
    startedAt: row.started_at,
    endedAt: row.ended_at,
    pageId: row.page_id,
  };
}

export function toObservation(row: ObservationRow): Observation {
  return {
    sessionId: row.session_id,
    position: row.position,
    text: row.text,
    importance: row.importance,
    pageIds: row.page_ids,
    recordedAt: row.recorded_at,
  };
}
