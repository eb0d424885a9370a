import { afterAll, beforeAll, expect, test } from 'vitest';
import { endSession } from '../../src/memory/end-session.ts';
import type { Page, Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import { type ObservationInput, recordObservation } from '../../src/memory/record-observation.ts';
import { type SessionInput, startSession } from '../../src/memory/start-session.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, pathsOf } from '../support/recall.ts';
import { callerFor, seedPages, seedProject, write } from '../support/seed.ts';
import { listStoredRows } from '../support/store-content.ts';

let database: Database;
let stores: Stores;
let notes: Project;
let now = Date.parse('2026-03-01T10:00:00Z');

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

const GUEST = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' as const };

const start = async (changes: Partial<SessionInput> = {}, principal = LOCAL_PRINCIPAL) =>
  startSession(stores, await callerFor(stores, principal), {
    projectId: notes.id,
    agent: 'claude',
    task: 'Find the leak',
    ...changes,
  });

const observe = async (
  sessionId: string,
  text: string,
  changes: Partial<ObservationInput> = {},
  principal = LOCAL_PRINCIPAL,
) => recordObservation(stores, await callerFor(stores, principal), { sessionId, text, ...changes });

const end = async (sessionId: string, principal = LOCAL_PRINCIPAL) =>
  endSession(stores, await callerFor(stores, principal), sessionId);

const purge = async (id: string, principal = LOCAL_PRINCIPAL) =>
  purgePage(stores, await callerFor(stores, principal), id);

async function find(sessionId: string, principal = LOCAL_PRINCIPAL) {
  const { view } = await callerFor(stores, principal);
  const [session = null] = await stores.sessions.findMany(view, [sessionId]);
  return session;
}

async function pageOf(sessionId: string, principal = LOCAL_PRINCIPAL): Promise<Page | null> {
  const { view } = await callerFor(stores, principal);
  const session = await find(sessionId);
  const [page = null] = await stores.pages.findMany(view, [session?.pageId ?? notes.id]);
  return page;
}

async function observationsOf(sessionId: string, principal = LOCAL_PRINCIPAL) {
  const { view } = await callerFor(stores, principal);
  const request = { sessionId, first: 100, after: null };
  const [list] = await stores.sessions.listObservations(view, [request]);
  return { texts: list?.observations.map(({ text }) => text) ?? [], total: list?.total ?? 0 };
}

const evidenceOf = async (pageId: string) =>
  database.query<{ kind: string; source: string }>({
    text: `select source_kind as kind, source_id as source from evidence where page_id = $1
      order by created_at, source_kind, source_id`,
    values: [pageId],
  });

/** Tables with a row in which the word stands. */
const placesOf = async (word: string) => [
  ...new Set(
    (await listStoredRows(database))
      .filter(({ row }) => row.includes(word))
      .map(({ table }) => table),
  ),
];

test('ends in a page with what was observed, its edges and its evidence, in one transaction', async () => {
  const ids = await seedPages(stores, notes, { pool: '', leak: '', aside: '' });
  const sessionId = await start({ task: 'Find the leak of the pool' });
  await observe(sessionId, 'Restarts help.', { importance: 3 });
  await observe(sessionId, 'The pool is never drained.', {
    importance: 9,
    about: [{ path: 'leak' }, { id: ids.pool }, { path: 'leak' }],
  });
  await observe(sessionId, 'Seen twice.', { importance: 3, about: [{ path: 'leak' }] });

  const { graphSequence } = await end(sessionId);

  const page = await pageOf(sessionId);
  expect(page).toMatchObject({
    kind: 'SESSION',
    path: `sessions/2026-03-01/${sessionId}`,
    title: 'Find the leak of the pool',
    sensitivity: 'INTERNAL',
    validFrom: now,
  });
  expect(page?.body.split('\n').filter((line) => line.startsWith('- '))).toEqual([
    '- (9) The pool is never drained. About [[leak]], [[pool]].',
    '- (3) Restarts help.',
    '- (3) Seen twice. About [[leak]].',
  ]);
  const edges = await database.query<{ kind: string; to_id: string }>({
    text: 'select kind, to_id from edge where from_id = $1',
    values: [page?.id],
  });
  expect(new Set(edges.map(({ kind, to_id }) => `${kind} ${to_id}`))).toEqual(
    new Set([`REFERENCES ${ids.leak}`, `REFERENCES ${ids.pool}`]),
  );
  expect(await evidenceOf(ids.leak)).toEqual([
    { kind: 'OBSERVATION', source: `${sessionId}/2` },
    { kind: 'OBSERVATION', source: `${sessionId}/3` },
    { kind: 'SESSION', source: sessionId },
  ]);
  expect(await evidenceOf(ids.aside)).toEqual([]);
  expect(graphSequence).toBeGreaterThan(0);
  expect(pathsOf(await ask(stores, 'pool never drained'))).toContain(page?.path);
});

test('ends once: the page, the time and the evidence stay as they were', async () => {
  const sessionId = await start();
  await observe(sessionId, 'Something.');
  await end(sessionId);
  const first = await find(sessionId);
  now += 1_000;

  await end(sessionId);

  expect(await find(sessionId)).toEqual(first);
  expect((await pageOf(sessionId))?.version).toBe(1);
});

test('takes nothing more once it has ended', async () => {
  const sessionId = await start();
  await end(sessionId);

  const page = { projectId: notes.id, path: 'too-late', title: 'Too late' };
  const refusals = await Promise.allSettled([
    observe(sessionId, 'too late'),
    write(stores, { pages: [page], sessionId }),
  ]);

  const reason = expect.objectContaining({ code: 'SESSION_ENDED', field: 'session' });
  expect(refusals).toEqual(refusals.map(() => ({ status: 'rejected', reason })));
  expect(await placesOf('too-late')).toEqual([]);
});

test('prepares its page again when more is observed meanwhile', async () => {
  const sessionId = await start();
  await observe(sessionId, 'first');
  let calls = 0;
  const busy: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(texts) {
        calls += 1;
        if (calls === 1) await observe(sessionId, 'second');
        return stores.embedder.embed(texts);
      },
    },
  };

  await endSession(busy, await callerFor(stores), sessionId);

  expect(calls).toBe(2);
  expect((await pageOf(sessionId))?.body).toMatch(/first\n.*second/u);
});

