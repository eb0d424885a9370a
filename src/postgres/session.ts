import type { Pool, PoolClient, QueryResult } from 'pg';
import { StoreUnavailableError } from '../memory/errors.ts';
import { endsConnection, fromConnectError, fromPostgresError } from './errors.ts';
import { queryAsTenant } from './tenant-role.ts';

/** One statement. Values go in as parameters, never into the text. */
export type Statement = {
  /**
   * Prepared under this name once for each connection, then only executed. One text for a name.
   * A text that is not constant must do without.
   */
  readonly name?: string;
  /** Several statements, separated by semicolons, are allowed where there is no name and no value. */
  readonly text: string;
  /**
   * Parameters. An array goes in as a Postgres array, a Buffer as bytea, any other object as JSON;
   * so an array meant as JSON must come as `JSON.stringify(array)`.
   */
  readonly values?: readonly unknown[];
};

/** Something that runs statements: a transaction, or a database outside of any. */
export type Connection = {
  /**
   * Rows in the order Postgres gave. int8 and int8[] come as numbers, json as parsed, timestamps as
   * Date, and types that pg does not know (vectors, tsvector) as text.
   *
   * @throws {StoreUnavailableError} if Postgres is away, full, or out of time for the statement
   * @throws {DatabaseError} of pg, with its SQLSTATE as `code`, for anything else that Postgres refuses
   */
  query<Row extends object>(statement: Statement): Promise<Row[]>;
};

/** @throws {StoreUnavailableError} if none is to be had in time, or a file of certificates is not there */
export async function lendClient(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw fromConnectError(error);
  }
}

/**
 * A pooled client for as long as it is lent out. Statements run in the order they were asked for,
 * so that callers may ask for several at once.
 */
export class Session implements Connection {
  readonly #client: PoolClient;
  readonly #answerTimeoutMs: number;
  readonly #onStatement: () => void;
  readonly #tenant: string | null;
  readonly #onError = () => {
    this.#isBroken = true;
  };
  #tail: Promise<unknown> = Promise.resolve();
  #isBroken = false;
  #isReleased = false;

  /**
   * @param answerTimeoutMs  most time to wait for an answer; 0 waits for ever
   * @param tenant  whose each statement is, as a transaction of its own; null for those of one
   * transaction, which says it at its beginning, and for those of an operator
   */
  constructor(
    client: PoolClient,
    answerTimeoutMs: number,
    onStatement: () => void,
    tenant: string | null,
  ) {
    this.#tenant = tenant;
    this.#client = client;
    this.#answerTimeoutMs = answerTimeoutMs;
    this.#onStatement = onStatement;
    client.on('error', this.#onError);
  }

  async query<Row extends object>(statement: Statement): Promise<Row[]> {
    this.#onStatement();
    const { rows } = await this.#enqueue<Row>(statement);
    return rows;
  }

  /** Begins, commits or rolls back; not counted as a statement. Gives the command that was done. */
  async control(text: string): Promise<string> {
    const { command } = await this.#enqueue<object>({ text });
    return command;
  }

  /** Has `release` destroy the client, since its state is not known. */
  abandon(): void {
    this.#isBroken = true;
  }

  /** Gives the client back, or destroys it when its socket is of no more use. */
  release(): void {
    this.#isReleased = true;
    this.#client.off('error', this.#onError);
    this.#client.release(this.#isBroken);
  }

  #enqueue<Row extends object>(statement: Statement): Promise<QueryResult<Row>> {
    const answer = this.#tail.then(() => this.#send<Row>(statement));
    this.#tail = answer.catch(() => undefined);
    return answer;
  }

  async #send<Row extends object>({ name, text, values }: Statement): Promise<QueryResult<Row>> {
    if (this.#isReleased) throw new Error('The transaction of this connection is over.');
    try {
      const config = {
        text,
        ...(name === undefined ? {} : { name }),
        ...(values === undefined ? {} : { values: [...values] }),
      };
      const answer =
        this.#tenant === null
          ? this.#client.query<Row>(config)
          : queryAsTenant<Row>(this.#client, this.#tenant, config);
      const result = await this.#inTime(answer);
      // Several statements in one text give several results.
      return Array.isArray(result) ? result.at(-1) : result;
    } catch (error) {
      if (endsConnection(error)) this.#isBroken = true;
      throw this.#isBroken
        ? new StoreUnavailableError('postgres', error)
        : fromPostgresError(error);
    }
  }

  /** A server that is frozen, or behind a dead network, closes no socket: waiting must end here. */
  async #inTime<T>(answer: Promise<T>): Promise<T> {
    if (this.#answerTimeoutMs === 0) return answer;
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      this.#isBroken = true;
      reject(new Error(`Postgres gave no answer in ${this.#answerTimeoutMs} ms.`));
    }, this.#answerTimeoutMs);
    try {
      return await Promise.race([answer, tooLate]);
    } finally {
      clearTimeout(timer);
    }
  }
}
