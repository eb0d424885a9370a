import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPath } from '../../src/memory/find-path.ts';
import { HARD_MAX_DEPTH, MAX_START_PAGES } from '../../src/memory/graph-limits.ts';
import type { GraphStore } from '../../src/memory/graph-store.ts';
import { traverse } from '../../src/memory/traverse.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { openTestDatabase } from '../support/database.ts';
import { edgeOf, pageOf, toId, viewOf, writeGraph } from '../support/seed-graph.ts';

const TENANT = 'incident';
const VIEW = viewOf(TENANT);
const id = (name: string) => toId(TENANT, name);

let database: Database;
let stores: { graph: GraphStore };

beforeAll(async () => {
  database = await openTestDatabase();
  stores = { graph: createLedgerGraph(database) };
  await writeGraph(database, {
    tenant: TENANT,
    pages: [
      ...['leak', 'oom', 'outage', 'report'].map((name) => pageOf(TENANT, name)),
      pageOf(TENANT, 'limit', { kind: 'FIX' }),
    ],
    edges: [
      edgeOf(TENANT, 'leak CAUSES oom', 2),
      edgeOf(TENANT, 'oom CAUSES outage', 3),
      edgeOf(TENANT, 'outage CAUSES leak', 4),
      edgeOf(TENANT, 'limit FIXES oom', 5),
      edgeOf(TENANT, 'oom REFERENCES report', 6),
    ],
  });
});

afterAll(() => database.close());

test('follows typed edges two hops out when nothing else is said', async () => {
  const found = await traverse(stores, VIEW, { from: [id('leak'), id('leak')] });

  expect(found.pages.map(({ pageId, depth, path }) => [pageId, depth, path.length])).toEqual([
    [id('leak'), 0, 0],
    [id('oom'), 1, 1],
    [id('outage'), 2, 2],
  ]);
  expect(found.edges.map(({ at }) => at)).toEqual([4, 3, 2]);
  expect(found.served).toEqual({
    by: 'LEDGER',
    isStale: false,
    lag: { events: 0, seconds: 0 },
  });
});

test('gives each page the steps that lead to it from the start', async () => {
  const { pages } = await traverse(stores, VIEW, { from: [id('outage')], direction: 'IN' });

  const fix = pages.find(({ pageId }) => pageId === id('limit'));
  expect(fix?.path.map(({ edge, direction }) => [edge.kind, edge.fromId, direction])).toEqual([
    ['CAUSES', id('oom'), 'IN'],
    ['FIXES', id('limit'), 'IN'],
  ]);
});

test('holds the condition for pages on the way, not for the start', async () => {
  const { pages } = await traverse(stores, VIEW, {
    from: [id('oom')],
    direction: 'BOTH',
    depth: 4,
    where: { kinds: ['FIX'] },
  });

  expect(pages.map(({ pageId }) => pageId)).toEqual([id('oom'), id('limit')]);
});

test('leaves out a start that is not there, and starts nowhere without a project', async () => {
  const unknown = await traverse(stores, VIEW, { from: [id('unknown')] });
  const blind = await traverse(stores, { ...VIEW, projectIds: [] }, { from: [id('leak')] });

  expect([unknown.pages, blind.pages]).toEqual([[], []]);
});

test('refuses a depth above the cap before it asks the graph', async () => {
  const before = database.statements;
  const from = [id('leak')];

  await expect(traverse(stores, VIEW, { from, depth: 5 })).rejects.toMatchObject({
    code: 'DEPTH_LIMIT_EXCEEDED',
    message: 'depth: expected at most 4, but got 5.',
  });
  await expect(traverse(stores, VIEW, { from, depth: 9 }, { maxDepth: 99 })).rejects.toMatchObject({
    code: 'DEPTH_LIMIT_EXCEEDED',
    limit: HARD_MAX_DEPTH,
  });
  await expect(findPath(stores, VIEW, pathOf({ maxDepth: 5 }))).rejects.toMatchObject({
    code: 'DEPTH_LIMIT_EXCEEDED',
    field: 'maxDepth',
  });
  expect(database.statements).toBe(before);
});

test.for([
  [{ from: [] }, 'INVALID_INPUT', 'from'],
  [
    { from: Array.from({ length: MAX_START_PAGES + 1 }, (_, n) => id(`${n}`)) },
    'LIMIT_EXCEEDED',
    'from',
  ],
  [{ kinds: [] }, 'INVALID_INPUT', 'kinds'],
  [{ depth: 0 }, 'INVALID_INPUT', 'depth'],
  [{ depth: 1.5 }, 'INVALID_INPUT', 'depth'],
  [{ maxPages: 0 }, 'INVALID_INPUT', 'maxPages'],
  [{ maxPages: 1_001 }, 'LIMIT_EXCEEDED', 'maxPages'],
  [{ fanOut: -1 }, 'INVALID_INPUT', 'fanOut'],
  [{ fanOut: 201 }, 'LIMIT_EXCEEDED', 'fanOut'],
] as const)('refuses %j', async ([input, code, field]) => {
  const asked = traverse(stores, VIEW, { from: [id('leak')], ...input });

  await expect(asked).rejects.toMatchObject({ code, field });
});

test('finds a path, and null where there is none', async () => {
  const found = await findPath(stores, VIEW, pathOf({ k: 5 }));
  const none = await findPath(stores, VIEW, { ...pathOf({}), to: id('report') });

  expect(found.path?.map(({ edge }) => edge.toId)).toEqual([id('oom'), id('outage')]);
  expect(found.others).toEqual([]);
  expect(none.path).toBeNull();
});

test('refuses more paths than it gives', async () => {
  await expect(findPath(stores, VIEW, pathOf({ k: 6 }))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    field: 'k',
    limit: 5,
  });
});

function pathOf(more: { k?: number; maxDepth?: number }) {
  return { from: id('leak'), to: id('outage'), ...more };
}