test('gives up, to be tried again, where more is observed every time', async () => {
  const sessionId = await start();
  const busy: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(texts) {
        await observe(sessionId, 'more');
        return stores.embedder.embed(texts);
      },
    },
  };

  const ended = endSession(busy, await callerFor(stores), sessionId);

  await expect(ended).rejects.toMatchObject({ code: 'SESSION_BUSY', retryable: true });
  expect((await find(sessionId))?.endedAt).toBeNull();
});

test('notes an observation once for a key, and starts once', async () => {
  const { once: id } = await seedPages(stores, notes, { once: '' });
  const sessionId = await start({ idempotencyKey: 'start-once' });
  const again = await start({ idempotencyKey: 'start-once' });
  const about = [{ id }];

  const first = await observe(sessionId, 'once', { about, idempotencyKey: 'observe-once' });
  const second = await observe(sessionId, 'once', { about, idempotencyKey: 'observe-once' });
  const other = observe(sessionId, 'other', { about, idempotencyKey: 'observe-once' });

  expect(again).toBe(sessionId);
  expect(second).toEqual(first);
  await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect(await evidenceOf(id)).toHaveLength(1);
});

test('names the page that is not there, is hidden, or is of another project, all alike', async () => {
  const other = await seedProject(stores, 'other');
  const { far } = await seedPages(stores, other, { far: '' });
  const { secret, seen } = await seedPages(stores, notes, {
    seen: '',
    secret: { sensitivity: 'RESTRICTED' },
  });
  const sessionId = await start({}, GUEST);
  const refusals = await Promise.all(
    [far, secret, crypto.randomUUID()].map((id) =>
      observe(sessionId, 'x', { about: [{ id: seen }, { id }] }, GUEST).catch((error) => error),
    ),
  );

  expect(refusals.map(({ code, field }) => [code, field])).toEqual(
    refusals.map(() => ['NOT_FOUND', 'about.1.id']),
  );
  expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
  await expect(
    observe(sessionId, 'x', { about: [{ path: 'secret' }] }, GUEST),
  ).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'about.0.path' });
  expect(await observationsOf(sessionId)).toEqual({ texts: [], total: 0 });
});

