import type { PageId, ProjectId } from '../memory/page.ts';
import type { Observation, Session, SessionId } from '../memory/session.ts';
import { toSensitivity } from './page-rows.ts';

/** The view sees `session s`; $1 to $3 are those of `viewValues`. */
export const SESSION_IS_SEEN = `(
  s.tenant = $1 and s.project_id = any($2::uuid[]) and s.sensitivity <= $3::int2
)`;

/**
 * The pages of what `observation o` is about, as `p`: by its key, then each page by its own. A join that
 * the planner may turn round reads all that was ever observed, once for each row, where the tables have
 * grown since their statistics: 500 observations took minutes.
 */
const ABOUT = `observation_page about
    cross join lateral (
      select sensitivity, path from page where tenant = $1 and id = about.page_id offset 0) p
    where about.tenant = $1 and about.session_id = o.session_id and about.position = o.position`;

/** How sensitive what `observation o` is about is now, 0 to 3. $1 is the tenant. */
export const SENSITIVITY_NOW = `coalesce((select max(p.sensitivity) from ${ABOUT}), 0)`;

/**
 * The view sees `observation o` of a session that it sees: what it is about has been, and is, within
 * the clearance. Its pages are of the session's project.
 */
export const OBSERVATION_IS_SEEN = `(
  o.sensitivity <= $3::int2 and ${SENSITIVITY_NOW} <= $3::int2
)`;

/** Paths of the pages that `observation o` is about, ascending. $1 is the tenant. */
export const PATHS_ABOUT = `array(select p.path from ${ABOUT} order by p.path)`;

/** `session s`, as `toSession` reads it. */
export const SESSION_COLUMNS = `s.id, s.project_id, s.agent, s.task, s.sensitivity, s.started_at,
  s.ended_at, s.page_id`;

/** `observation o`, as `toObservation` reads it. */
export const OBSERVATION_COLUMNS = `o.session_id, o.position, o.text, o.importance, o.recorded_at,
  array(select about.page_id from ${ABOUT} order by p.path) as page_ids`;

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
