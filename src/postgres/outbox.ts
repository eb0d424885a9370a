import type { Connection } from './connect.ts';

/** One change of the graph; the reader takes the state from the ledger. */
export type GraphChange = {
  readonly subject: 'PAGE' | 'EDGE';
  readonly subjectId: string;
  readonly change: 'UPSERT' | 'DELETE';
  /** Of a deleted page: where it was and how sensitive, so that only those who saw it hear of it. */
  readonly deleted?: { readonly projectId: string; readonly sensitivity: number };
};

/** Told on commit to all that listen; the payload is the tenant. */
export const OUTBOX_CHANNEL = 'causeway_outbox';

/** Longest payload of a notification, in bytes, is 7,999; a longer tenant is left out of it. */
const MAX_PAYLOAD_BYTES = 7_999;

/**
 * Adds changes in order, in the transaction that makes them, and tells those who listen. A subject
 * that is named twice has one row: the transaction leaves it in one state.
 *
 * @returns the newest sequence of the tenant: of these changes, or, when there are none, of all before
 */
export async function appendChanges(
  connection: Connection,
  tenant: string,
  changes: readonly GraphChange[],
  now: number,
): Promise<number> {
  if (changes.length === 0) return findNewest(connection, tenant);
  const told = [
    ...new Map(changes.map((each) => [`${each.subject} ${each.subjectId}`, each])).values(),
  ];
  const [row] = await connection.query<{ newest: number }>({
    name: 'outbox_append',
    text: `
      with added as (
        insert into outbox
          (tenant, subject, subject_id, change, recorded_at, project_id, sensitivity)
        select $1, c.subject, c.subject_id, c.change, $5, c.project_id, c.sensitivity
        from unnest($2::text[], $3::uuid[], $4::text[], $6::uuid[], $7::int2[])
          with ordinality as c(subject, subject_id, change, project_id, sensitivity, position)
        order by c.position
        returning sequence
      ), noted as (
        insert into projection (tenant, newest) select $1, max(sequence) from added
        on conflict (tenant) do update set newest = excluded.newest
        returning newest
      )
      select newest, pg_notify('${OUTBOX_CHANNEL}', $8) from noted`,
    values: [
      tenant,
      told.map(({ subject }) => subject),
      told.map(({ subjectId }) => subjectId),
      told.map(({ change }) => change),
      now,
      told.map(({ deleted }) => deleted?.projectId ?? null),
      told.map(({ deleted }) => deleted?.sensitivity ?? null),
      Buffer.byteLength(tenant) <= MAX_PAYLOAD_BYTES ? tenant : '',
    ],
  });
  return row?.newest ?? 0;
}

/** The newest sequence of a tenant; 0 when it has none. One look-up by key. */
export async function findNewest(connection: Connection, tenant: string): Promise<number> {
  const [row] = await connection.query<{ newest: number }>({
    name: 'projection_find_newest',
    text: 'select newest from projection where tenant = $1',
    values: [tenant],
  });
  return row?.newest ?? 0;
}
