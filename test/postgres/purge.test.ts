import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkPages } from '../../src/memory/link-pages.ts';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedEdges, seedPages, seedProject, write } from '../support/seed.ts';
import { listStoredRows, readWholeStore } from '../support/store-content.ts';

let database: Database;
let stores: Stores;
let notes: Project;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => Date.parse('2026-03-01T00:00:00Z'));
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

const purge = async (id: string, principal = LOCAL_PRINCIPAL) =>
  purgePage(stores, await callerFor(stores, principal), id);

/** Seen in every table before, these words must be seen in none after. */
const WORDS = ['axolotl', 'numbat', 'bandicoot', 'quokka', 'wallaby', 'dunnart', 'potoroo'];

const gone = (body: string) => ({
  title: 'an axolotl',
  body: `${body} [[nowhere]]\n\n- supersedes [[older]]`,
  hints: ['where is the quokka'],
  attributes: { animal: 'wallaby' },
  tags: ['dunnart'],
});

test('removes all that hangs on a page, counts it, and leaves links of others waiting', async () => {
  const ids = await seedPages(stores, notes, {
    gone: gone('numbat'),
    older: '',
    friend: 'see [[gone]]',
  });
  await seedPages(stores, notes, { gone: gone('bandicoot') });
  await seedPages(stores, notes, { gone: gone('bandicoot') });
  await seedEdges(stores, [[ids.older, 'CAUSES', ids.gone, { note: 'of the potoroo' }]]);
  const before = await readWholeStore(database);
  expect(WORDS.filter((word) => !before.includes(word))).toEqual([]);

  const { result } = await purge(ids.gone);

  expect(result).toEqual({
    versions: 2,
    passages: 1,
    evidence: 1,
    hints: 1,
    edges: 3,
    waitingLinks: 1,
    people: 0,
    observations: 0,
    sessionPages: 0,
  });
  // Wherever they stood, the words and the id are gone; the trace without content stays.
  const traces = ['outbox', 'audit'];
  const left = (await listStoredRows(database)).filter(
    ({ table, row }) =>
      WORDS.some((word) => row.includes(word)) ||
      (row.includes(ids.gone) && !traces.includes(table)),
  );
  expect(left).toEqual([]);
  const waiting = await database.query({
    text: 'select from_path, to_path from waiting_edge order by 1, 2',
  });
  expect(waiting).toEqual([{ from_path: 'friend', to_path: 'gone' }]);
  const marked = await database.query({ text: 'select path from page where superseded' });
  expect(marked).toEqual([]);
  const trace = await database.query({ text: 'select action, subject_id, details from audit' });
  expect(trace).toEqual([{ action: 'PURGE_PAGE', subject_id: ids.gone, details: result }]);
});

test('leaves no word in the counts that were carried into the totals, and keeps those of other pages', async () => {
  const { 'folded/gone': id } = await seedPages(stores, notes, {
    'folded/gone': 'pangolin armadillo',
    'folded/stays': 'armadillo',
  });
  // More than are left standing, so that the words go into the totals.
  const crowd = Array.from({ length: 70 }, (_, index) => [`folded/${index}`, 'echidna'] as const);
  await seedPages(stores, notes, Object.fromEntries(crowd));
  const find = (lexeme: string) =>
    database.query({
      text: 'select pages from keyword_term where lexeme = $1',
      values: [lexeme],
    });
  expect([await find('pangolin'), await find('armadillo')]).toEqual([
    [{ pages: 1 }],
    [{ pages: 2 }],
  ]);

  await purge(id);

  expect((await listStoredRows(database)).filter(({ row }) => row.includes('pangolin'))).toEqual(
    [],
  );
  expect([await find('pangolin'), await find('armadillo')]).toEqual([[], [{ pages: 1 }]]);
});

