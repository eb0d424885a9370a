/**
 * READ, SEARCH and SNAPSHOT are REPEATABLE READ READ ONLY: every statement sees the same snapshot,
 * and none may write. In a SEARCH the vector index reads on until enough passages pass the filters,
 * and looks widely; a server gives its statements up sooner. WRITE is READ COMMITTED; nothing tries
 * again, since the caller knows what may be repeated.
 *
 * Statements are planned for the average tenant. A plan for the tenant that asks takes one that
 * came after the last count of statistics for empty, and joins it row by row: 1,000 edges took half
 * a minute at 15,000 pages. Only READ, and SEARCH where there are many tenants, plan for the values
 * at hand: a walk depends on them, and a search by words of a large tenant does.
 */
export type TransactionMode = 'READ' | 'SEARCH' | 'SNAPSHOT' | 'WRITE';

export type SearchOptions = {
  /** Whether the average tenant is the only one, so that its plans fit. */
  readonly hasOneTenant: boolean;
  /** Most time for one statement of a SEARCH; 0 for none of its own. */
  readonly searchTimeoutMs: number;
};

/**
 * An answer goes out without a search by meaning that is late: soon after, the server should give
 * the statement up, and the connection be free. A search by words may take so long too.
 */
export const SEARCH_TIMEOUT_MS = 10_000;

const SNAPSHOT = 'begin isolation level repeatable read read only';
const PLAN_ANEW = 'set local plan_cache_mode = auto';
const SCAN_ON = 'set local hnsw.iterative_scan = strict_order; set local hnsw.ef_search = 120';

/** What begins each mode, all in one round trip. */
export function toBegin({
  hasOneTenant,
  searchTimeoutMs,
}: SearchOptions): Readonly<Record<TransactionMode, string>> {
  const search = [
    SNAPSHOT,
    ...(hasOneTenant ? [] : [PLAN_ANEW]),
    SCAN_ON,
    ...(searchTimeoutMs === 0 ? [] : [`set local statement_timeout = ${searchTimeoutMs}`]),
  ];
  return {
    READ: `${SNAPSHOT}; ${PLAN_ANEW}`,
    SEARCH: search.join('; '),
    SNAPSHOT,
    WRITE: 'begin isolation level read committed read write',
  };
}
