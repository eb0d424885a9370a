import type { Connection } from '../connect.ts';
import { GROWING_TABLES, HAS_GROWN } from '../upkeep.ts';

/** Dead rows that are not worth a pass over a table. */
const FEW_ROWS = 500;

/** What a page of the graph over vectors holds, at least: 256 dimensions, 12 neighbours. */
const VECTORS_PER_BLOCK = 5;

/**
 * Takes dead rows out of the tables where they are many, and counts anew those and the ones that
 * have grown by a quarter: the embedded engine has no autovacuum, so rows that were replaced would
 * stay for ever, and without statistics some plans are a thousand times slower. Takes about 0.2 s at
 * 10,000 pages. Not in a transaction, where Postgres has no vacuum.
 *
 * Dead vectors stay in the graph over vectors: taking them out mends it around each, a millisecond for
 * every vector that is there, and a search only reads past them. Their rows give way at once. So of
 * passages the new ones are counted, since dead ones leave a mark as long as the graph has them.
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
        and (${HAS_GROWN}
          or case c.relname when 'passage' then s.n_ins_since_vacuum else s.n_dead_tup end
            > s.n_live_tup * 0.25 + ${FEW_ROWS})
      order by c.relname
    `,
    values: [GROWING_TABLES],
  });
  for (const { relname } of due) {
    const options = relname === 'passage' ? 'analyze, index_cleanup off' : 'analyze';
    await database.query({ text: `vacuum (${options}) ${relname}` });
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
