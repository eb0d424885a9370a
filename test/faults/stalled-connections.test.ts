import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { startProxy, type TcpProxy, throughPort } from '../support/proxy.ts';

const LOCK = 4_711;
const CHANNEL = 'stalled';
const UNAVAILABLE = { code: 'STORE_UNAVAILABLE', retryable: true };

let base: Database & { readonly url: string };
let proxy: TcpProxy;
let database: Database;

beforeEach(async () => {
  base = await openServerDatabase();
  proxy = await startProxy(Number(new URL(base.url).port));
  const url = throughPort(base.url, proxy.port);
  database = connectPostgres({ url, connectTimeoutMs: 1_000, statementTimeoutMs: 1_000 });
});

afterEach(async () => {
  await database.close();
  await proxy.close();
  await base.close();
});

test.each(['plan_cache_mode', 'tcp_keepalives_idle', 'pg_try_advisory_lock'])(
  'a lock is given up when the network stands still at %s, and had once it goes on',
  async (text) => {
    proxy.holdAt(text);

    await expect(database.tryHold(LOCK)).rejects.toMatchObject(UNAVAILABLE);
    proxy.cut();
    proxy.release();

    const held = await vi.waitFor(async () => {
      const lock = await database.tryHold(LOCK);
      expect(lock).not.toBe(null);
      return lock;
    }, 20_000);
    expect(held?.isHeld()).toBe(true);
    await held?.release();
  },
);

test.each(['plan_cache_mode', 'listen "'])(
  'a wish to listen is given up when the network stands still at %s, and heard once it goes on',
  async (text) => {
    const heard: string[] = [];
    const onNotify = (payload: string) => heard.push(payload);
    proxy.holdAt(text);

    await expect(database.listen(CHANNEL, onNotify)).rejects.toMatchObject(UNAVAILABLE);
    proxy.release();

    const unlisten = await database.listen(CHANNEL, onNotify);
    await base.query({ text: `notify ${CHANNEL}, 'word'` });
    await vi.waitFor(() => expect(heard).toEqual(['word']), 20_000);
    await unlisten();
  },
);

test('whoever stops to listen while the network stands still is not held up, nor is the end', async () => {
  const unlisten = await database.listen(CHANNEL, () => undefined);
  proxy.hold();

  await unlisten().catch(() => undefined);
  await database.close();

  await expect(database.listen(CHANNEL, () => undefined)).rejects.toMatchObject(UNAVAILABLE);
});

test('those who listen hear again, and of the gap, once a network that stood still goes on', async () => {
  const heard: string[] = [];
  const unlisten = await database.listen(CHANNEL, (payload) => heard.push(payload));
  proxy.hold();
  // Another wish over the same connection finds out that it is held up.
  await expect(database.listen('other', () => undefined)).rejects.toMatchObject(UNAVAILABLE);
  await base.query({ text: `notify ${CHANNEL}, 'lost'` });
  proxy.cut();
  proxy.release();

  await vi.waitFor(() => expect(heard).toContain(''), { timeout: 20_000 });
  await base.query({ text: `notify ${CHANNEL}, 'heard'` });
  await vi.waitFor(() => expect(heard.at(-1)).toBe('heard'), 20_000);
  await unlisten();
});

test('a statement on a new connection is given up when the network stands still before it', async () => {
  proxy.holdAt('plan_cache_mode');

  await expect(database.query({ text: 'select 1' })).rejects.toMatchObject(UNAVAILABLE);
  proxy.release();

  expect(await database.query({ text: 'select 1 as one' })).toEqual([{ one: 1 }]);
});
