import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import { resolveContradiction } from '../../src/memory/resolve-contradiction.ts';
import { serveGraph } from '../../src/memory/serve-graph.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { verifyGraph } from '../../src/memory/verify-graph.ts';
import { connectNeo4j, type Graph } from '../../src/neo4j/driver.ts';
import { createGraphWriter } from '../../src/neo4j/graph-writer.ts';
import { createProjectedGraph } from '../../src/neo4j/projected-graph.ts';
import { type OpenGraph, openGraph } from '../../src/open-graph.ts';
import { createStores } from '../../src/open-stores.ts';
import { createChangeLog } from '../../src/postgres/change-log.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { listVisiblePages } from '../../src/postgres/visible-pages.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { ask } from '../support/recall.ts';
import { callerFor, seedEdges, seedPages, seedProject } from '../support/seed.ts';

const { tenant } = LOCAL_PRINCIPAL;

let database: Database & { readonly url: string };
let neo4j: Graph;
let graph: OpenGraph;
let stores: Stores;

beforeAll(async () => {
  database = await openServerDatabase();
  neo4j = connectNeo4j(testNeo4j(database.url));
  await openGraphAnew();
});

afterAll(async () => {
  await graph.close();
  await neo4j.close();
  await database.close();
});

async function openGraphAnew(): Promise<void> {
  graph = openGraph({
    database,
    projectorDatabase: database,
    neo4j: testNeo4j(database.url),
    waitMs: 10_000,
  });
  await graph.settled();
  stores = createStores(database, Date.now, graph.store);
}

const differences = async () => (await verifyGraph(graph.verifySources, tenant)).differences;

test('a reader sees every write that was done before, at once', async () => {
  const project = await seedProject(stores, 'own-writes');
  const { view } = await callerFor(stores);
  for (let n = 1; n <= 10; n++) {
    const pages = await seedPages(stores, project, {
      [`cause-${n}`]: `- causes [[effect-${n}]]`,
      [`effect-${n}`]: 'It happened.',
    });

    const found = await traverse(stores, view, { from: [pages[`cause-${n}`] ?? ''], depth: 1 });

    expect(found.pages).toHaveLength(2);
    expect(found.served).toEqual({ by: 'NEO4J', isStale: false, lag: { events: 0, seconds: 0 } });
  }
  expect(await differences()).toEqual([]);
});

test('follows edits, retractions and purges', async () => {
  const project = await seedProject(stores, 'changes');
  await seedPages(stores, project, {
    a: '- causes [[b]]\n- fixes [[c]]\n- references [[later]]',
    b: 'B',
    c: 'C',
  });
  await seedPages(stores, project, { a: '- fixes [[c]]', later: 'It came.' });
  const { b } = await seedPages(stores, project, { b: '- contradicts [[a]]' });
  const caller = await callerFor(stores);
  await purgePage(stores, caller, b);

  const found = await traverse(stores, caller.view, { from: [b] });

  expect(found.pages).toEqual([]);
  expect(await differences()).toEqual([]);
});

test('follows a contradiction that is settled, reopened and settled anew, with who, when and why', async () => {
  const project = await seedProject(stores, 'settled');
  const { claim, doubt } = await seedPages(stores, project, { claim: '', doubt: '' });
  const [edgeId = ''] = await seedEdges(stores, [[doubt, 'CONTRADICTS', claim]]);
  const caller = await callerFor(stores);
  for (const outcome of ['UPHELD', 'UNRESOLVED', 'DISMISSED'] as const) {
    const { result } = await resolveContradiction(stores, caller, { edgeId, outcome, note: 'So.' });

    const found = await traverse(stores, caller.view, { from: [doubt], depth: 1 });

    expect(found.served.by).toBe('NEO4J');
    expect(found.edges).toEqual([result.edge]);
  }
  expect(await differences()).toEqual([]);
  await rebuildGraph({ ...graph.rebuildSources, graceMs: 0 }, tenant);
  const rebuilt = await traverse(stores, caller.view, { from: [doubt], depth: 1 });
  expect(rebuilt.edges).toMatchObject([{ resolution: 'DISMISSED', resolutionNote: 'So.' }]);
});

test('says what is missing when it does not wait', async () => {
  const project = await seedProject(stores, 'stale');
  const { view } = await callerFor(stores);
  const { old } = await seedPages(stores, project, { old: '- causes [[new]]' });
  await traverse(stores, view, { from: [old] });
  await graph.close();
  await seedPages(stores, project, { new: 'It came late.' });
  const hasty = serveGraph({
    projected: createProjectedGraph(neo4j),
    ledger: createLedgerGraph(database),
    changes: createChangeLog(database),
    listVisible: (reader, ids) => listVisiblePages(database, reader, ids),
    waitMs: 0,
  });
  await hasty.settled();

  const behind = await traverse({ graph: hasty.store }, view, { from: [old] });
  hasty.close();
  await openGraphAnew();
  const caughtUp = await traverse(stores, view, { from: [old] });

  expect(behind.pages).toHaveLength(1);
  expect(behind.served).toMatchObject({ by: 'NEO4J', isStale: true, lag: { events: 2 } });
  expect(caughtUp.pages).toHaveLength(2);
  expect(caughtUp.served).toMatchObject({ by: 'NEO4J', isStale: false });
});

