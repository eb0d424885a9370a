import type { Database } from './connect.ts';
import { pruneTenants } from './prune-tenants.ts';

/** How long changes are kept for subscribers who come back, and for a graph database that was away. */
export const KEEP_CHANGES_MS = 7 * 24 * 60 * 60 * 1_000;

/** Rows of one statement, so that none takes long. */
const BATCH = 10_000;

export type PruneOptions = {
  /** Milliseconds UTC. */
  readonly now: number;
  readonly keepMs?: number;
  /** Whether a graph database is served: then what it has not got yet is kept, whatever its age. */
  readonly isProjected: boolean;
};

/**
 * Removes the changes of all tenants that are old enough, and notes how far, so that a subscriber or
 * projector who comes later knows that it missed some. Safe to run at any time, in several processes.
 *
 * @returns how many were removed
 * @throws {StoreUnavailableError} if the store does not answer; call again later
 */
export async function pruneOutbox(
  database: Database,
  { now, keepMs = KEEP_CHANGES_MS, isProjected }: PruneOptions,
): Promise<number> {
  const tenants = await database.query<{ tenant: string }>({
    name: 'projection_list_unpruned',
    text: 'select tenant from projection where pruned < newest order by tenant',
  });
  return pruneTenants(tenants, BATCH, (tenant) =>
    pruneTenant(database, tenant, now - keepMs, isProjected),
  );
}

/** Only from the front: clocks of several processes differ, and the log must not get holes. */
async function pruneTenant(
  database: Database,
  tenant: string,
  before: number,
  isProjected: boolean,
): Promise<number> {
  const [row] = await database.query<{ removed: number }>({
    name: 'outbox_prune',
    text: `
      with front as (
        select o.sequence, bool_and(o.recorded_at < $2) over (order by o.sequence) as is_old
        from (
          select o.sequence, o.recorded_at
          from outbox o join projection p on p.tenant = $1
          where o.tenant = $1 and (not $3::boolean or o.sequence <= p.projected)
          order by o.sequence limit ${BATCH}
        ) o
      ), last as (
        select max(sequence) as sequence from front where is_old
      ), removed as (
        delete from outbox o using last
        where o.tenant = $1 and o.sequence <= last.sequence
        returning o.sequence
      ), noted as (
        update projection p set pruned = greatest(p.pruned, last.sequence)
        from last where p.tenant = $1 and last.sequence is not null
      )
      select count(*) as removed from removed
    `,
    values: [tenant, before, isProjected],
  });
  return row?.removed ?? 0;
}
