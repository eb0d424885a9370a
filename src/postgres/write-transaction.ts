import type { Connection, TenantDatabase } from './connect.ts';

/** Names our advisory locks that order the writers of one tenant. */
const TURN_LOCK = 7_002;

/**
 * Runs a write of one tenant in one transaction. Writers of a tenant go one after another, those of
 * different tenants side by side; readers never wait.
 *
 * What a write decides depends on what others are just adding, and READ COMMITTED shows none of it:
 * a link waits for a page that is being made, two halves close a circle of SUPERSEDES, a page is
 * made twice, a purge takes the end of a new edge away. The outbox also has to be read in the order
 * of its commits. The turn is the first lock of all, so writers can't block each other in a circle.
 *
 * Waiting counts against the time limit of a statement, so it ends in a `StoreUnavailableError`.
 */
export async function writeTransaction<T>(
  database: TenantDatabase,
  tenant: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return database.ofTenant(tenant).transaction('WRITE', async (connection) => {
    await connection.query({
      name: 'tenant_take_turn',
      text: 'select pg_advisory_xact_lock($1, hashtext($2))',
      values: [TURN_LOCK, tenant],
    });
    return work(connection);
  });
}
