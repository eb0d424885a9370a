import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStaticMiniLm } from '../../src/embedding/static-minilm.ts';
import { linkPages } from '../../src/memory/link-pages.ts';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createMemoryWriter } from '../../src/postgres/memory-writer.ts';
import { createProjectStore } from '../../src/postgres/project-store.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  callerFor,
  type SeedStores,
  seedEdges,
  seedPages,
  seedProject,
  write,
} from '../support/seed.ts';

let database: Database;
let stores: SeedStores;
let notes: Project;

beforeAll(async () => {
  database = await openTestDatabase();
  const clock = () => Date.parse('2026-03-01T00:00:00Z');
  stores = {
    projects: createProjectStore(database),
    writer: createMemoryWriter(database, clock),
    embedder: openStaticMiniLm(),
    clock,
  };
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

const purge = async (id: string, principal = LOCAL_PRINCIPAL) =>
  purgePage(stores, await callerFor(stores, principal), id);

test('removes all that hangs on a page, counts it, and leaves links of others waiting', async () => {
  const word = 'quokka';
  const ids = await seedPages(stores, notes, {
    gone: {
      body: `${word} one [[nowhere]]\n\n- supersedes [[older]]`,
      hints: [`where is the ${word}`],
    },
    older: '',
    friend: 'see [[gone]]',
  });
  await seedPages(stores, notes, {
    gone: {
      body: `${word} two [[nowhere]]\n\n- supersedes [[older]]`,
      hints: [`where is the ${word}`],
    },
  });
  await seedPages(stores, notes, {
    gone: {
      body: `${word} two [[nowhere]]\n\n- supersedes [[older]]`,
      hints: [`where is the ${word}`],
    },
  });
  await seedEdges(stores, [[ids.older, 'CAUSES', ids.gone, { note: `about the ${word}` }]]);

  const { result } = await purge(ids.gone);

  expect(result).toEqual({
    versions: 2,
    passages: 1,
    evidence: 1,
    hints: 1,
    edges: 3,
    waitingLinks: 1,
  });
  // Wherever it stood, in whatever table, the word and the id are gone; the trace without content stays.
  const tables = await database.query<{ table_name: string }>({
    text: `select table_name from information_schema.tables
      where table_schema = 'public' and table_name not in ('outbox', 'audit')`,
  });
  for (const { table_name } of tables) {
    const rows = await database.query<{ line: string }>({
      text: `select row_to_json(t)::text as line from "${table_name}" t`,
    });
    const lines = rows.map(({ line }) => line).filter((line) => line.includes(ids.gone));
    expect([table_name, lines]).toEqual([table_name, []]);
  }
  const words = await database.query({
    text: `
      select sum(pages)::int8 as pages from (
        select pages from keyword_term where lexeme = $1
        union all select sign from keyword_delta where $1 = any(lexemes)) as one`,
    values: [word],
  });
  expect(words).toEqual([{ pages: 0 }]);
  const waiting = await database.query({
    text: 'select from_path, to_path from waiting_edge order by 1, 2',
  });
  expect(waiting).toEqual([{ from_path: 'friend', to_path: 'gone' }]);
  const marked = await database.query({ text: 'select path from page where superseded' });
  expect(marked).toEqual([]);
  const trace = await database.query({ text: 'select action, subject_id, details from audit' });
  expect(trace).toEqual([{ action: 'PURGE_PAGE', subject_id: ids.gone, details: result }]);
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

test('keeps no answer to an earlier request that holds a note about the page', async () => {
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

  const answers = await database.query<{ key: string; answer: object }>({
    text: 'select key, answer from idempotency_key',
  });
  expect(answers.map(({ key }) => key)).toEqual(['write-a']);
  expect(JSON.stringify(answers)).not.toContain('wombat');
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
