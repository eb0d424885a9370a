import type { Pool, PoolConfig } from 'pg';
import { fromConnectError } from './errors.ts';
import { type HeldLock, tryHoldLock } from './held-lock.ts';
import { Channels, createListen } from './listener.ts';
import { createPool } from './pool.ts';
import { type Connection, Session } from './session.ts';

export type { Connection, Statement } from './session.ts';

/**
 * READ is REPEATABLE READ READ ONLY: every statement sees the same snapshot, and none may write.
 * SEARCH is a READ in which the vector index reads on until enough passages pass the filters, and
 * looks widely; a server gives its statements up sooner. WRITE is READ COMMITTED; nothing here tries again, since the caller knows what may
 * be repeated.
 *
 * Statements are planned for the average tenant. A plan for the tenant that asks takes one that
 * came after the last count of statistics for empty, and joins it row by row: 1,000 edges took half
 * a minute at 15,000 pages. Only READ, and SEARCH where there are many tenants, plan for the values
 * at hand: a walk depends on them, and a search by words of a large tenant does.
 */
export type TransactionMode = 'READ' | 'SEARCH' | 'WRITE';

/** A Postgres database: a server, or the embedded engine. */
export type Database = Connection & {
  /**
   * Runs work in one transaction; commits, or rolls back when it throws. Inside, use only the
   * connection that is handed in: the embedded engine has but one, so asking the database for
   * another would wait for itself.
   *
   * When the connection breaks on commit, a `StoreUnavailableError` does not tell whether it was
   * done: repeat only what is safe to repeat.
   */
  transaction<T>(mode: TransactionMode, work: (connection: Connection) => Promise<T>): Promise<T>;

  /** How many statements were sent so far; transaction control and listening are not counted. */
  readonly statements: number;

  /**
   * Calls `onNotify` for each notification, after the commit that sent it. Those sent while the
   * connection was lost are gone: once it is back, `onNotify` gets an empty payload, which means
   * "look for yourself".
   *
   * @returns stops listening
   */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;

  /**
   * Tries to take a lock that only one process has, on a connection of its own; null when another
   * has it. Release it before `close`.
   */
  tryHold(key: number): Promise<HeldLock | null>;

  /** Waits until lent connections are back, then ends them all. Safe to repeat. */
  close(): Promise<void>;
};

export type PostgresOptions = {
  /** `postgresql://user:password@host:port/database`, with `sslmode` and the like. */
  readonly url: string;
  readonly maxConnections?: number;
  /**
   * Most time to wait for a connection, a free one of the pool included; and for each statement that
   * sets one up, listens, or takes a lock without waiting, since none of them does any work.
   */
  readonly connectTimeoutMs?: number;
  /** Most time for one statement, held by the server. 0 has no limit, as migrations need. */
  readonly statementTimeoutMs?: number;
};

const READ = 'begin isolation level repeatable read read only';
const PLAN_ANEW = 'set local plan_cache_mode = auto';
const SCAN_ON = 'set local hnsw.iterative_scan = strict_order; set local hnsw.ef_search = 120';

/** All in one round trip. */
function toBegin({ hasOneTenant, searchTimeoutMs }: SearchOptions) {
  const search = [
    READ,
    ...(hasOneTenant ? [] : [PLAN_ANEW]),
    SCAN_ON,
    ...(searchTimeoutMs === 0 ? [] : [`set local statement_timeout = ${searchTimeoutMs}`]),
  ];
  return {
    READ: `${READ}; ${PLAN_ANEW}`,
    SEARCH: search.join('; '),
    WRITE: 'begin isolation level read committed read write',
  } as const;
}

type SearchOptions = {
  /** Whether the average tenant is the only one, so that its plans fit. */
  readonly hasOneTenant: boolean;
  /** Most time for one statement of a SEARCH; 0 for none of its own. */
  readonly searchTimeoutMs: number;
};

/**
 * An answer goes out without a search by meaning that is late: soon after, the server should give
 * the statement up, and the connection be free. A search by words may take so long too.
 */
const SEARCH_TIMEOUT_MS = 10_000;

/** What the server's own time limit may take to be told, before the connection is given up. */
const ANSWER_GRACE_MS = 2_000;
const KEEP_ALIVE_MS = 10_000;

/**
 * A pool over a Postgres server. Connects when first asked, so a server that is away shows as a
 * `StoreUnavailableError` of the first statement; once it is back, the pool is too.
 */
export function connectPostgres({
  url,
  maxConnections = 10,
  connectTimeoutMs = 5_000,
  statementTimeoutMs = 30_000,
}: PostgresOptions): Database {
  const config: PoolConfig = {
    connectionString: url,
    application_name: 'causeway',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
  };
  // Listening needs a connection that stays, so it has one of its own, made on first use.
  const channels = new Channels();
  const onConnect = channels.adopt.bind(channels);
  const single = { ...config, max: 1, query_timeout: connectTimeoutMs };
  const listening = createPool({ ...single, idleTimeoutMillis: 0, onConnect });
  return createDatabase({
    pool: createPool({ ...config, max: maxConnections }),
    listening,
    holding: createPool(single),
    channels,
    hasOneTenant: false,
    searchTimeoutMs: statementTimeoutMs > 0 ? Math.min(statementTimeoutMs, SEARCH_TIMEOUT_MS) : 0,
    answerTimeoutMs: statementTimeoutMs > 0 ? statementTimeoutMs + ANSWER_GRACE_MS : 0,
  });
}

/** @param answerTimeoutMs  most time to wait for any one answer; 0 waits for ever */
export function createDatabase({
  pool,
  listening,
  holding,
  channels,
  hasOneTenant,
  searchTimeoutMs,
  answerTimeoutMs,
}: SearchOptions & {
  readonly pool: Pool;
  /** The pool of one connection that listens; may be the same. */
  readonly listening: Pool;
  /** For the connection of a held lock; null where no other process can open the database. */
  readonly holding: Pool | null;
  readonly channels: Channels;
  readonly answerTimeoutMs: number;
}): Database {
  const begin = toBegin({ hasOneTenant, searchTimeoutMs });
  const listen = createListen(listening, channels);
  let statements = 0;

  async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw fromConnectError(error);
    });
    const session = new Session(client, answerTimeoutMs, () => {
      statements += 1;
    });
    try {
      return await work(session);
    } finally {
      session.release();
    }
  }

  return {
    get statements() {
      return statements;
    },

    query: (statement) => withSession((session) => session.query(statement)),

    transaction: (mode, work) =>
      withSession(async (session) => {
        await session.control(begin[mode]);
        let result: Awaited<ReturnType<typeof work>>;
        try {
          result = await work(session);
        } catch (error) {
          // Whatever comes of it, the first error is the one to tell.
          await session.control('rollback').catch(() => session.abandon());
          throw error;
        }
        if ((await session.control('commit')) !== 'COMMIT') {
          throw new Error(
            'Nothing was committed: a statement had failed, and its error was dropped.',
          );
        }
        return result;
      }),

    async listen(channel, onNotify) {
      return listen(channel, onNotify).catch((error: unknown) => {
        throw fromConnectError(error);
      });
    },

    tryHold: (key) => (holding === null ? Promise.resolve(ALWAYS_HELD) : tryHoldLock(holding, key)),

    async close() {
      const pools = new Set([pool, listening, ...(holding === null ? [] : [holding])]);
      await Promise.all([...pools].map((each) => (each.ending ? undefined : each.end())));
    },
  };
}

const ALWAYS_HELD: HeldLock = { isHeld: () => true, release: () => Promise.resolve() };
