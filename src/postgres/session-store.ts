import { v7 as newId } from 'uuid';
import { NotFoundError } from '../memory/errors.ts';
import type { Changed, Committed, Idempotency, SessionPageWrite } from '../memory/memory-writer.ts';
import type { PageId } from '../memory/page.ts';
import type { ObservationKey, SessionId } from '../memory/session.ts';
import type { NewObservation, NewSession, SessionStore } from '../memory/session-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { findStandingPages } from './derived-pages.ts';
import { once } from './idempotency.ts';
import { findNewest } from './outbox.ts';
import { findDraft, listDerived, readDrafts } from './session-drafts.ts';
import { insertSessionEvidence } from './session-evidence.ts';
import {
  findObservations,
  findSessions,
  listNeighbours,
  listObservations,
  listSessions,
} from './session-lists.ts';
import { lockSession, type OpenSession, takePlaces } from './session-order.ts';
import { writeInTurn } from './write-pages.ts';
import { writeTransaction } from './write-transaction.ts';

/** Sessions over a Postgres database; each write is one transaction. */
export function createSessionStore(database: TenantDatabase, clock: () => number): SessionStore {
  return {
    start: (view, session, idempotency) => start(database, view, session, idempotency, clock()),
    observe: (view, observation, idempotency) =>
      observe(database, view, observation, idempotency, clock()),
    end: (view, write) => end(database, view, write, clock()),
    findDraft: (view, id) =>
      database
        .ofTenant(view.tenant)
        .transaction('SNAPSHOT', (connection) => findDraft(connection, view, id)),
    listDerived: (view, pageId) => listDerived(database.ofTenant(view.tenant), view, pageId),
    listDraftsWithout: ({ tenant }, pageId, ids) =>
      database
        .ofTenant(tenant)
        .transaction('SNAPSHOT', (connection) => readDrafts(connection, tenant, ids, pageId)),
    findMany: (view, ids) => findSessions(database.ofTenant(view.tenant), view, ids),
    findObservations: (view, keys) => findObservations(database.ofTenant(view.tenant), view, keys),
    list: (view, requests) => listSessions(database.ofTenant(view.tenant), view, requests),
    listObservations: (view, requests) =>
      listObservations(database.ofTenant(view.tenant), view, requests),
    listNeighbours: (view, pageIds, reach) =>
      listNeighbours(database.ofTenant(view.tenant), view, pageIds, reach),
  };
}

async function start(
  database: TenantDatabase,
  { tenant }: View,
  session: NewSession,
  idempotency: Idempotency | null,
  now: number,
): Promise<SessionId> {
  const { result } = await writeTransaction(database, tenant, (connection) =>
    once(
      connection,
      // A session goes with its page, and then its answers do.
      { tenant, idempotency, now, toPageIds: (id: SessionId) => [id] },
      async () => {
        const id = newId();
        await connection.query({
          name: 'session_insert',
          text: `
            insert into session (tenant, id, project_id, agent, task, sensitivity, started_at)
            values ($1, $2, $3, $4, $5, $6, $7)
          `,
          values: [
            tenant,
            id,
            session.projectId,
            session.agent,
            session.task,
            session.sensitivity,
            now,
          ],
        });
        return { result: id, graphSequence: await findNewest(connection, tenant) };
      },
    ),
  );
  return result;
}

type Observed = ObservationKey & { readonly pageIds: readonly PageId[] };