test.each<[string, Partial<ObservationInput>, string]>([
  ['a blank text', { text: ' ' }, 'text'],
  ['NUL in a text', { text: 'a\0b' }, 'text'],
  ['a long text', { text: 'x'.repeat(4_001) }, 'text'],
  ['an importance of 11', { importance: 11 }, 'importance'],
  ['an importance of 0', { importance: 0 }, 'importance'],
  ['a page without name', { about: [{}] }, 'about.0'],
  ['a page named twice over', { about: [{ id: 'x', path: 'y' }] }, 'about.0'],
  ['a bad path', { about: [{ path: '/' }] }, 'about.0.path'],
  ['too many pages', { about: Array.from({ length: 51 }, () => ({ path: 'a' })) }, 'about'],
])('refuses %s by name', async (_what, { text = 'x', ...changes }, field) => {
  const sessionId = await start();

  await expect(observe(sessionId, text, changes)).rejects.toMatchObject({ field });
});

test('redacts agent, task and what is observed', async () => {
  const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB';
  const sessionId = await start({ agent: `bot ${secret}`, task: `Use ${secret}` });
  await observe(sessionId, `The token is ${secret}.`);

  await end(sessionId);

  expect(await placesOf(secret)).toEqual([]);
  expect((await pageOf(sessionId))?.body).toContain('The token is [REDACTED:github_token].');
});

test('shows an observation to those alone who see every page that it is about, then and now', async () => {
  const ids = await seedPages(stores, notes, {
    'shown/open': '',
    'shown/secret': { sensitivity: 'RESTRICTED' },
    'shown/later': '',
  });
  const sessionId = await start();
  await observe(sessionId, 'about both', {
    importance: 9,
    about: [{ id: ids['shown/open'] }, { id: ids['shown/secret'] }],
  });
  await observe(sessionId, 'about later', { about: [{ id: ids['shown/later'] }] });
  await observe(sessionId, 'about open', { about: [{ id: ids['shown/open'] }] });
  expect(await observationsOf(sessionId, GUEST)).toEqual({
    texts: ['about later', 'about open'],
    total: 2,
  });

  // Raising a page hides what was observed of it; lowering one does not open what was secret.
  await seedPages(stores, notes, {
    'shown/secret': { sensitivity: 'INTERNAL' },
    'shown/later': { sensitivity: 'RESTRICTED' },
  });

  expect(await observationsOf(sessionId, GUEST)).toEqual({ texts: ['about open'], total: 1 });
  expect((await observationsOf(sessionId)).total).toBe(3);
});

test('makes its page as sensitive as the most sensitive page that it is about', async () => {
  const { 'high/page': id } = await seedPages(stores, notes, {
    'high/page': { sensitivity: 'CONFIDENTIAL' },
  });
  const sessionId = await start({ sensitivity: 'PUBLIC' });
  await observe(sessionId, 'a heron', { about: [{ id }] });

  await end(sessionId, GUEST);

  expect((await pageOf(sessionId))?.sensitivity).toBe('CONFIDENTIAL');
  expect(await pageOf(sessionId, GUEST)).toBeNull();
  const { view } = await callerFor(stores, GUEST);
  expect(pathsOf(await ask(stores, 'heron', { view }))).not.toContain(
    `sessions/2026-03-01/${sessionId}`,
  );
});

