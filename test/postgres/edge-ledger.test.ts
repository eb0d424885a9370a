import { afterAll, beforeAll, expect, test } from 'vitest';
import { unlinkPages } from '../../src/memory/link-pages.ts';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, type SeedStores, seedEdges, seedPages, seedProject } from '../support/seed.ts';

const GUEST: Principal = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' };

let database: Database;
let stores: SeedStores;
let now = Date.parse('2026-03-01T00:00:00Z');
let notes: Project;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => (now += 1_000));
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

/** Active edges of pages under a folder, as `from KIND to`. */
const edgesUnder = async (folder: string): Promise<string[]> => {
  const rows = await database.query<{ said: string }>({
    text: `
      select f.path || ' ' || e.kind || ' ' || t.path as said
      from edge e join page f on f.id = e.from_id join page t on t.id = e.to_id
      where f.path like $1 || '/%' and e.recorded_to = 253402300800000`,
    values: [folder],
  });
  return rows.map(({ said }) => said).sort();
};
const waitingUnder = async (folder: string): Promise<string[]> => {
  const rows = await database.query<{ said: string }>({
    text: `
      select from_path || ' ' || kind || ' ' || to_project || ':' || to_path as said
      from waiting_edge where from_path like $1 || '/%'`,
    values: [folder],
  });
  return rows.map(({ said }) => said).sort();
};
const isSuperseded = async (path: string): Promise<boolean | undefined> => {
  const [row] = await database.query<{ superseded: boolean }>({
    text: 'select superseded from page where path = $1',
    values: [path],
  });
  return row?.superseded;
};
const countEdgeChanges = async (): Promise<number | undefined> => {
  const [row] = await database.query<{ n: number }>({
    text: `select count(*) as n from outbox where subject = 'EDGE'`,
  });
  return row?.n;
};

test('makes edges of the links in a body, and lets those without a page wait', async () => {
  await seedPages(stores, notes, {
    'say/a': 'see [[say/b]] and [[say/missing|it]], not `[[say/code]]`\n\n- fixes [[say/c#part]]',
    'say/b': '',
    'say/c': 'a page that names itself: [[say/c]]',
  });

  expect(await edgesUnder('say')).toEqual(['say/a FIXES say/c', 'say/a REFERENCES say/b']);
  expect(await waitingUnder('say')).toEqual(['say/a REFERENCES notes:say/missing']);
});

test('turns a waiting link into an edge when its page arrives', async () => {
  await seedPages(stores, notes, { 'wait/a': '- causes [[wait/late]]' });
  await seedPages(stores, notes, { 'wait/late': '' });

  expect(await edgesUnder('wait')).toEqual(['wait/a CAUSES wait/late']);
  expect(await waitingUnder('wait')).toEqual([]);
});

test('takes an edge away with the words that said it, and keeps what a caller asserted', async () => {
  const ids = await seedPages(stores, notes, {
    'edit/a': '[[edit/b]]\n\n- fixes [[edit/c]]',
    'edit/b': '',
    'edit/c': '',
  });
  await seedEdges(stores, [[ids['edit/a'], 'FIXES', ids['edit/c']]]);

  await seedPages(stores, notes, { 'edit/a': 'nothing' });
  const asserted = await edgesUnder('edit');
  await seedPages(stores, notes, { 'edit/a': '- fixes [[edit/c]]' });
  const caller = await callerFor(stores);
  const { result } = await unlinkPages(stores, caller, [
    { fromId: ids['edit/a'], kind: 'FIXES', toId: ids['edit/c'] },
  ]);

  expect(asserted).toEqual(['edit/a FIXES edit/c']);
  expect(result).toMatchObject([{ retractedAt: null }]);
  expect(await edgesUnder('edit')).toEqual(['edit/a FIXES edit/c']);
});

test('forgets a waiting link that the body no longer says', async () => {
  await seedPages(stores, notes, { 'drop/a': '[[drop/never]]' });
  await seedPages(stores, notes, { 'drop/a': 'nothing' });
  await seedPages(stores, notes, { 'drop/never': '' });

  expect(await waitingUnder('drop')).toEqual([]);
  expect(await edgesUnder('drop')).toEqual([]);
});

