import { escapeLiteral, type PoolClient, Query, type QueryConfig, type QueryResult } from 'pg';

/** The role that row-level security holds for: migration 0028 makes it. */
const ROLE = 'causeway_tenant';

/**
 * Has a connection ready to work for a tenant; to be run once on each. `offset 1` leaves no row in the
 * answer, so that it can stand before any statement.
 */
export const PREPARE_TENANT = `prepare tenant_enter(text) as
  select set_config('causeway.tenant', $1, true), set_config('role', '${ROLE}', true) offset 1`;

/** To stand after `begin`, in the same round trip: the rest of the transaction is of the tenant. */
export function enterTenant(tenant: string): string {
  return `set local causeway.tenant = ${escapeLiteral(tenant)}; set local role ${ROLE}`;
}

/**
 * Runs one statement for a tenant, in a transaction of its own and in one round trip: what is sent
 * before a `Sync` is one transaction, so the tenant's setting and role go ahead of the statement and
 * are gone after it.
 */
export function queryAsTenant<Row extends object>(
  client: PoolClient,
  tenant: string,
  config: QueryConfig,
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const query = new Query<Row>({ ...config, ...EXTENDED }, (error, result) => {
      // The first result is that of entering.
      if (error === undefined || error === null) resolve(lastOf<Row>(result));
      else reject(error);
    });
    const submit = query.submit.bind(query);
    query.submit = (connection) => {
      connection.stream.cork();
      try {
        connection.bind({ statement: 'tenant_enter', values: [tenant] }, true);
        connection.execute({}, true);
        return submit(connection);
      } finally {
        connection.stream.uncork();
      }
    };
    client.query(query);
  });
}

/** Also without a name and values: a simple query would be a transaction of its own. */
const EXTENDED = { queryMode: 'extended' };

function lastOf<Row extends object>(result: unknown): QueryResult<Row> {
  const results: readonly QueryResult<Row>[] = Array.isArray(result) ? result : [result];
  const last = results.at(-1);
  if (last === undefined) throw new Error('Expected a result, but got none.');
  return last;
}
