import type { Connection, Database, Transactions } from './connect.ts';

/** The tables that grow with use. */
export const GROWING_TABLES = [
  'page',
  'page_version',
  'passage',
  'edge',
  'waiting_edge',
  'evidence',
  'keyword_total',
  'keyword_term',
  'keyword_delta',
  'outbox',
  'projection',
  'idempotency_key',
  'session',
  'session_page',
  'observation',
  'observation_page',
  'person',
  'person_page',
  'edge_resolution',
  'evidence_tally',
] as const;

/** Whether a row `c` of pg_class has grown by a quarter since it was counted; 8 blocks are nothing. */
export const HAS_GROWN = 'pg_relation_size(c.oid) / 8192 > greatest(c.relpages, 0) * 1.25 + 8';

/** Write transactions between two looks at the tables; a look costs about a millisecond. */
const WRITES_BETWEEN_LOOKS = 8;

/** Looks after the tables while it is written: before the write that found it due returns. */
export function withUpkeep(
  database: Database,
  tidy: (database: Connection) => Promise<void>,
): Database {
  let writes = 0;
  const tidyAfterWrites = ({ query, transaction }: Transactions): Transactions => ({
    query,
    async transaction(mode, work) {
      const result = await transaction(mode, work);
      if (mode === 'WRITE') {
        writes += 1;
        // The write is in, so what goes wrong from here must not tell otherwise; a later look mends it.
        if (writes % WRITES_BETWEEN_LOOKS === 1) await tidy(database).catch(() => undefined);
      }
      return result;
    },
  });
  return {
    ...tidyAfterWrites(database),
    ofTenant: (tenant) => tidyAfterWrites(database.ofTenant(tenant)),
    get statements() {
      return database.statements;
    },
    listen: database.listen,
    tryHold: database.tryHold,
    close: database.close,
  };
}

/**
 * Counts the rows of tables that have grown by a quarter, for the planner. A server's autovacuum does
 * so once a minute; but plans are kept from the first use of a connection, and those made for an empty
 * table read all rows of the tenant for each foreign key: a first import took three times as long.
 */
export async function countGrownTables(database: Connection): Promise<void> {
  const grown = await database.query<{ relname: string }>({
    name: 'pg_class_list_grown',
    text: `
      select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1::name[])
        and ${HAS_GROWN}
      order by c.relname
    `,
    values: [GROWING_TABLES],
  });
  for (const { relname } of grown) {
    // Another process, or autovacuum, may be counting it.
    await database.query({ text: `analyze (skip_locked) ${relname}` });
  }
}
