import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EdgeKind } from '../../src/memory/edge.ts';
import { DAWN, FOREVER } from '../../src/memory/instant.ts';
import { linkWhenPresent, unlinkPages } from '../../src/memory/link-pages.ts';
import type { WaitingAssertion } from '../../src/memory/memory-writer.ts';
import type { Project } from '../../src/memory/page.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, type SeedStores, seedPages, seedProject } from '../support/seed.ts';

const JANUARY = Date.parse('2026-01-01T00:00:00Z');
const APRIL = Date.parse('2026-04-01T00:00:00Z');

let database: Database;
let stores: SeedStores;
let project: Project;
let made = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

/** A project of its own for each test. */
beforeEach(async () => {
  made += 1;
  project = await seedProject(stores, `p${made}`);
});

const say = <Path extends string>(pages: Record<Path, string>) => seedPages(stores, project, pages);
const assert = async (
  ...edges: readonly [
    from: string,
    kind: EdgeKind,
    to: string,
    options?: Partial<Pick<WaitingAssertion, 'note' | 'validFrom' | 'validTo'>>,
  ][]
) =>
  linkWhenPresent(
    stores,
    await callerFor(stores),
    edges.map(([from, kind, to, options]) => ({
      kind,
      from: { project: project.name, path: from },
      to: { project: project.name, path: to },
      ...{ note: null, validFrom: null, validTo: null },
      ...options,
    })),
  );
const active = async () =>
  (
    await database.query<{ said: string }>({
      text: `select f.path || ' ' || e.kind || ' ' || t.path as said
        from edge e join page f on f.id = e.from_id join page t on t.id = e.to_id
        where f.project_id = $1 and e.recorded_to = 253402300800000 order by 1`,
      values: [project.id],
    })
  ).map(({ said }) => said);
/** Note and valid time of all rows of edges from a page that are active. */
const known = (from: string) =>
  database.query({
    text: `select e.in_body, e.asserted, e.note, e.valid_from, e.valid_to
      from edge e join page f on f.id = e.from_id
      where f.project_id = $1 and f.path = $2 and e.recorded_to = 253402300800000`,
    values: [project.id, from],
  });
const unlink = async (fromId: string, kind: EdgeKind, toId: string) =>
  unlinkPages(stores, await callerFor(stores), [{ fromId, kind, toId }]);
const waiting = async () =>
  (
    await database.query<{ said: string }>({
      text: `select from_path || ' ' || kind || ' ' || to_path as said from waiting_edge
        where from_project = $1 order by 1`,
      values: [project.name],
    })
  ).map(({ said }) => said);

test('stores a page whose waiting links would close a circle, and lets the last of them wait', async () => {
  await assert(['a', 'SUPERSEDES', 'b'], ['b', 'SUPERSEDES', 'c'], ['c', 'SUPERSEDES', 'a']);

  await say({ a: '', b: '' });
  await say({ c: '' });

  expect(await active()).toEqual(['a SUPERSEDES b', 'c SUPERSEDES a']);
  expect(await waiting()).toEqual(['b SUPERSEDES c']);
});

test('what a page itself says stands before what others said of it', async () => {
  await say({ a: '- supersedes [[b]]' });
  await say({ b: '- supersedes [[a]]' });

  expect(await active()).toEqual(['b SUPERSEDES a']);
  expect(await waiting()).toEqual(['a SUPERSEDES b']);
});

test('makes an edge of what waited for a circle to open', async () => {
  await say({ a: '- supersedes [[b]]' });
  await say({ b: '- supersedes [[a]]' });

  await say({ b: 'no more' });

  expect(await active()).toEqual(['a SUPERSEDES b']);
  expect(await waiting()).toEqual([]);
});

test('keeps all that was said of an edge that goes on waiting', async () => {
  const said = { note: 'why', validFrom: JANUARY, validTo: APRIL };
  await assert(['a', 'SUPERSEDES', 'b', said]);
  await say({ a: '- supersedes [[b]]' });
  await say({ b: '- supersedes [[a]]' });

  const rows = await database.query({
    text: `select in_body, asserted, note, valid_from, valid_to from waiting_edge
      where from_project = $1`,
    values: [project.name],
  });

  expect(rows).toEqual([
    { in_body: true, asserted: true, note: 'why', valid_from: JANUARY, valid_to: APRIL },
  ]);
});

test('refuses a caller whose own edges close a circle, also one with an edge that waits', async () => {
  await say({ a: '- supersedes [[b]]', b: '' });

  await expect(assert(['b', 'SUPERSEDES', 'a'])).rejects.toMatchObject({
    code: 'SUPERSESSION_CYCLE',
    cycle: expect.arrayContaining(['a', 'b']),
  });
  await expect(say({ b: '- supersedes [[a]]' })).rejects.toMatchObject({
    code: 'SUPERSESSION_CYCLE',
  });
  await expect(
    assert(['x', 'SUPERSEDES', 'y']).then(() =>
      say({ x: '- supersedes [[y]]', y: '- supersedes [[x]]' }),
    ),
  ).rejects.toMatchObject({ code: 'SUPERSESSION_CYCLE' });
  expect(await active()).toEqual(['a SUPERSEDES b']);
  expect(await waiting()).toEqual(['x SUPERSEDES y']);
});

test('lets a caller link a page that another link waits for and would close a circle with', async () => {
  await say({ a: '- supersedes [[b]]' });
  await say({ b: '- supersedes [[a]]', c: '' });

  const counts = await assert(['c', 'CAUSES', 'b']);

  expect(counts).toEqual({ linked: 1, existing: 0, waiting: 0 });
  expect(await waiting()).toEqual(['a SUPERSEDES b']);
});

test('keeps the valid time of an edge that waits when it is asserted again without one', async () => {
  await assert(['a', 'CAUSES', 'b', { validFrom: JANUARY, validTo: APRIL }]);
  await assert(['a', 'CAUSES', 'b', { note: 'why' }]);
  await assert(['c', 'CAUSES', 'b', { validFrom: JANUARY, validTo: APRIL }]);
  await assert(['c', 'CAUSES', 'b', { validTo: APRIL }]);

  await say({ a: '', b: '', c: '' });

  const both = { in_body: false, asserted: true, valid_to: APRIL };
  expect(await known('a')).toEqual([{ ...both, note: 'why', valid_from: JANUARY }]);
  expect(await known('c')).toEqual([{ ...both, note: null, valid_from: DAWN }]);
});

test("a link that waits for a body and a caller is the caller's when the body says it no more", async () => {
  await say({ a: '- causes [[b]]' });
  await assert(['a', 'CAUSES', 'b', { note: 'why', validFrom: JANUARY }]);

  await say({ a: 'nothing' });
  await say({ b: '' });

  expect(await known('a')).toEqual([
    { in_body: false, asserted: true, note: 'why', valid_from: JANUARY, valid_to: FOREVER },
  ]);
});

test("a link that waited for a body and a caller is the body's when the caller takes it back", async () => {
  const { a } = await say({ a: '- causes [[b]]' });
  await assert(['a', 'CAUSES', 'b', { note: 'why', validFrom: JANUARY }]);
  const { b } = await say({ b: '' });

  await unlink(a, 'CAUSES', b);
  const left = await known('a');
  await say({ a: 'nothing' });

  expect(left).toEqual([
    { in_body: true, asserted: false, note: null, valid_from: DAWN, valid_to: FOREVER },
  ]);
  expect(await active()).toEqual([]);
});