test('counts for a caller what they may see, and removes the rest with it', async () => {
  const ids = await seedPages(stores, notes, {
    'seen/page': { body: 'once', sensitivity: 'RESTRICTED' },
    'seen/open': 'see [[seen/page]]',
    'seen/secret': { body: 'see [[seen/page]]', sensitivity: 'RESTRICTED' },
  });
  await seedPages(stores, notes, {
    'seen/page': { body: 'see [[seen/open]] and [[seen/secret]]', sensitivity: 'INTERNAL' },
  });
  const guest = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' as const };

  const { result } = await purge(ids['seen/page'], guest);

  expect(result).toMatchObject({ versions: 1, edges: 2, waitingLinks: 1 });
  const left = await database.query({
    text: 'select id from edge where from_id = $1 or to_id = $1',
    values: [ids['seen/page']],
  });
  expect(left).toEqual([]);
  const [trace] = await database.query<{ details: object }>({
    text: 'select details from audit where subject_id = $1',
    values: [ids['seen/page']],
  });
  expect(trace?.details).toMatchObject({ versions: 2, edges: 4, waitingLinks: 2 });
});

test('tells of the page and of each of its edges, in the order of the outbox', async () => {
  const ids = await seedPages(stores, notes, { 'tell/a': '[[tell/b]]', 'tell/b': '[[tell/a]]' });

  const { graphSequence } = await purge(ids['tell/a']);

  const rows = await database.query<{ subject: string; sequence: number }>({
    text: `select subject, sequence from outbox where change = 'DELETE' order by sequence desc limit 3`,
  });
  expect(rows.map(({ subject }) => subject).sort()).toEqual(['EDGE', 'EDGE', 'PAGE']);
  expect(rows[0]?.sequence).toBe(graphSequence);
});

test('links the page again when its path comes back, as a new page', async () => {
  const ids = await seedPages(stores, notes, { 'back/a': '[[back/b]]', 'back/b': 'old' });
  await purge(ids['back/b']);

  const again = await seedPages(stores, notes, { 'back/b': 'new' });

  const edges = await database.query({
    text: 'select to_id from edge where from_id = $1 and recorded_to = 253402300800000',
    values: [ids['back/a']],
  });
  expect(again['back/b']).not.toBe(ids['back/b']);
  expect(edges).toEqual([{ to_id: again['back/b'] }]);
});

test('keeps nothing that was noted of the page, its edges or its project elsewhere', async () => {
  const ids = await seedPages(stores, notes, { 'noted/a': 'see [[noted/b]]', 'noted/b': '' });
  const [edge] = await database.query<{ id: string }>({
    text: 'select id from edge where from_id = $1',
    values: [ids['noted/a']],
  });
  const { view } = await callerFor(stores);
  const key = { projectId: notes.id, sensitivity: 1 };
  await stores.reflections.putDigest(view, key, 'of the wombat');
  for (const [subject, id] of [
    ['PAGE', ids['noted/a']],
    ['EDGE', edge?.id],
    ['PAGE', ids['noted/b']],
  ]) {
    await database.query({
      text: `insert into projection_failure values ($1, $2, $3, 1, $4, 0)`,
      values: [LOCAL_PRINCIPAL.tenant, subject, id, `refused the wombat of ${id}`],
    });
  }
  await database.query({ text: `update projection set setback = 'a wombat', setbacks = 1` });

  await purge(ids['noted/a']);

  const left = (await listStoredRows(database)).filter(({ row }) => row.includes('wombat'));
  expect(left.map(({ table }) => table)).toEqual(['projection_failure']);
  expect(left[0]?.row).toContain(ids['noted/b']);
});