test('raises its page, and the page of a session about that, with a page that it is about', async () => {
  const { 'raised/page': id } = await seedPages(stores, notes, { 'raised/page': '' });
  const first = await start();
  await observe(first, 'a cassowary', { about: [{ id }] });
  await end(first);
  const second = await start();
  await observe(second, 'again a cassowary', {
    about: [{ id: (await pageOf(first))?.id ?? '' }],
  });
  await end(second);
  const seen = async () => {
    const { view } = await callerFor(stores, GUEST);
    const { hits } = await ask(stores, 'cassowary', { view });
    return hits.filter(({ page }) => page.body.includes('cassowary'));
  };
  expect(await seen()).toHaveLength(2);
  const [{ newest } = { newest: 0 }] = await database.query<{ newest: number }>({
    text: 'select max(sequence) as newest from outbox',
  });

  await seedPages(stores, notes, { 'raised/page': { sensitivity: 'RESTRICTED' } });

  const pages = [await pageOf(first), await pageOf(second)];
  expect(pages.map((page) => page?.sensitivity)).toEqual(['RESTRICTED', 'RESTRICTED']);
  expect([await pageOf(first, GUEST), await pageOf(second, GUEST)]).toEqual([null, null]);
  expect(await seen()).toEqual([]);
  const told = await database.query<{ subject_id: string }>({
    text: `select subject_id from outbox where sequence > $1 and subject = 'PAGE'`,
    values: [newest],
  });
  expect(told.map(({ subject_id }) => subject_id).sort()).toEqual(
    [id, ...pages.map((page) => page?.id)].sort(),
  );
  const counts = await database.query({
    text: `
      select sensitivity, sum(n)::int4 as pages from (
        select sensitivity, pages as n from keyword_term where lexeme = 'cassowari'
        union all
        select sensitivity, sign from keyword_delta where lexemes @> array['cassowari'] collate "C"
      ) c group by 1 having sum(n) <> 0`,
  });
  expect(counts).toEqual([{ sensitivity: 3, pages: 2 }]);

  // Lowering the page opens nothing of what was told while it was secret.
  await seedPages(stores, notes, { 'raised/page': { sensitivity: 'PUBLIC' } });
  expect(await pageOf(first, GUEST)).toBeNull();
});

test('prepares its page again when a page that it is about is raised meanwhile', async () => {
  const { 'meanwhile/page': id } = await seedPages(stores, notes, { 'meanwhile/page': '' });
  const sessionId = await start();
  await observe(sessionId, 'a bilby', { about: [{ id }] });
  let calls = 0;
  const busy: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(texts) {
        calls += 1;
        if (calls === 1) {
          await seedPages(stores, notes, { 'meanwhile/page': { sensitivity: 'RESTRICTED' } });
        }
        return stores.embedder.embed(texts);
      },
    },
  };

  await endSession(busy, await callerFor(stores), sessionId);

  expect((await pageOf(sessionId))?.sensitivity).toBe('RESTRICTED');
});

test('ends also where a page stands in its place, and never lowers or tells of it', async () => {
  const [hidden, open] = [await start(), await start()];
  await observe(hidden, 'a bettong');
  await seedPages(stores, notes, {
    [`sessions/${new Date(now).toISOString().slice(0, 10)}/${hidden}`]: {
      body: 'a secret',
      sensitivity: 'RESTRICTED',
    },
    [`sessions/${new Date(now).toISOString().slice(0, 10)}/${open}`]: { sensitivity: 'PUBLIC' },
  });

  await end(hidden, GUEST);
  await end(open, GUEST);

  expect((await find(hidden, GUEST))?.endedAt).toBe(now);
  expect(await pageOf(hidden, GUEST)).toBeNull();
  expect(await pageOf(hidden)).toMatchObject({ version: 2, sensitivity: 'RESTRICTED' });
  expect((await pageOf(open, GUEST))?.sensitivity).toBe('INTERNAL');
});

test('hides a session above the clearance, of another project and of another tenant', async () => {
  const secret = await start({ sensitivity: 'RESTRICTED' });
  const open = await start();
  const noProject = { ...LOCAL_PRINCIPAL, name: 'none', projects: [] };
  const otherTenant = { ...LOCAL_PRINCIPAL, tenant: 'elsewhere' };

  expect([await find(secret), await find(open, GUEST)]).not.toContain(null);
  expect(await find(secret, GUEST)).toBeNull();
  expect(await find(open, noProject)).toBeNull();
  expect(await find(open, otherTenant)).toBeNull();
  await expect(end(secret, GUEST)).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'session' });
  await expect(observe(open, 'x', {}, otherTenant)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(start({ sensitivity: 'RESTRICTED' }, GUEST)).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'sensitivity',
  });
});

