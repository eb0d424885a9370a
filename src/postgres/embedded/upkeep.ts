import type { Connection, Database, Transactions } from '../connect.ts';

/**
 * What each table that grows with use is kept in order by. Dead vectors stay in the graph over
 * vectors: taking them out mends it around each, a millisecond for every vector that is there, and a
 * search only reads past them. Their rows give way at once.
 */
const UPKEEP = {
  page: 'vacuum (analyze) page',
  page_version: 'vacuum (analyze) page_version',
  passage: 'vacuum (analyze, index_cleanup off) passage',
  edge: 'vacuum (analyze) edge',
  waiting_edge: 'vacuum (analyze) waiting_edge',
  evidence: 'vacuum (analyze) evidence',
  keyword_total: 'vacuum (analyze) keyword_total',
  keyword_term: 'vacuum (analyze) keyword_term',
  keyword_delta: 'vacuum (analyze) keyword_delta',
  outbox: 'vacuum (analyze) outbox',
  projection: 'vacuum (analyze) projection',
  idempotency_key: 'vacuum (analyze) idempotency_key',
  session: 'vacuum (analyze) session',
  session_page: 'vacuum (analyze) session_page',
  observation: 'vacuum (analyze) observation',
  observation_page: 'vacuum (analyze) observation_page',
  person: 'vacuum (analyze) person',
  person_page: 'vacuum (analyze) person_page',
  edge_resolution: 'vacuum (analyze) edge_resolution',
  evidence_tally: 'vacuum (analyze) evidence_tally',
} as const;

/** Write transactions between two looks at the tables; a look costs about a millisecond. */
const WRITES_BETWEEN_LOOKS = 8;

/** Dead rows that are not worth a pass over a table. */
const FEW_ROWS = 500;

/** What a page of the graph over vectors holds, at least: 256 dimensions, 12 neighbours. */
const VECTORS_PER_BLOCK = 5;

/**
 * Keeps the tables small and the planner's statistics near the truth. The embedded engine has no
 * autovacuum: rows that were replaced would stay for ever, and without statistics some plans are a
 * thousand times slower. After writes it looks at the tables, and tidies those that need it before
 * the write that found it returns. Takes about 0.2 s at 10,000 pages.
 */
export function withUpkeep(database: Database): Database {
  let writes = 0;
  const tidyAfterWrites = ({ query, transaction }: Transactions): Transactions => ({
    query,
    async transaction(mode, work) {
      const result = await transaction(mode, work);
      if (mode === 'WRITE') {
        writes += 1;
        // The write is in, so what goes wrong from here must not tell otherwise; a later look mends it.
        if (writes % WRITES_BETWEEN_LOOKS === 1) await tidyTables(database).catch(() => undefined);
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
 * Takes dead rows out of the tables where they are many, and counts anew those and the ones that
 * have grown by a quarter. Not in a transaction, where Postgres has no vacuum.
 *
 * Of passages the new ones are counted, since dead ones leave a mark as long as the graph over
 * vectors has them.
 */
export async function tidyTables(database: Connection): Promise<void> {
  // Postgres tells what became of rows when a session is idle for a while; this one never is.
  await database.query({ name: 'stat_flush', text: 'select pg_stat_force_next_flush()' });
  const due = await database.query<{ relname: string }>({
    name: 'pg_class_list_untidy',
    text: `
      select c.relname
      from pg_class c join pg_stat_user_tables s on s.relid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relname = any($1::name[])
        and (pg_relation_size(c.oid) / 8192 > greatest(c.relpages, 0) * 1.25 + 8
          or case c.relname when 'passage' then s.n_ins_since_vacuum else s.n_dead_tup end
            > s.n_live_tup * 0.25 + ${FEW_ROWS})
    `,
    values: [Object.keys(UPKEEP)],
  });
  for (const [table, text] of Object.entries(UPKEEP)) {
    if (due.some(({ relname }) => relname === table)) await database.query({ text });
  }
}

/**
 * Makes the graph over vectors anew where it is more than half dead: a third of a second for 1,000
 * vectors, in which nothing else is done. For a start, before anyone waits.
 *
 * @returns whether it was
 */
export async function rebuildVectorIndex(database: Connection): Promise<boolean> {
  const [row] = await database.query<{ is_due: boolean }>({
    name: 'passage_embedding_is_due',
    text: `
      select pg_relation_size('passage_embedding') / 8192
        > (select count(*) from passage) * 2 / ${VECTORS_PER_BLOCK} + 64 as is_due
    `,
  });
  if (row?.is_due !== true) return false;
  await database.query({ text: 'reindex index passage_embedding' });
  // With nothing dead in the graph, the marks of dead rows cost little to take out.
  await database.query({ text: 'vacuum passage' });
  return true;
}