test('a recall finds over an edge that was just written, though the graph is behind', async () => {
  const project = await seedProject(stores, 'behind');
  const { leak } = await seedPages(stores, project, {
    leak: { title: 'The pool leaks', body: 'connections' },
    drain: { title: 'Drain nightly', body: 'cron' },
  });
  const { view } = await callerFor(stores);
  await traverse(stores, view, { from: [leak], kinds: ['FIXES'], depth: 1 });
  // Nothing is carried from here on, as in the moment after a write.
  await graph.close();
  const served = serveGraph({
    projected: createProjectedGraph(neo4j),
    ledger: createLedgerGraph(database),
    changes: createChangeLog(database),
    listVisible: (seer, ids) => listVisiblePages(database, seer, ids),
    waitMs: 0,
  });
  await served.settled();
  const behind = { ...stores, graph: served.store };
  await seedPages(behind, project, { drain: { title: 'Drain nightly', body: '- fixes [[leak]]' } });

  const { hits } = await ask(behind, 'leaks connections', {
    view,
    filter: { projectIds: [project.id] },
  });
  served.close();
  await openGraphAnew();

  const drain = hits.find(({ page }) => page.path === 'drain');
  expect(drain?.explain.graphVia.map(({ edge, fromId }) => [edge, fromId])).toEqual([
    ['FIXES', leak],
  ]);
});

test('hides a page that became hidden, before the graph knows', async () => {
  const project = await seedProject(stores, 'hidden');
  const { view } = await callerFor(stores);
  const { from, secret } = await seedPages(stores, project, {
    from: '- causes [[secret]]',
    secret: '- causes [[beyond]]',
    beyond: 'Beyond it.',
  });
  const reader = { ...view, clearance: 1 };
  const before = await traverse(stores, reader, { from: [from], depth: 2 });
  // As a write that is not projected yet would leave it.
  const hide = 'update page set sensitivity = 3 where tenant = $1 and id = $2';
  await database.query({ text: hide, values: [tenant, secret] });

  const found = await traverse(stores, reader, { from: [from], depth: 2 });
  const [list] = await stores.graph.listEdges(reader, [
    { pageId: from, kinds: ['CAUSES'], direction: 'OUT', first: 5, after: null },
  ]);

  expect(before.pages).toHaveLength(3);
  expect(found.pages.map(({ pageId }) => pageId)).toEqual([from]);
  expect(found.edges).toEqual([]);
  expect(list).toMatchObject({ edges: [], total: 0, served: { by: 'NEO4J' } });
});

test('names what differs, and a rebuild mends it', async () => {
  const project = await seedProject(stores, 'mended');
  const { a, b, c } = await seedPages(stores, project, {
    a: '- causes [[b]]\n- fixes [[c]]',
    b: 'B',
    c: 'C',
  });
  await seedEdges(stores, [[b, 'SUPERSEDES', c, { note: 'newer' }]]);
  await rebuildGraph({ ...graph.rebuildSources, graceMs: 0 }, tenant);
  const whole = await differences();
  for (const spoil of [
    'MATCH (:Page {id: $a.a})-[r:CAUSES]->() DELETE r',
    "MATCH (p:Page {id: $a.b}) SET p.title = 'Another title'",
    `MATCH (p:Page {id: $a.c}) CREATE (:Page {tenant: p.tenant, generation: p.generation,
      id: '00000000-0000-7000-8000-000000000001'})`,
    'MATCH ()-[r:SUPERSEDES]->(:Page {id: $a.c}) SET r.note = null',
  ]) {
    await neo4j.command(spoil, { a, b, c });
  }

  const spoilt = await differences();
  await rebuildGraph({ ...graph.rebuildSources, graceMs: 0 }, tenant);

  expect(whole).toEqual([]);
  expect(spoilt.map(({ what, fault }) => `${fault} ${what}`).sort()).toEqual([
    'DIFFERENT PAGE',
    'DIFFERENT SUPERSEDES',
    'EXTRA PAGE',
    'MISSING CAUSES',
  ]);
  expect(await differences()).toEqual([]);
});

test('an old batch does nothing, nor does one from the future', async () => {
  const project = await seedProject(stores, 'fenced');
  const changes = createChangeLog(database);
  const writer = createGraphWriter(neo4j);
  const { fenced } = await seedPages(stores, project, { fenced: 'First.' });
  const { view } = await callerFor(stores);
  await traverse(stores, view, { from: [fenced] });
  const newest = await changes.findNewest(tenant);
  const stale = { tenant, changes: [], pages: [], edges: [], retractedEdges: [] };
  const deletedPages = [fenced];

  const late = await writer.apply({ ...stale, deletedPages, after: 0, reached: 1 });
  const early = await writer.apply({
    ...stale,
    deletedPages,
    after: newest + 5,
    reached: newest + 6,
  });

  expect([late, early]).toEqual([newest, newest]);
  expect(await differences()).toEqual([]);
});