async function observe(
  database: TenantDatabase,
  view: View,
  observation: NewObservation,
  idempotency: Idempotency | null,
  now: number,
): Promise<ObservationKey> {
  const { tenant } = view;
  const toPageIds = ({ sessionId, pageIds }: Observed) => [sessionId, ...pageIds];
  const { result } = await writeTransaction(database, tenant, (connection) =>
    once(connection, { tenant, idempotency, now, toPageIds }, async () => {
      const session = await lockSession(connection, view, observation.sessionId);
      const pages = await findObserved(connection, view, session, observation);
      const [position] = await takePlaces(connection, tenant, session.id, 1);
      await connection.query({
        name: 'observation_insert',
        text: `
          with added as (
            insert into observation
              (tenant, session_id, position, text, importance, sensitivity, recorded_at)
            values ($1, $2, $3, $4, $5, $6, $7)
          ), about as (
            insert into observation_page (tenant, session_id, position, page_id)
            select $1, $2, $3, page_id from unnest($8::uuid[]) as n(page_id)
          )
          insert into evidence (tenant, page_id, source_kind, source_id, created_at)
          select $1, p.id, 'OBSERVATION', $2::uuid || '/' || $3::int4, greatest($7::int8, p.recorded_at)
          from page p where p.tenant = $1 and p.id = any($8::uuid[])
        `,
        values: [
          tenant,
          session.id,
          position,
          observation.text,
          observation.importance,
          Math.max(session.sensitivity, ...pages.map(({ sensitivity }) => sensitivity)),
          now,
          pages.map(({ id }) => id),
        ],
      });
      return {
        result: {
          sessionId: session.id,
          position: position ?? 0,
          pageIds: pages.map(({ id }) => id),
        },
        graphSequence: await findNewest(connection, tenant),
      };
    }),
  );
  return { sessionId: result.sessionId, position: result.position };
}

type ObservedRow = { readonly position: number; readonly id: PageId; readonly sensitivity: number };

/** The pages that an observation is about, each once. */
async function findObserved(
  connection: Connection,
  { tenant, projectIds, clearance }: View,
  { projectId }: OpenSession,
  { about }: NewObservation,
): Promise<ObservedRow[]> {
  if (about.length === 0) return [];
  const asked = 'unnest($4::uuid[], $5::text[]) with ordinality as a(id, path, position)';
  const isSeen = `p.tenant = $1 and p.project_id = $6 and p.project_id = any($2::uuid[])
    and p.sensitivity <= $3`;
  const rows = await connection.query<ObservedRow>({
    name: 'page_list_observed',
    text: `
      select a.position, p.id, p.sensitivity from ${asked} join page p on p.id = a.id and ${isSeen}
      union all
      select a.position, p.id, p.sensitivity from ${asked} join page p on p.path = a.path and ${isSeen}
    `,
    values: [
      tenant,
      projectIds,
      clearance,
      about.map(({ id }) => id),
      about.map(({ path }) => path),
      projectId,
    ],
  });
  const found = new Map(rows.map((row) => [row.position, row]));
  const missing = about.findIndex((_, index) => !found.has(index + 1));
  if (missing >= 0) {
    const named = about[missing]?.id === null ? 'path' : 'id';
    throw new NotFoundError(`about.${missing}.${named}`, 'a page of the project of the session');
  }
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

async function end(
  database: TenantDatabase,
  view: View,
  { sessionId, revision, write }: SessionPageWrite,
  now: number,
): Promise<Committed<SessionId> | Changed> {
  const { tenant } = view;
  return writeTransaction(database, tenant, async (connection) => {
    const session = await lockSession(connection, view, sessionId, 'ALSO_ENDED');
    if (session.endedAt !== null) {
      return { result: sessionId, graphSequence: await findNewest(connection, tenant) };
    }
    if (session.revision !== revision) return 'CHANGED';
    // Whoever knew the id may have written there: what stands there is as hidden as before.
    const [standing = null] = await findStandingPages(connection, tenant, [write]);
    const hiddenTo = standing?.sensitivity ?? 0;
    const { result, graphSequence } = await writeInTurn(
      connection,
      { ...view, clearance: Math.max(view.clearance, hiddenTo) },
      [{ ...write, sensitivity: Math.max(write.sensitivity, hiddenTo) }],
      now,
    );
    const observed = await connection.query<{ id: PageId }>({
      name: 'observation_page_list_of_session',
      text: `
        select distinct page_id as id from observation_page
        where tenant = $1 and session_id = $2 order by 1
      `,
      values: [tenant, sessionId],
    });
    const pageIds = observed.map(({ id }) => id);
    await insertSessionEvidence(connection, tenant, sessionId, pageIds, now);
    await connection.query({
      name: 'session_end',
      text: 'update session set ended_at = $3, page_id = $4 where tenant = $1 and id = $2',
      values: [tenant, sessionId, now, result[0]?.pageId],
    });
    return { result: sessionId, graphSequence };
  });
}