test('reads what was observed of the page by indexes, however much else was observed', async () => {
  const { 'plan/page': id } = await seedPages(stores, notes, { 'plan/page': '' });
  const statements: string[] = [];
  const spied: Database = {
    ...database,
    ofTenant(tenant) {
      const own = database.ofTenant(tenant);
      return {
        ...own,
        transaction: (mode, work) =>
          own.transaction(mode, (connection) =>
            work({
              query(statement) {
                if (statement.name === 'observation_delete_of_page') {
                  statements.push(statement.text);
                }
                return connection.query(statement);
              },
            }),
          ),
      };
    },
  };
  await purgePage(createStores(spied), await callerFor(stores), id);
  await database.query({
    text: `
      with s as (
        insert into session (tenant, id, project_id, agent, task, sensitivity, started_at)
        select 'local', gen_random_uuid(), $1, 'a', 't', 1, 0 from generate_series(1, 20)
        returning id
      )
      insert into observation (tenant, session_id, position, text, importance, sensitivity, recorded_at)
      select 'local', s.id, i, 'x', 5, 1, 0 from s, generate_series(1, 500) as i`,
    values: [notes.id],
  });
  await database.query({ text: 'analyze observation; analyze session; analyze observation_page' });

  const plan = await database.query<object>({
    text: `explain ${(statements[0] ?? '')
      .replaceAll('$1', "'local'")
      .replaceAll('$2', `'${id}'::uuid`)
      .replaceAll('$3', '3')
      .replaceAll('$4', "'{}'")}`,
  });

  expect(JSON.stringify(plan)).not.toContain('Seq Scan on observation ');
});

test('keeps no answer to an earlier request that names the page, and nothing to guess it by', async () => {
  const ids = await seedPages(stores, notes, { 'note/a': '', 'note/b': '' });
  await write(stores, {
    pages: [{ projectId: notes.id, path: 'note/a', title: 'kept' }],
    idempotencyKey: 'write-a',
  });
  await linkPages(stores, await callerFor(stores), {
    edges: [{ fromId: ids['note/a'], kind: 'CAUSES', toId: ids['note/b'], note: 'a wombat' }],
    idempotencyKey: 'link-a-b',
  });

  await purge(ids['note/b']);

  const answers = await database.query<{ key: string }>({
    text: `
      select key, answer, page_ids from idempotency_key
      where request_sha256 = '' or answer::text like '%wombat%'`,
  });
  expect(answers).toEqual([{ key: 'link-a-b', answer: null, page_ids: [] }]);
});

test('does not make the page again when a request comes late once more', async () => {
  const request = {
    pages: [{ projectId: notes.id, path: 'late/a', title: 'late' }],
    idempotencyKey: 'write-late',
  };
  const { result } = await write(stores, request);
  await purge(result[0]?.pageId ?? '');

  await expect(write(stores, request)).rejects.toMatchObject({
    code: 'ANSWER_PURGED',
    message: expect.stringContaining('"write-late" was purged'),
  });
  const again = await write(stores, { ...request, idempotencyKey: 'write-anew' });
  expect(again.result).toMatchObject([{ outcome: 'CREATED' }]);
});

test('finds the answers that name the page by an index, however many keys there are', async () => {
  await database.query({
    text: `
      insert into idempotency_key
        (tenant, principal, key, operation, request_sha256, answer, created_at, page_ids)
      select 'many', 'me', i::text, 'writePages', repeat('a', 64), '{"result": []}', i,
        array[gen_random_uuid(), gen_random_uuid()]
      from generate_series(1, 2000) as i`,
  });

  const plan = await database.query<object>({
    text: `
      explain select from idempotency_key
      where tenant = 'many' and page_ids @> array['${crypto.randomUUID()}'::uuid]`,
  });

  expect(JSON.stringify(plan)).toContain('on idempotency_key_page ');
});

test('answers alike for a page that is not there, one that is hidden, and one purged before', async () => {
  const { 'hide/s': secret, 'hide/g': gone } = await seedPages(stores, notes, {
    'hide/s': { sensitivity: 'RESTRICTED' },
    'hide/g': '',
  });
  await purge(gone);
  const guest = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' as const };

  const refusals = await Promise.all(
    [secret, gone, crypto.randomUUID()].map((id) => purge(id, guest).catch((error) => error)),
  );

  expect(new Set(refusals.map(({ message }) => message)).size).toBe(1);
  expect(refusals[0]).toMatchObject({ code: 'NOT_FOUND', field: 'id' });
});

test('needs the scope to write', async () => {
  const { 'scope/a': id } = await seedPages(stores, notes, { 'scope/a': '' });
  const reader = { ...LOCAL_PRINCIPAL, name: 'reader', scopes: ['memory:read'] as const };

  await expect(purge(id, reader)).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
