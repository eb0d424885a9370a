import type { Observation, ObservationKey, Session, SessionId } from '../memory/session.ts';
import type { SessionNeighbour, SessionStore } from '../memory/session-store.ts';
import type { View } from '../memory/view.ts';
import { byRequest, type Counted } from './by-request.ts';
import type { Connection } from './connect.ts';
import { IS_SEEN, scopeValues } from './page-view.ts';
import {
  OBSERVATION_COLUMNS,
  OBSERVATION_IS_SEEN,
  type ObservationRow,
  SESSION_COLUMNS,
  SESSION_IS_SEEN,
  type SessionRow,
  toObservation,
  toSession,
} from './session-rows.ts';

export async function findSessions(
  connection: Connection,
  view: View,
  ids: readonly SessionId[],
): Promise<(Session | null)[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<SessionRow>({
    name: 'session_find_many',
    text: `select ${SESSION_COLUMNS} from session s where s.id = any($4::uuid[]) and ${SESSION_IS_SEEN}`,
    values: [...scopeValues(view), ids],
  });
  const found = new Map(rows.map((row) => [row.id, toSession(row)]));
  return ids.map((id) => found.get(id) ?? null);
}

export async function findObservations(
  connection: Connection,
  view: View,
  keys: readonly ObservationKey[],
): Promise<(Observation | null)[]> {
  if (keys.length === 0) return [];
  const rows = await connection.query<ObservationRow>({
    name: 'observation_find_many',
    text: `
      select ${OBSERVATION_COLUMNS}
      from unnest($4::uuid[], $5::int4[]) as asked(session_id, position)
      join session s on s.id = asked.session_id and ${SESSION_IS_SEEN}
      join observation o on o.tenant = $1 and o.session_id = s.id and o.position = asked.position
      where ${OBSERVATION_IS_SEEN}
    `,
    values: [
      ...scopeValues(view),
      keys.map(({ sessionId }) => sessionId),
      keys.map(({ position }) => position),
    ],
  });
  const found = new Map(rows.map((row) => [`${row.session_id} ${row.position}`, row]));
  return keys.map(({ sessionId, position }) => {
    const row = found.get(`${sessionId} ${position}`);
    return row === undefined ? null : toObservation(row);
  });
}

/** One row for each session and one more where there are others, all with the total. */
export async function listSessions(
  connection: Connection,
  view: View,
  requests: Parameters<SessionStore['list']>[1],
): ReturnType<SessionStore['list']> {
  if (requests.length === 0) return [];
  const rows = await connection.query<Counted<SessionRow>>({
    name: 'session_list',
    text: `
      select asked.request, counted.total, listed.*
      from unnest($4::uuid[], $5::int4[], $6::int8[], $7::uuid[]) with ordinality
        as asked(project_id, first, started_at, id, request)
      cross join lateral (
        select count(*) as total from session s
        where s.project_id = asked.project_id and ${SESSION_IS_SEEN}
      ) counted
      left join lateral (
        select ${SESSION_COLUMNS} from session s
        where s.project_id = asked.project_id and ${SESSION_IS_SEEN}
          and (asked.id is null or (s.started_at, s.id) < (asked.started_at, asked.id))
        order by s.started_at desc, s.id desc
        limit asked.first + 1
      ) listed on true
      order by asked.request, listed.started_at desc, listed.id desc
    `,
    values: [
      ...scopeValues(view),
      requests.map(({ projectId }) => projectId),
      requests.map(({ first }) => first),
      requests.map(({ after }) => after?.startedAt ?? null),
      requests.map(({ after }) => after?.id ?? null),
    ],
  });
  return byRequest(requests, rows, isSession).map(({ found, ...list }) => ({
    ...list,
    sessions: found.map(toSession),
  }));
}

/** As `listSessions`. */
export async function listObservations(
  connection: Connection,
  view: View,
  requests: Parameters<SessionStore['listObservations']>[1],
): ReturnType<SessionStore['listObservations']> {
  if (requests.length === 0) return [];
  const isListed = `o.tenant = $1 and o.session_id = s.id and ${OBSERVATION_IS_SEEN}`;
  const rows = await connection.query<Counted<ObservationRow>>({
    name: 'observation_list',
    text: `
      select asked.request, counted.total, listed.*
      from unnest($4::uuid[], $5::int4[], $6::int4[], $7::int4[]) with ordinality
        as asked(session_id, first, importance, position, request)
      join session s on s.id = asked.session_id and ${SESSION_IS_SEEN}
      cross join lateral (select count(*) as total from observation o where ${isListed}) counted
      left join lateral (
        select ${OBSERVATION_COLUMNS} from observation o
        where ${isListed} and (asked.importance is null or o.importance < asked.importance
          or (o.importance = asked.importance and o.position > asked.position))
        order by o.importance desc, o.position
        limit asked.first + 1
      ) listed on true
      order by asked.request, listed.importance desc, listed.position
    `,
    values: [
      ...scopeValues(view),
      requests.map(({ sessionId }) => sessionId),
      requests.map(({ first }) => first),
      requests.map(({ after }) => after?.importance ?? null),
      requests.map(({ after }) => after?.position ?? null),
    ],
  });
  return byRequest(requests, rows, isObservation).map(({ found, ...list }) => ({
    ...list,
    observations: found.map(toObservation),
  }));
}

/** Hidden pages and hidden sessions are stepped over: the nearest that is seen is the first neighbour. */
export async function listNeighbours(
  connection: Connection,
  view: View,
  pageIds: readonly string[],
  reach: number,
): Promise<SessionNeighbour[]> {
  if (pageIds.length === 0) return [];
  const nearest = (direction: 'BEFORE' | 'AFTER') => `
    select p.id as neighbour_id, '${direction}' as direction,
      row_number() over (order by near.position ${direction === 'BEFORE' ? 'desc' : 'asc'}) as distance
    from session_page near
    join page p on p.id = near.page_id and ${IS_SEEN}
    where near.tenant = $1 and near.session_id = own.session_id and near.page_id <> own.page_id
      and near.position ${direction === 'BEFORE' ? '<' : '>'} own.position
    order by near.position ${direction === 'BEFORE' ? 'desc' : 'asc'}
    limit $5::int8
  `;
  return connection.query<SessionNeighbour>({
    name: 'session_page_list_neighbours',
    text: `
      select distinct own.page_id as "pageId", own.session_id as "sessionId",
        near.neighbour_id as "neighbourId", near.direction, near.distance
      from session_page own
      join session s on s.id = own.session_id and ${SESSION_IS_SEEN}
      join page on page.tenant = $1 and page.id = own.page_id
        and page.project_id = any($2::uuid[]) and page.sensitivity <= $3::int2
      cross join lateral ((${nearest('BEFORE')}) union all (${nearest('AFTER')})) near
      where own.tenant = $1 and own.page_id = any($4::uuid[])
      order by 1, 2, 4 desc, 5, 3
    `,
    values: [...scopeValues(view), pageIds, reach],
  });
}

function isSession(row: Counted<SessionRow>): row is Counted<SessionRow> & SessionRow {
  return row.id !== null;
}

function isObservation(
  row: Counted<ObservationRow>,
): row is Counted<ObservationRow> & ObservationRow {
  return row.position !== null;
}
