import type { Connection } from './connect.ts';

export type PostgresVersion = {
  /** As `server_version_num`: 180006 for 18.6. */
  readonly number: number;
  readonly name: string;
  /** Of pgvector that can be had, null when it is not installed on the server. */
  readonly vector: string | null;
  readonly canCreateExtensions: boolean;
};

/** @throws {StoreUnavailableError} if Postgres does not answer */
export async function findPostgresVersion(connection: Connection): Promise<PostgresVersion | null> {
  const [row] = await connection.query<PostgresVersion>({
    name: 'postgres_find_version',
    text: `
      select current_setting('server_version_num')::int4 as number,
        current_setting('server_version') as name,
        (select default_version from pg_available_extensions where name = 'vector') as vector,
        has_database_privilege(current_database(), 'create') as "canCreateExtensions"
    `,
  });
  return row ?? null;
}
