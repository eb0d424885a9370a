import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GraphStore } from '../../src/memory/graph-store.ts';
import { chain, disputes, resolution, rootCauses } from '../../src/memory/page-graph.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { openTestDatabase } from '../support/database.ts';
import { edgeOf, pageOf, toId, viewOf, writeGraph } from '../support/seed-graph.ts';

let database: Database;
let stores: { graph: GraphStore };

beforeAll(async () => {
  database = await openTestDatabase();
  stores = { graph: createLedgerGraph(database) };
});

afterAll(() => database.close());

test('follows causes back to pages that nothing causes', async () => {
  const { id, view } = await seed('roots', ['a CAUSES b', 'b CAUSES c', 'd CAUSES c']);

  const { pages, hasCycle, openEnds } = await rootCauses(stores, view, id('c'));

  expect(pages.map(({ pageId, depth }) => [pageId, depth])).toEqual([
    [id('d'), 1],
    [id('a'), 2],
  ]);
  expect(pages[1]?.path.map(({ direction }) => direction)).toEqual(['IN', 'IN']);
  expect([hasCycle, openEnds]).toEqual([false, []]);
});

test('says that a pure circle has no root', async () => {
  const { id, view } = await seed('circle', ['a CAUSES b', 'b CAUSES c', 'c CAUSES a']);

  const { pages, hasCycle } = await rootCauses(stores, view, id('a'));

  expect([pages, hasCycle]).toEqual([[], true]);
});

test('finds the root beside a circle', async () => {
  const { id, view } = await seed('beside', ['a CAUSES b', 'b CAUSES a', 'root CAUSES b']);

  const { pages, hasCycle } = await rootCauses(stores, view, id('a'));

  expect(pages.map(({ pageId }) => pageId)).toEqual([id('root')]);
  expect(hasCycle).toBe(true);
});

test('calls no page a root that has a cause beyond the cap', async () => {
  const { id, view } = await seed('deep', ['a CAUSES b', 'b CAUSES c', 'c CAUSES d']);

  const near = await rootCauses(stores, view, id('d'), { maxDepth: 2 });
  const far = await rootCauses(stores, view, id('d'), { maxDepth: 3 });

  expect([near.pages, near.openEnds]).toEqual([[], [id('b')]]);
  expect(far.pages.map(({ pageId }) => pageId)).toEqual([id('a')]);
});

test('takes a hidden cause for none at all', async () => {
  const { id, view } = await seed('hidden-cause', ['secret CAUSES b', 'b CAUSES c']);

  const ofReader = await rootCauses(stores, view, id('c'), { maxDepth: 1 });
  const ofTrusted = await rootCauses(stores, { ...view, clearance: 3 }, id('c'));

  expect(ofReader.pages.map(({ pageId }) => pageId)).toEqual([id('b')]);
  expect(ofReader.openEnds).toEqual([]);
  expect(ofTrusted.pages.map(({ pageId }) => pageId)).toEqual([id('secret')]);
});

test('has no root cause for a page without a cause', async () => {
  const { id, view } = await seed('first', ['a CAUSES b']);

  expect((await rootCauses(stores, view, id('a'))).pages).toEqual([]);
});

test('shows the fixes of a problem and what these caused', async () => {
  const { id, view } = await seed('fixed', [
    'fix FIXES bug',
    'fix CAUSES slow',
    'slow CAUSES late',
    'bug CAUSES crash',
    'secret FIXES bug',
  ]);

  const { pages, edges } = await resolution(stores, view, id('bug'));

  expect(pages.map(({ pageId, depth, path }) => [pageId, depth, path.length])).toEqual([
    [id('bug'), 0, 0],
    [id('fix'), 1, 1],
    [id('slow'), 2, 2],
  ]);
  expect(edges.map(({ kind }) => kind)).toEqual(['FIXES', 'CAUSES']);
});

test('shows the fixes alone where the server walks one hop', async () => {
  const { id, view } = await seed('one-hop', ['fix FIXES bug', 'fix CAUSES slow']);

  const { pages, edges } = await resolution(stores, view, id('bug'), { maxDepth: 1 });

  expect(pages.map(({ pageId }) => pageId)).toEqual([id('bug'), id('fix')]);
  expect(edges.map(({ kind }) => kind)).toEqual(['FIXES']);
});

test('shows a fix that brought the problem back, without showing the problem twice', async () => {
  const { id, view } = await seed('back', ['fix FIXES bug', 'fix CAUSES bug']);

  const { pages, edges } = await resolution(stores, view, id('bug'));

  expect(pages.map(({ pageId }) => pageId)).toEqual([id('bug'), id('fix')]);
  expect(edges).toHaveLength(2);
});

test('shows the contradictions around a page with their state', async () => {
  const { id, view } = await seed('disputed', [
    'b CONTRADICTS a',
    'a CONTRADICTS c',
    'b CONTRADICTS c',
    'secret CONTRADICTS a',
  ]);

  const { edges } = await disputes(stores, view, id('a'));

  expect(
    edges.map(({ fromId, toId: to, resolution: state }) => [fromId, to, state]).sort(),
  ).toEqual(
    [
      [id('b'), id('a'), 'UNRESOLVED'],
      [id('a'), id('c'), 'UNRESOLVED'],
    ].sort(),
  );
});

test('walks a chain of the asked kinds alone', async () => {
  const { id, view } = await seed('chained', ['a CAUSES b', 'b FIXES c', 'b CAUSES d']);
  const query = { pageId: id('a'), kinds: ['CAUSES'], direction: 'OUT', depth: 4 } as const;

  const { pages } = await chain(stores, view, query);

  expect(pages.map(({ pageId }) => pageId)).toEqual([id('a'), id('b'), id('d')]);
  await expect(chain(stores, view, { ...query, depth: 5 })).rejects.toMatchObject({
    code: 'DEPTH_LIMIT_EXCEEDED',
  });
});

/** Pages are made as edges name them; one called `secret` is restricted. */
async function seed(tenant: string, texts: readonly string[]) {
  const names = new Set(texts.flatMap((text) => [text.split(' ')[0], text.split(' ')[2]]));
  await writeGraph(database, {
    tenant,
    pages: [...names].map((name = '') =>
      pageOf(tenant, name, { sensitivity: name === 'secret' ? 3 : 1 }),
    ),
    edges: texts.map((text) => edgeOf(tenant, text)),
  });
  return { id: (name: string) => toId(tenant, name), view: viewOf(tenant) };
}
