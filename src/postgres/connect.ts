import type { Pool, PoolConfig } from 'pg';
import { fromConnectError } from './errors.ts';
import { type HeldLock, tryHoldLock } from './held-lock.ts';
import { Channels, createListen } from './listener.ts';
import { createPool } from './pool.ts';
import { type Connection, lendClient, Session } from './session.ts';
import { enterTenant } from './tenant-role.ts';
import {
  SEARCH_TIMEOUT_MS,
  type SearchOptions,
  type TransactionMode,
  toBegin,
} from './transaction-modes.ts';

export type { Connection, Statement } from './session.ts';

/** Statements alone, and transactions. */
export type Transactions = Connection & {
  /**
   * Runs work in one transaction; commits, or rolls back when it throws. Inside, use only the
   * connection that is handed in: the embedded engine has but one, so asking the database for
   * another would wait for itself.
   *
   * When the connection breaks on commit, a `StoreUnavailableError` does not tell whether it was
   * done: repeat only what is safe to repeat.
   */
  transaction<T>(mode: TransactionMode, work: (connection: Connection) => Promise<T>): Promise<T>;
};

/** What the work of tenants runs on. */
export type TenantDatabase = {
  /**
   * The same database, of which Postgres shows no row of another tenant, whatever a statement says,
   * and takes none. Costs no round trip.
   */
  ofTenant(tenant: string): Transactions;

  /** See `Database`. */
  listen(channel: string, onNotify: (payload: string) => void): Promise<() => Promise<void>>;
};

/**
 * A Postgres database: a server, or the embedded engine. What runs on it directly is of an operator,
 * and sees every tenant: migrations, the projector, pruning, upkeep, keys of callers.
 */
export type Database = Transactions &
  TenantDatabase & {
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
  /**
   * `postgresql://user:password@host:port/database`. With an `sslmode` of `prefer`, `require`,
   * `verify-ca` or `verify-full` there is no connection without TLS and a certificate that is known (to
   * the file of `sslrootcert`, or to Node) and of this host; `no-verify` takes any.
   */
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
    connectionString: withStrictTls(url),
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

/** What pg makes of these modes anyway, with a warning that a later version may make less of them. */
const STRICT_SSL_MODES = ['prefer', 'require', 'verify-ca'];

function withStrictTls(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (!STRICT_SSL_MODES.includes(parsed?.searchParams.get('sslmode') ?? '')) return url;
  if (parsed === null || parsed.searchParams.has('uselibpqcompat')) return url;
  parsed.searchParams.set('sslmode', 'verify-full');
  return parsed.href;
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

  async function withSession<T>(
    tenant: string | null,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const client = await lendClient(pool);
    const count = () => {
      statements += 1;
    };
    const session = new Session(client, answerTimeoutMs, count, tenant);
    try {
      return await work(session);
    } finally {
      session.release();
    }
  }

  const openAs = (tenant: string | null): Transactions => ({
    query: (statement) => withSession(tenant, (session) => session.query(statement)),

    transaction: (mode, work) =>
      withSession(null, async (session) => {
        let result: Awaited<ReturnType<typeof work>>;
        try {
          const entering = tenant === null ? '' : `; ${enterTenant(tenant)}`;
          await session.control(begin[mode] + entering);
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
  });

  return {
    ...openAs(null),
    ofTenant: openAs,

    get statements() {
      return statements;
    },

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
