import neo4j, {
  type BookmarkManager,
  type Driver,
  type ManagedTransaction,
  type Session,
} from 'neo4j-driver';
import { StoreUnavailableError } from '../memory/errors.ts';
import { fromNeo4jError, GraphClosedError, GraphTimeoutError } from './errors.ts';
import type { CypherQuery } from './read-cypher.ts';

export type Neo4jOptions = {
  /** `bolt://` for one server, `neo4j://` for a cluster; `+s` for TLS, `+ssc` for a certificate of one's own. */
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  /** Null is the server's home database. */
  readonly database?: string | null;
  /**
   * Stands before every tenant, so that several installations can share one database, which is all
   * that the community edition has.
   */
  readonly namespace?: string;
  readonly maxConnections?: number;
  /** Most time for one transaction, held by the server and, with a little more, by us. */
  readonly timeoutMs?: number;
  /** How long a connection may take; `CARRIER` when left out. */
  readonly patience?: Patience;
  /** Those of another connection, whose writes this one is to see on a cluster too. */
  readonly bookmarks?: Bookmarks;
};

/**
 * `READER`: someone waits for the answer, and the ledger has it too. `CARRIER`: nobody waits but the
 * work itself, which has no other place to go: projector, migrations, commands.
 */
export type Patience = 'READER' | 'CARRIER';

/** What was written last, as a cluster needs it to answer no earlier state. */
export type Bookmarks = BookmarkManager;

export function createBookmarks(): Bookmarks {
  return neo4j.bookmarkManager();
}

/** Runs queries of one transaction, one after another. Rows are plain objects by column. */
export type Run = <Row extends object>(query: CypherQuery, a: Parameters) => Promise<Row[]>;

/** Parameters of a query; a whole number goes in as an integer. Dates and classes have no place here. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A Neo4j database. The only caller of its driver. */
export type Graph = {
  /**
   * Runs work in one read transaction, again when a cluster has moved or Neo4j says so.
   *
   * @param main       names the transaction in the query log of Neo4j
   * @param timeoutMs  in place of that of the options
   */
  read<T>(main: CypherQuery, work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** As `read`, to write; so the work must end the same when it is run twice. */
  write<T>(main: CypherQuery, work: (run: Run) => Promise<T>, timeoutMs?: number): Promise<T>;
  /** One statement that cannot stand in a transaction with others: of the schema, or one that commits by itself. */
  command(text: string, a?: Parameters): Promise<void>;
  /** What is still running fails with a `StoreUnavailableError`; whether it was done is not known. */
  close(): Promise<void>;
};

const DEFAULT_TIMEOUT_MS = 5_000;
/** What the server's own time limit may take to be told, before the answer is given up. */
const ANSWER_GRACE_MS = 500;
/** An index over a large graph takes its time. */
const COMMAND_TIMEOUT_MS = 600_000;
/**
 * For one connection to be made, and to be had at all: made, or free in the pool. A handshake takes
 * milliseconds, and seconds on a server that has just started or has all its cores busy. A reader who
 * waited for that would be answered sooner by the ledger; a projector that did not would fail at each
 * try for as long as the load lasts.
 */
const CONNECT_MS = {
  READER: { connect: 1_500, acquire: 2_000 },
  CARRIER: { connect: 15_000, acquire: 20_000 },
} as const;
/** To say goodbye at the end. */
const CLOSE_TIMEOUT_MS = 1_500;
/** A cluster that moves its leader is asked again for that long; a server that is away is not worth more. */
const RETRY_MS = 1_000;

/**
 * Connects when first asked, so a server that is away shows as a `StoreUnavailableError` of the
 * first query; once it is back, so is the pool. Reads see what this process wrote, on a cluster too.
 *
 * All queries get their parameters as one map, `$a`: then a plan is shared whatever the sizes of
 * the lists in it.
 */
export function connectNeo4j({
  uri,
  user,
  password,
  database = null,
  namespace = '',
  maxConnections = 20,
  timeoutMs = DEFAULT_TIMEOUT_MS,
  patience = 'CARRIER',
  bookmarks: bookmarkManager = createBookmarks(),
}: Neo4jOptions): Graph {
  const driver = neo4j.driver(uri, neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
    maxConnectionPoolSize: maxConnections,
    connectionAcquisitionTimeout: CONNECT_MS[patience].acquire,
    connectionTimeout: CONNECT_MS[patience].connect,
    maxTransactionRetryTime: RETRY_MS,
    userAgent: 'causeway',
  });
  const open = (accessMode: 'READ' | 'WRITE'): Session =>
    driver.session({
      defaultAccessMode: accessMode,
      bookmarkManager,
      ...(database === null ? {} : { database }),
    });

  const running = new Set<(error: Error) => void>();

  /**
   * A connection that is held up says nothing, not even that time is over or the driver closed; so
   * that is told here. The session is closed in the background: closing would wait for the same
   * connection.
   */
  async function inTime<T>(
    session: Session,
    forMs: number,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const limitMs = forMs + ANSWER_GRACE_MS;
    const { promise: end, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new GraphTimeoutError(limitMs)), limitMs);
    running.add(reject);
    try {
      return await Promise.race([work(session), end]);
    } catch (error) {
      throw fromNeo4jError(error);
    } finally {
      clearTimeout(timer);
      running.delete(reject);
      session.close().catch(() => undefined);
    }
  }

  return {
    read: (main, work, limitMs = timeoutMs) =>
      inTime(open('READ'), limitMs, (session) =>
        session.executeRead(
          (transaction) => work(runIn(transaction, namespace)),
          options(main, limitMs),
        ),
      ),
    write: (main, work, limitMs = timeoutMs) =>
      inTime(open('WRITE'), limitMs, (session) =>
        session.executeWrite(
          (transaction) => work(runIn(transaction, namespace)),
          options(main, limitMs),
        ),
      ),
    command: (text, a = {}) =>
      inTime(open('WRITE'), COMMAND_TIMEOUT_MS, async (session) => {
        await session.run(text, { a: toCypher(a) }, { timeout: COMMAND_TIMEOUT_MS });
      }),
    async close() {
      for (const end of running) end(new StoreUnavailableError('neo4j', new GraphClosedError()));
      await closeDriver(driver);
    },
  };
}

function options({ name }: CypherQuery, timeoutMs: number) {
  const metadata = { application: 'causeway', file: `cypher/${name}.cypher` };
  return { timeout: timeoutMs, metadata };
}

function runIn(transaction: ManagedTransaction, namespace: string): Run {
  return async <Row extends object>({ text }: CypherQuery, a: Parameters) => {
    const tenant = typeof a.tenant === 'string' ? { tenant: namespace + a.tenant } : {};
    const parameters = { a: toCypher({ ...a, namespace, ...tenant }) };
    const { records } = await transaction.run(text, parameters);
    return records.map((record) => record.toObject() as Row);
  };
}

/** The driver closes each connection politely; one that is held up must not hold up our end. */
async function closeDriver(driver: Driver): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_TIMEOUT_MS);
  await Promise.race([driver.close().catch(() => undefined), late]);
  clearTimeout(timer);
}

/** A JavaScript number would be a float, which Cypher takes neither as a limit nor as an index. */
function toCypher(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return neo4j.int(value);
  if (Array.isArray(value)) return value.map(toCypher);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toCypher(each)]));
  }
  return value ?? null;
}
