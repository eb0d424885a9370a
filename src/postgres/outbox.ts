import type { Connection } from './connect.ts';

/** One change of the graph; the reader takes the state from the ledger. */
export type GraphChange = {
  readonly subject: 'PAGE' | 'EDGE';
  readonly subjectId: string;
  readonly change: 'UPSERT' | 'DELETE';
};

/**
 * Adds changes in order, in the transaction that makes them.
 *
 * @returns the newest sequence of the tenant: of these changes, or, when there are none, of all before
 */
export async function appendChanges(
  connection: Connection,
  tenant: string,
  changes: readonly GraphChange[],
  now: number,
): Promise<number> {
  if (changes.length === 0) return newestSequence(connection, tenant);
  const rows = await connection.query<{ sequence: number }>({
    name: 'outbox_append',
    text: `
      insert into outbox (tenant, subject, subject_id, change, recorded_at)
      select $1, c.subject, c.subject_id, c.change, $5
      from unnest($2::text[], $3::uuid[], $4::text[]) with ordinality
        as c(subject, subject_id, change, position)
      order by c.position
      returning sequence
    `,
    values: [
      tenant,
      changes.map(({ subject }) => subject),
      changes.map(({ subjectId }) => subjectId),
      changes.map(({ change }) => change),
      now,
    ],
  });
  return rows.reduce((newest, { sequence }) => Math.max(newest, sequence), 0);
}

async function newestSequence(connection: Connection, tenant: string): Promise<number> {
  const [row] = await connection.query<{ sequence: number }>({
    name: 'outbox_find_newest',
    text: `select coalesce(max(sequence), 0) as sequence from outbox where tenant = $1`,
    values: [tenant],
  });
  return row?.sequence ?? 0;
}
