import type { Database } from './connect.ts';
import { pruneTenants } from './prune-tenants.ts';

/** How long the answer to a request is kept for a retry: no client tries again for longer. */
export const KEEP_ANSWERS_MS = 7 * 24 * 60 * 60 * 1_000;

/** Rows of one statement, so that none takes long. */
const BATCH = 1_000;

/**
 * Removes the idempotency keys of all tenants that are old enough: a request that comes with one
 * later is a new one. Safe to run at any time, in several processes.
 *
 * @param now  milliseconds UTC
 * @returns how many were removed
 * @throws {StoreUnavailableError} if the store does not answer; call again later
 */
export async function pruneIdempotencyKeys(
  database: Database,
  { now, keepMs = KEEP_ANSWERS_MS }: { readonly now: number; readonly keepMs?: number },
): Promise<number> {
  // Who has a key has written, and who has written is here.
  const tenants = await database.query<{ tenant: string }>({
    name: 'projection_list_tenants',
    text: 'select tenant from projection order by tenant',
  });
  return pruneTenants(tenants, BATCH, (tenant) => pruneTenant(database, tenant, now - keepMs));
}

async function pruneTenant(database: Database, tenant: string, before: number): Promise<number> {
  const [row] = await database.query<{ removed: number }>({
    name: 'idempotency_key_prune',
    text: `
      with old as (
        select principal, key from idempotency_key
        where tenant = $1 and created_at < $2
        order by created_at limit ${BATCH}
        for update skip locked
      ), removed as (
        delete from idempotency_key k using old
        where k.tenant = $1 and k.principal = old.principal and k.key = old.key
        returning k.key
      )
      select count(*) as removed from removed
    `,
    values: [tenant, before],
  });
  return row?.removed ?? 0;
}
