import { createServer } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from 'vitest';
import { type Connection, connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  await database.query({ text: 'create table note (id int8 primary key, body text)' });
});

beforeEach(async () => {
  await database.query({ text: 'truncate note' });
});

afterAll(() => database.close());

test('reads int8 as numbers, json as values, and null as null', async () => {
  const [row] = await database.query({
    text: `select 253402300800000::int8 as at, '{1,NULL,-3}'::int8[] as many, '{}'::int8[] as none,
             '{"a": [1]}'::jsonb as json, null::int8 as nothing`,
  });

  expect(row).toEqual({
    at: 253402300800000,
    many: [1, null, -3],
    none: [],
    json: { a: [1] },
    nothing: null,
  });
});

test('refuses to read an int8 that a number cannot hold', async () => {
  const asked = database.query({ text: 'select 9007199254740993::int8 as id' });

  await expect(asked).rejects.toThrow(RangeError);
  await expect(database.query({ text: 'select 1 as one' })).resolves.toEqual([{ one: 1 }]);
});

test('gives back whatever text and integers went in', async () => {
  // Postgres has no character 0, and no half of a surrogate pair.
  const texts = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));
  await fc.assert(
    fc.asyncProperty(texts, fc.array(fc.maxSafeInteger()), async (text, numbers) => {
      const rows = await database.query({
        name: 'echo',
        text: 'select $1::text as text, $2::int8[] as numbers',
        values: [text, numbers],
      });

      expect(rows).toEqual([{ text, numbers }]);
    }),
    { numRuns: 50 },
  );
});

test('carries values and answers of several megabytes', async () => {
  const body = 'é'.repeat(4_000_000);

  const [row] = await database.query<{ body: string; rows: number }>({
    text: 'select $1::text as body',
    values: [body],
  });
  const many = await database.query({
    text: "select n, repeat('y', 100) as filler from generate_series(1, 50000) n",
  });

  expect(row?.body === body).toBe(true);
  expect(many).toHaveLength(50_000);
});

test('stays usable after a refused statement, prepared or not', async () => {
  const statements = [
    { text: 'select 1 / 0' },
    { text: 'select $1::int / 0', values: [1] },
    { name: 'unknown_column', text: 'select nothing from note' },
    { text: "insert into note values (1, 'a'), (1, 'b')" },
  ];

  const codes: unknown[] = [];
  for (const statement of statements) {
    await database.query(statement).catch((error) => codes.push(error.code));
  }

  expect(codes).toEqual(['22012', '22012', '42703', '23505']);
  await expect(database.query({ text: 'select 1 as one' })).resolves.toEqual([{ one: 1 }]);
});

test('commits what a transaction wrote, and gives its result', async () => {
  const result = await database.transaction('WRITE', async (connection) => {
    await connection.query({ text: "insert into note values (1, 'kept')" });
    return 'done';
  });

  expect(result).toBe('done');
  await expect(database.query({ text: 'select * from note' })).resolves.toEqual([
    { id: 1, body: 'kept' },
  ]);
});

test('rolls back when the work throws, and throws the same', async () => {
  const failure = new Error('changed my mind');

  const written = database.transaction('WRITE', async (connection) => {
    await connection.query({ text: "insert into note values (1, 'lost')" });
    throw failure;
  });

  await expect(written).rejects.toBe(failure);
  await expect(database.query({ text: 'select * from note' })).resolves.toEqual([]);
});

test('says so when nothing was committed, because an error was dropped', async () => {
  const written = database.transaction('WRITE', async (connection) => {
    await connection.query({ text: "insert into note values (1, 'lost')" });
    await connection.query({ text: 'select 1 / 0' }).catch(() => undefined);
  });

  await expect(written).rejects.toThrow('Nothing was committed');
});

test('refuses to write in a READ transaction', async () => {
  const written = database.transaction('READ', (connection) =>
    connection.query({ text: "insert into note values (1, 'never')" }),
  );

  await expect(written).rejects.toMatchObject({ code: '25006' });
});

test('reads in snapshot isolation, and writes in read committed', async () => {
  const isolation = { text: 'show transaction_isolation' };

  const read = await database.transaction('READ', (connection) => connection.query(isolation));
  const write = await database.transaction('WRITE', (connection) => connection.query(isolation));

  expect(read).toEqual([{ transaction_isolation: 'repeatable read' }]);
  expect(write).toEqual([{ transaction_isolation: 'read committed' }]);
});

test('where a server keeps time, a search has less of it, and its transaction alone', async () => {
  const limitIn = async (connection: Connection) => {
    const text = `select current_setting('statement_timeout') as "limit"`;
    const [row] = await connection.query<{ limit: string }>({ text });
    return row?.limit;
  };

  const limits = [
    await database.transaction('SEARCH', limitIn),
    await database.transaction('READ', limitIn),
    await limitIn(database),
  ];

  expect(limits).toEqual(inject('profile') === 'server' ? ['10s', '30s', '30s'] : ['0', '0', '0']);
});

test('runs statements that were asked for at once in their order', async () => {
  const rows = await database.transaction('WRITE', async (connection) => {
    const [, , answer] = await Promise.all([
      connection.query({ text: "insert into note values (1, 'a')" }),
      connection.query({ text: "update note set body = body || 'b'" }),
      connection.query({ text: 'select body from note' }),
    ]);
    return answer;
  });

  expect(rows).toEqual([{ body: 'ab' }]);
});

test('refuses a statement on the connection of a finished transaction', async () => {
  const leaked = await database.transaction('READ', async (connection) => connection);

  await expect(leaked.query({ text: 'select 1' })).rejects.toThrow('is over');
});

test('counts statements, but not begin and commit', async () => {
  const before = database.statements;

  await database.transaction('READ', (connection) => connection.query({ text: 'select 1' }));
  await database.query({ text: 'select 2' });

  expect(database.statements - before).toBe(2);
});

test('hands a notification to everyone who listens, once it is committed', async () => {
  const heard: string[] = [];
  const stopFirst = await database.listen('page written', (payload) => heard.push(`1 ${payload}`));
  const stopSecond = await database.listen('page written', (payload) => heard.push(`2 ${payload}`));

  await database.transaction('WRITE', async (connection) => {
    await connection.query({ text: "select pg_notify('page written', 'a')" });
    heard.push('not yet');
  });
  // A server tells it on another connection, some moments later.
  await vi.waitFor(() => expect(heard).toHaveLength(3));
  await stopFirst();
  await database.query({ text: "select pg_notify('page written', 'b')" });
  await vi.waitFor(() => expect(heard).toHaveLength(4));
  await stopSecond();
  await database.query({ text: "select pg_notify('page written', 'c')" });

  expect(heard).toEqual(['not yet', '1 a', '2 a', '2 b']);
});

test('tells a server that is away as unavailable and retryable', async () => {
  const away = connectPostgres({ url: `postgresql://127.0.0.1:${await freePort()}/none` });

  await expect(away.query({ text: 'select 1' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    retryable: true,
    cause: { code: 'ECONNREFUSED' },
  });
  await away.close();
});

test('gives up on a server that accepts but never answers', async () => {
  const silent = createServer((socket) => socket.resume());
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const database = connectPostgres({
    url: `postgresql://127.0.0.1:${portOf(silent)}/none`,
    connectTimeoutMs: 50,
  });

  await expect(database.query({ text: 'select 1' })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
  });
  await database.close();
  await new Promise((resolve) => silent.close(resolve));
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Not listening on a port.');
  return address.port;
}