test('lists sessions newest first and observations by importance, step by step', async () => {
  const project = await seedProject(stores, 'listed');
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    ids.unshift(await start({ projectId: project.id }));
    now += count % 2;
  }
  for (const importance of [5, 7, 5, 7]) {
    await observe(ids[0] ?? '', `of ${importance}`, { importance });
  }
  const { view } = await callerFor(stores);
  const listed: string[] = [];
  let after = null;
  for (;;) {
    const [list] = await stores.sessions.list(view, [{ projectId: project.id, first: 2, after }]);
    listed.push(...(list?.sessions.map(({ id }) => id) ?? []));
    expect(list?.total).toBe(5);
    after = list?.sessions.at(-1) ?? null;
    if (list?.hasMore !== true) break;
  }

  const [first] = await stores.sessions.listObservations(view, [
    { sessionId: ids[0] ?? '', first: 3, after: null },
  ]);
  const [rest] = await stores.sessions.listObservations(view, [
    { sessionId: ids[0] ?? '', first: 3, after: first?.observations.at(-1) ?? null },
  ]);

  expect(listed).toEqual(ids);
  expect(first?.observations.map(({ position }) => position)).toEqual([2, 4, 1]);
  expect([first?.hasMore, rest?.hasMore]).toEqual([true, false]);
  expect(rest?.observations.map(({ position }) => position)).toEqual([3]);
});

test('a purge removes what was observed of the page, in its session page and its history too', async () => {
  const ids = await seedPages(stores, notes, { 'purged/gone': '', 'purged/stays': '' });
  const sessionId = await start();
  const gone = { id: ids['purged/gone'] };
  const stays = { id: ids['purged/stays'] };
  await observe(sessionId, 'the axolotl', { importance: 9, about: [gone, stays] });
  await observe(sessionId, 'the numbat', { about: [stays] });
  await end(sessionId);
  const before = await pageOf(sessionId);
  // What people added to the derived page may tell of the purged one: it goes with the rest.
  await write(stores, {
    pages: [
      {
        projectId: notes.id,
        path: before?.path ?? '',
        title: 'Edited',
        body: `${before?.body} an axolotl again`,
        tags: ['axolotl'],
        hints: ['where is the axolotl'],
        attributes: { animal: 'axolotl' },
        importance: 9,
      },
    ],
  });
  expect(await placesOf('axolotl')).toEqual(
    expect.arrayContaining(['observation', 'page_version']),
  );

  const { result } = await purge(ids['purged/gone']);

  expect(result).toMatchObject({ observations: 1, sessionPages: 1, waitingLinks: 0 });
  expect(await placesOf('axolotl')).toEqual([]);
  expect(await placesOf('purged/gone')).toEqual([]);
  const page = await pageOf(sessionId);
  expect(page).toMatchObject({
    id: before?.id,
    title: 'Find the leak',
    tags: [],
    importance: 9,
    version: 3,
  });
  expect(page?.body).toContain('- (5) the numbat About [[purged/stays]].');
  expect((await observationsOf(sessionId)).texts).toEqual(['the numbat']);
  expect(pathsOf(await ask(stores, 'numbat'))).toContain(page?.path);
});

test('a purge keeps what is said of a session page while it is made anew, beside its content', async () => {
  const { 'archive/gone': id } = await seedPages(stores, notes, { 'archive/gone': '' });
  const sessionId = await start();
  await observe(sessionId, 'a quoll', { about: [{ id }] });
  await end(sessionId);
  const told = await pageOf(sessionId);
  const busy: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(texts) {
        await seedPages(stores, notes, {
          [told?.path ?? '']: { tags: ['late'], importance: 2, archived: true },
        });
        return stores.embedder.embed(texts);
      },
    },
  };

  await purgePage(busy, await callerFor(stores), id);

  expect(await pageOf(sessionId)).toMatchObject({ status: 'ARCHIVED', importance: 2, tags: [] });
  expect(await placesOf('quoll')).toEqual([]);
});