test('lets a link wait whose page the writer may not see, without losing what another made', async () => {
  await seedPages(stores, notes, { 'veil/secret': { sensitivity: 'RESTRICTED' } });
  await seedPages(stores, notes, { 'veil/a': '[[veil/secret]]' }, GUEST);
  const before = await edgesUnder('veil');

  await seedPages(stores, notes, { 'veil/a': 'in full: [[veil/secret]]' });
  const seen = await edgesUnder('veil');
  await seedPages(stores, notes, { 'veil/a': 'again: [[veil/secret]]' }, GUEST);

  expect(before).toEqual([]);
  expect(seen).toEqual(['veil/a REFERENCES veil/secret']);
  expect(await edgesUnder('veil')).toEqual(seen);
});

test('links across projects by the exact name', async () => {
  const other = await seedProject(stores, 'my_notes');
  await seedProject(stores, 'myxnotes');
  await seedPages(stores, other, { 'across/b': '' });
  await seedPages(stores, notes, { 'across/a': '[[my_notes:across/b]] [[myxnotes:across/b]]' });

  expect(await edgesUnder('across')).toEqual(['across/a REFERENCES across/b']);
  expect(await waitingUnder('across')).toEqual(['across/a REFERENCES myxnotes:across/b']);
});

test('leaves one edge of 300 asserts at once, and tells of it once', async () => {
  const { 'one/a': a, 'one/b': b } = await seedPages(stores, notes, { 'one/a': '', 'one/b': '' });
  const before = (await countEdgeChanges()) ?? 0;

  const ids = await Promise.all(
    Array.from({ length: 300 }, () => seedEdges(stores, [[a, 'CAUSES', b]])),
  );

  expect(new Set(ids.flat()).size).toBe(1);
  expect(await edgesUnder('one')).toEqual(['one/a CAUSES one/b']);
  expect(await countEdgeChanges()).toBe(before + 1);
});

test('loses none of 48 edges that are written at once on one page', async () => {
  const paths = Array.from({ length: 48 }, (_, index) => `fan/${index}`);
  const ids = await seedPages(
    stores,
    notes,
    Object.fromEntries([['fan/hub', ''], ...paths.map((path) => [path, ''])]),
  );

  await Promise.all(
    paths.map((path) => seedEdges(stores, [[ids['fan/hub'] ?? '', 'CAUSES', ids[path] ?? '']])),
  );

  expect(await edgesUnder('fan')).toHaveLength(48);
});

test('starts a contradiction unresolved, and adds a later note to an edge', async () => {
  const { 'doubt/a': a, 'doubt/b': b } = await seedPages(stores, notes, {
    'doubt/a': '',
    'doubt/b': '',
  });
  const first = await seedEdges(stores, [[a, 'CONTRADICTS', b, { note: 'first' }]]);
  const second = await seedEdges(stores, [[a, 'CONTRADICTS', b]]);
  const third = await seedEdges(stores, [[a, 'CONTRADICTS', b, { note: 'third' }]]);

  const rows = await database.query({
    text: 'select note, resolution from edge where from_id = $1',
    values: [a],
  });

  expect([second, third]).toEqual([first, first]);
  expect(rows).toEqual([{ note: 'third', resolution: 'UNRESOLVED' }]);
});

test('marks what is superseded, and unmarks it when the edge is retracted', async () => {
  const { 'sup/new': newer, 'sup/old': older } = await seedPages(stores, notes, {
    'sup/new': '- supersedes [[sup/old]]',
    'sup/old': '',
  });
  const marked = await isSuperseded('sup/old');
  await seedPages(stores, notes, { 'sup/new': 'no more' });
  const unmarked = await isSuperseded('sup/old');
  await seedEdges(stores, [[newer, 'SUPERSEDES', older]]);

  expect([marked, unmarked, await isSuperseded('sup/old')]).toEqual([true, false, true]);
});

