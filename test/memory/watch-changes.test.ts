import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseChangeCursor, toChangeCursor } from '../../src/memory/change-cursor.ts';
import type { LoggedPageChange } from '../../src/memory/change-feed.ts';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { toReadableProjects } from '../../src/memory/readable-projects.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { watchPages } from '../../src/memory/watch-changes.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, type SeedPage, seedPages, seedProject } from '../support/seed.ts';

const INSIDER: Principal = { ...LOCAL_PRINCIPAL, clearance: 'INTERNAL' };

let database: Database;
let now = Date.now();
let stores: Stores;
let project: Project;
let count = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
});
beforeEach(async () => {
  count += 1;
  project = await seedProject(stores, `p${count}`);
});
afterAll(() => database.close());

const write = (pages: Readonly<Record<string, SeedPage>>) => seedPages(stores, project, pages);

function watch(feed: Pick<Stores, 'changes' | 'clock'> = stores, after: string | null = null) {
  return watchPages(feed, {
    project: project.name,
    after,
    async look() {
      const { view } = await callerFor(stores, INSIDER);
      const readable = await stores.projects.list(INSIDER.tenant, INSIDER.projects);
      return { view, projects: toReadableProjects(readable) };
    },
  });
}

async function take(changes: AsyncIterator<LoggedPageChange>, most: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < most) {
    const { value, done } = await changes.next();
    if (done === true) break;
    ids.push(value.pageId);
  }
  return ids;
}

test('reads nothing before it is asked, and one batch at a time', async () => {
  let lists = 0;
  const counted = {
    ...stores,
    changes: {
      ...stores.changes,
      listPageChanges(...args: Parameters<Stores['changes']['listPageChanges']>) {
        lists += 1;
        return stores.changes.listPageChanges(...args);
      },
    },
  };
  const changes = await watch(counted);
  const names = Array.from({ length: 250 }, (_, index) => `n${index}`);
  const ids = Object.values(await write(Object.fromEntries(names.map((name) => [name, '']))));

  const atFirst = lists;
  const first = await take(changes, 100);
  const afterHundred = lists;
  const second = await take(changes, 1);
  const afterOneMore = lists;
  const rest = await take(changes, 149);
  await changes.return?.();

  expect([...first, ...second, ...rest]).toEqual(ids);
  expect([atFirst, afterHundred, afterOneMore, lists]).toEqual([0, 1, 2, 3]);
});

test('tells a slow reader nothing that was hidden while it took its time', async () => {
  const changes = await watch();
  const { a, c } = await write({ a: '', b: '', c: '' });

  const [first] = await take(changes, 1);
  await write({ b: { body: 'secret', sensitivity: 'RESTRICTED' } });
  now += 60_000;
  const [second] = await take(changes, 1);
  await changes.return?.();

  expect([first, second]).toEqual([a, c]);
});

test('passes over thousands of changes of others to find the one of its own', async () => {
  const changes = await watch();
  await database.query({
    text: `
      insert into outbox (tenant, subject, subject_id, change, recorded_at)
      select $1, 'PAGE', gen_random_uuid(), 'UPSERT', 0 from generate_series(1, 3500)
    `,
    values: [LOCAL_PRINCIPAL.tenant],
  });
  const { own } = await write({ own: '' });

  const before = database.statements;
  const [told] = await take(changes, 1);
  const sent = database.statements - before;
  await changes.return?.();

  expect(told).toBe(own);
  expect(sent).toBeLessThan(20);
});

test('finds a change although its notification was lost', async () => {
  const deaf = createStores({ ...database, listen: async () => async () => undefined }, () => now);
  const changes = await watch(deaf);
  const waiting = take(changes, 1);
  await expect.poll(() => deaf.changes.watches).toBe(1);

  const { page } = await write({ page: '' });

  expect(await waiting).toEqual([page]);
  await changes.return?.();
});

test('can be left while it waits, and before it began', async () => {
  const left = await watch();
  const waiting = left.next();
  await expect.poll(() => stores.changes.watches).toBe(1);
  const unread = await watch();

  await left.return?.();
  await unread.return?.();

  expect(await waiting).toEqual({ done: true, value: undefined });
  expect(await unread.next()).toEqual({ done: true, value: undefined });
  expect(stores.changes.watches).toBe(0);
});

test('ends with the error of a store that is away, and leaves nothing behind', async () => {
  const away = new StoreUnavailableError('postgres', new Error('gone'));
  const failing = createStores({ ...database, listen: () => Promise.reject(away) }, () => now);
  const changes = await watch(failing);

  await expect(changes.next()).rejects.toBe(away);

  expect(failing.changes.watches).toBe(0);
  expect(await changes.next()).toEqual({ done: true, value: undefined });
});

test('ends when the log was cut past what it has told', async () => {
  const changes = await watch();
  const ids = Object.values(await write({ a: '', b: '' }));
  await take(changes, 2);
  await write({ c: '' });

  await database.query({ text: 'update projection set pruned = newest' });

  await expect(changes.next()).rejects.toMatchObject({ code: 'CURSOR_EXPIRED', retryable: false });
  expect(ids).toHaveLength(2);
});

test('takes back the cursors that it gave, and no others', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const strange = [
    '',
    'c1',
    '17',
    encode(['c1']),
    encode(['c1', -1]),
    encode(['c1', 1.5]),
    encode(['c1', '1']),
    encode(['c1', 2 ** 53]),
    encode(['c1', 1, 1]),
    encode(['v1', 1]),
    `${toChangeCursor(17)}=`,
    ` ${toChangeCursor(17)}`,
  ];

  expect([0, 17, Number.MAX_SAFE_INTEGER].map(toChangeCursor).map(parseChangeCursor)).toEqual([
    0,
    17,
    Number.MAX_SAFE_INTEGER,
  ]);
  for (const cursor of strange) {
    expect(() => parseChangeCursor(cursor)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' }),
    );
  }
});