test('a purge of what is hidden makes no page of a session anew', async () => {
  const { 'veiled/page': id } = await seedPages(stores, notes, { 'veiled/page': '' });
  const sessionId = await start();
  await observe(sessionId, 'x', { about: [{ id }] });
  await end(sessionId);
  await seedPages(stores, notes, { 'veiled/page': { sensitivity: 'RESTRICTED' } });
  let calls = 0;
  const counted: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(texts) {
        calls += 1;
        return stores.embedder.embed(texts);
      },
    },
  };
  const { view, principal } = await callerFor(stores, GUEST);

  const refused = purgePage(counted, { view, principal }, id);

  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'id' });
  expect(calls).toBe(0);
  expect(await stores.sessions.listDerived(view, id)).toBeNull();
});

test('a purge makes many session pages anew a few at a time, and none twice for another that changed', async () => {
  const { 'many/gone': id, 'many/stays': stays } = await seedPages(stores, notes, {
    'many/gone': '',
    'many/stays': '',
  });
  const sessionIds: string[] = [];
  for (let count = 0; count < 45; count++) {
    const sessionId = await start();
    await observe(sessionId, `the potoroo ${count}`, { about: [{ id }] });
    await observe(sessionId, `left ${count}`, { about: [{ id: stays }] });
    await end(sessionId);
    sessionIds.push(sessionId);
  }
  const texts: number[] = [];
  const counted: Stores = {
    ...stores,
    embedder: {
      ...stores.embedder,
      async embed(asked) {
        texts.push(asked.length);
        // Of all the pages, one changes while they are made.
        if (texts.length === 1) {
          await database.query({
            text: 'update session set revision = revision + 1 where id = $1',
            values: [sessionIds[0]],
          });
        }
        return stores.embedder.embed(asked);
      },
    },
  };

  const { result } = await purgePage(counted, await callerFor(stores), id);

  expect(result.sessionPages).toBe(45);
  expect(await placesOf('potoroo')).toEqual([]);
  expect((await pageOf(sessionIds[44] ?? ''))?.body).toContain('left 44');
  // Each page has one passage: three steps, and one page again.
  expect(texts).toEqual([20, 20, 5, 1]);
});

test('a purge reaches session pages that whoever purges does not see', async () => {
  const ids = await seedPages(stores, notes, {
    'reach/gone': '',
    'reach/secret': { sensitivity: 'RESTRICTED' },
  });
  const sessionId = await start();
  await observe(sessionId, 'the quokka', {
    about: [{ id: ids['reach/gone'] }, { id: ids['reach/secret'] }],
  });
  await end(sessionId);

  const { result } = await purge(ids['reach/gone'], GUEST);

  expect(result).toMatchObject({ observations: 0, sessionPages: 0 });
  expect(await placesOf('quokka')).toEqual([]);
  expect((await pageOf(sessionId))?.sensitivity).toBe('RESTRICTED');
  const [trace] = await database.query<{ details: object }>({
    text: 'select details from audit where subject_id = $1',
    values: [ids['reach/gone']],
  });
  expect(trace?.details).toMatchObject({ observations: 1, sessionPages: 1 });
});

test('a purge of the page of a session removes the session, and no retry brings it back', async () => {
  const sessionId = await start({ task: 'A wallaby', idempotencyKey: 'start-wallaby' });
  const key = { idempotencyKey: 'observe-wallaby' };
  await observe(sessionId, 'one wallaby', key);
  await end(sessionId);

  const { result } = await purge((await pageOf(sessionId))?.id ?? '');

  expect(result).toMatchObject({ observations: 1, sessionPages: 0 });
  expect(await find(sessionId)).toBeNull();
  expect((await placesOf('wallaby')).filter((place) => place !== 'idempotency_key')).toEqual([]);
  const retries = await Promise.allSettled([
    start({ task: 'A wallaby', idempotencyKey: 'start-wallaby' }),
    observe(sessionId, 'one wallaby', key),
  ]);
  const reason = expect.objectContaining({ code: 'ANSWER_PURGED' });
  expect(retries).toEqual(retries.map(() => ({ status: 'rejected', reason })));
});

