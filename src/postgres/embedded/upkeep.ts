import type { Database } from '../connect.ts';

/** Tables whose size decides plans, with the statement that counts them anew. */
const ANALYZE = {
  page: 'analyze page',
  page_version: 'analyze page_version',
  passage: 'analyze passage',
  edge: 'analyze edge',
  waiting_edge: 'analyze waiting_edge',
  keyword_term: 'analyze keyword_term',
  keyword_delta: 'analyze keyword_delta',
} as const;

/** Write transactions between two looks at the sizes; a look costs about a millisecond. */
const WRITES_BETWEEN_LOOKS = 8;

/**
 * Keeps the planner's statistics near the truth. The embedded engine has no autovacuum, and without
 * statistics some plans are a thousand times slower. After writes it looks at the sizes of the
 * tables, and counts those anew that have grown by a quarter, before the write that found it
 * returns. Counting takes about 0.2 s at 10,000 pages.
 */
export function withUpkeep(database: Database): Database {
  let writes = 0;
  return {
    get statements() {
      return database.statements;
    },
    query: database.query,
    listen: database.listen,
    tryHold: database.tryHold,
    close: database.close,
    async transaction(mode, work) {
      const result = await database.transaction(mode, work);
      if (mode === 'WRITE') {
        writes += 1;
        if (writes % WRITES_BETWEEN_LOOKS === 1) await refreshStatistics(database);
      }
      return result;
    },
  };
}

/** Counts anew the tables that have grown by a quarter since they were last counted. */
export async function refreshStatistics(database: Database): Promise<void> {
  const due = await database.query<{ relname: string }>({
    name: 'pg_class_list_grown',
    text: `
      select relname from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relname = any($1::name[])
        and pg_relation_size(oid) / 8192 > greatest(relpages, 0) * 1.25 + 8
    `,
    values: [Object.keys(ANALYZE)],
  });
  for (const [table, text] of Object.entries(ANALYZE)) {
    if (due.some(({ relname }) => relname === table)) await database.query({ text });
  }
}