test('refuses a circle of supersession from a body and from a caller, and names what can be seen', async () => {
  const ids = await seedPages(stores, notes, {
    'ring/a': '- supersedes [[ring/b]]',
    'ring/b': '',
    'ring/c': { body: '- supersedes [[ring/a]]', sensitivity: 'RESTRICTED' },
  });

  const refusals = await Promise.all(
    [
      seedEdges(stores, [[ids['ring/b'], 'SUPERSEDES', ids['ring/c']]]),
      seedPages(stores, notes, { 'ring/b': '- supersedes [[ring/a]]' }, GUEST),
    ].map((refused) => refused.catch((error) => error)),
  );

  expect(refusals).toMatchObject([
    { code: 'SUPERSESSION_CYCLE', cycle: expect.arrayContaining(['ring/a', 'ring/b', 'ring/c']) },
    { code: 'SUPERSESSION_CYCLE', cycle: expect.not.arrayContaining(['ring/c']) },
  ]);
  expect(await edgesUnder('ring')).toEqual([
    'ring/a SUPERSEDES ring/b',
    'ring/c SUPERSEDES ring/a',
  ]);
});

test('checks layers of supersession in a time that does not double with each layer', async () => {
  const layers = Array.from({ length: 30 }, (_, layer) =>
    ['a', 'b'].map((side): [string, string] => [
      `layer/${layer}${side}`,
      layer === 0 ? '' : `- supersedes [[layer/${layer - 1}a]], [[layer/${layer - 1}b]]`,
    ]),
  );

  await seedPages(stores, notes, Object.fromEntries(layers.flat()));

  expect(await edgesUnder('layer')).toHaveLength(29 * 4);
});

test('asserts edges by name whose ends come later, the last note of one edge counting', async () => {
  const { view } = await callerFor(stores);
  const end = (path: string) => ({ project: 'notes', path });
  const edge = (to: string, note: string | null) => ({
    kind: 'CAUSES' as const,
    from: end('file/a'),
    to: end(to),
    note,
    validFrom: null,
    validTo: null,
  });
  await seedPages(stores, notes, { 'file/a': '', 'file/b': '' });

  const { result } = await stores.writer.linkWhenPresent(view, [
    edge('file/b', 'one'),
    edge('file/b', 'two'),
    edge('file/later', null),
  ]);
  await seedPages(stores, notes, { 'file/later': '' });

  expect(result).toEqual({ linked: 1, existing: 0, waiting: 1 });
  expect(await edgesUnder('file')).toEqual(['file/a CAUSES file/b', 'file/a CAUSES file/later']);
});

test('counts of edges by name those that it was given, not what others said of the same pages', async () => {
  const { view } = await callerFor(stores);
  const end = (path: string) => ({ project: 'notes', path });
  const edge = (from: string, to: string) => ({
    ...{ kind: 'CAUSES' as const, from: end(from), to: end(to) },
    ...{ note: null, validFrom: null, validTo: null },
  });
  // A link that waits since its page is hidden from whoever said it.
  await seedPages(stores, notes, { 'own/b': { sensitivity: 'RESTRICTED' }, 'own/c': '' });
  const guest = { ...view, clearance: 1 };
  await stores.writer.linkWhenPresent(guest, [edge('own/c', 'own/b')]);
  await seedPages(stores, notes, { 'own/a': '' });

  const first = await stores.writer.linkWhenPresent(view, [
    edge('own/a', 'own/b'),
    edge('own/a', 'own/none'),
  ]);
  const again = await stores.writer.linkWhenPresent(view, [edge('own/a', 'own/b')]);

  expect(first.result).toEqual({ linked: 1, existing: 0, waiting: 1 });
  expect(again.result).toEqual({ linked: 0, existing: 1, waiting: 0 });
  expect(await edgesUnder('own')).toEqual(['own/a CAUSES own/b', 'own/c CAUSES own/b']);
});

test('names the end of an edge that is not there or not seen', async () => {
  const { 'end/a': a, 'end/s': s } = await seedPages(stores, notes, {
    'end/a': '',
    'end/s': { sensitivity: 'RESTRICTED' },
  });

  const refusals = await Promise.all(
    [
      seedEdges(stores, [
        [a, 'CAUSES', s],
        [crypto.randomUUID(), 'CAUSES', a],
      ]),
      seedEdges(stores, [[a, 'CAUSES', s]], GUEST),
      seedEdges(stores, [[a, 'CAUSES', a]]),
    ].map((refused) => refused.catch((error) => error)),
  );

  expect(refusals).toMatchObject([
    { code: 'NOT_FOUND', field: 'edges.1.from' },
    { code: 'NOT_FOUND', field: 'edges.0.to' },
    { code: 'INVALID_INPUT', field: 'edges.0.to' },
  ]);
  expect(await edgesUnder('end')).toEqual([]);
});