test('what was observed in a session that goes on is not in the page that it ends in', async () => {
  const { 'early/gone': id } = await seedPages(stores, notes, { 'early/gone': '' });
  const sessionId = await start();
  await observe(sessionId, 'a potoroo', { about: [{ id }] });
  await observe(sessionId, 'a dunnart');

  await purge(id);
  await end(sessionId);

  expect(await placesOf('potoroo')).toEqual([]);
  expect((await pageOf(sessionId))?.body).toContain('a dunnart');
});

test('a page recorded in a session has it as evidence, and the pages before and after as neighbours', async () => {
  const sessionId = await start();
  const record = async (...paths: string[]) => {
    const pages = paths.map((path) => ({ projectId: notes.id, path, title: path }));
    const { result } = await write(stores, { pages, sessionId });
    return result.map(({ pageId }) => pageId);
  };
  const [one = '', two = ''] = await record('turn/1', 'turn/2');
  await observe(sessionId, 'between');
  const [three = ''] = await record('turn/3');
  const [hidden = ''] = await record('turn/4');
  const [five = ''] = await record('turn/5');
  await seedPages(stores, notes, { 'turn/4': { sensitivity: 'RESTRICTED' } });

  const { view } = await callerFor(stores, GUEST);
  const neighbours = await stores.sessions.listNeighbours(view, [one, three, hidden], 1);

  expect(neighbours.map(({ sessionId: _, ...each }) => each)).toEqual([
    { pageId: one, neighbourId: two, direction: 'AFTER', distance: 1 },
    { pageId: three, neighbourId: two, direction: 'BEFORE', distance: 1 },
    { pageId: three, neighbourId: five, direction: 'AFTER', distance: 1 },
  ]);
  const further = await stores.sessions.listNeighbours(view, [three], 2);
  expect(further.map(({ neighbourId, distance }) => [neighbourId, distance])).toEqual([
    [two, 1],
    [one, 2],
    [five, 1],
  ]);
  expect(await evidenceOf(two)).toEqual([{ kind: 'SESSION', source: sessionId }]);
});

test('a session that replaces what it recorded speaks for the new content too, as one session', async () => {
  const sessionId = await start();
  const say = async (body: string) => {
    now += 1_000;
    const page = { projectId: notes.id, path: 'port', title: 'Port', body };
    const { result } = await write(stores, { pages: [page], sessionId });
    return result[0]?.pageId ?? '';
  };
  const id = await say('It is 8080.');
  const { view } = await callerFor(stores);

  await say('It is 9090.');
  await say('It is 9090.');
  const [summary] = await stores.pages.evidence(view, [id]);
  const [list] = await stores.pages.listEvidence(view, [{ pageId: id, first: 5, after: null }]);

  // The third write is a reconsolidation beside the session that has spoken already.
  expect(summary).toMatchObject({ count: 2, distinctSessions: 1 });
  expect(
    list?.evidence.map(({ sourceKind, sourceId, counts }) => [sourceKind, sourceId, counts]),
  ).toEqual([
    ['RECONSOLIDATION', expect.any(String), true],
    ['SESSION', `${sessionId}/2`, true],
    ['SESSION', sessionId, false],
  ]);
});

test('an answer to a write is not that to the same write in a session', async () => {
  const sessionId = await start();
  const pages = [{ projectId: notes.id, path: 'keyed', title: 'Keyed' }];
  await write(stores, { pages, idempotencyKey: 'keyed' });

  const other = write(stores, { pages, sessionId, idempotencyKey: 'keyed' });

  await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
});

test('takes as many statements for many as for few', async () => {
  const { view } = await callerFor(stores);
  const statementsFor = async (count: number) => {
    const before = database.statements;
    const ids = Array.from({ length: count }, () => crypto.randomUUID());
    await stores.sessions.list(
      view,
      ids.map((projectId) => ({ projectId, first: 5, after: null })),
    );
    await stores.sessions.listObservations(
      view,
      ids.map((sessionId) => ({ sessionId, first: 5, after: null })),
    );
    await stores.sessions.findMany(view, ids);
    await stores.sessions.listNeighbours(view, ids, 4);
    return database.statements - before;
  };

  expect(await statementsFor(20)).toBe(await statementsFor(1));
});
