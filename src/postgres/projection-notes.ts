import type { ChangedSubject } from '../memory/graph-projection.ts';
import type { Connection } from './connect.ts';

/** Keeps one failure of a subject, the newest. */
export async function noteFailure(
  connection: Connection,
  tenant: string,
  { sequence, subject, subjectId }: ChangedSubject,
  message: string,
  now: number,
): Promise<void> {
  await connection.query({
    name: 'projection_failure_note',
    text: `
      insert into projection_failure (tenant, subject, subject_id, sequence, message, failed_at)
      values ($1, $2, $3, $4, $5, $6)
      on conflict (tenant, subject, subject_id) do update
      set sequence = excluded.sequence, message = excluded.message, failed_at = excluded.failed_at
    `,
    values: [tenant, subject, subjectId, sequence, message, now],
  });
}

export async function forgetFailures(
  connection: Connection,
  tenant: string,
  subjects: readonly ChangedSubject[],
): Promise<void> {
  await connection.query({
    name: 'projection_failure_forget',
    text: `
      delete from projection_failure f
      using unnest($2::text[], $3::uuid[]) as s(subject, subject_id)
      where f.tenant = $1 and f.subject = s.subject and f.subject_id = s.subject_id
    `,
    values: [
      tenant,
      subjects.map(({ subject }) => subject),
      subjects.map(({ subjectId }) => subjectId),
    ],
  });
}

export async function forgetFailuresUpTo(
  connection: Connection,
  tenant: string,
  sequence: number,
): Promise<void> {
  await connection.query({
    name: 'projection_failure_forget_up_to',
    text: 'delete from projection_failure where tenant = $1 and sequence <= $2',
    values: [tenant, sequence],
  });
}

/** Whatever brought a tenant further has mended what had set it back. */
export async function noteProjected(
  connection: Connection,
  tenant: string,
  sequence: number,
): Promise<void> {
  await connection.query({
    name: 'projection_note_projected',
    text: `
      update projection set projected = $2, setbacks = 0, retry_at = 0, setback = null
      where tenant = $1 and (projected <> $2 or setbacks > 0)
    `,
    values: [tenant, sequence],
  });
}

export async function noteSetback(
  connection: Connection,
  tenant: string,
  message: string,
  retryAt: number,
): Promise<void> {
  await connection.query({
    name: 'projection_note_setback',
    text: `
      update projection set setbacks = setbacks + 1, retry_at = $3, setback = $2
      where tenant = $1
    `,
    values: [tenant, message, retryAt],
  });
}
