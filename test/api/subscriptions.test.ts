import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { MAX_WATCHES } from '../../src/memory/change-feed.ts';
import type { PageId, Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { pruneOutbox } from '../../src/postgres/prune-outbox.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { type SeedPage, seedEdges, seedPages, seedProject } from '../support/seed.ts';
import { withDatabase } from '../support/server-setup.ts';
import { type Subscription, subscribe } from '../support/subscribe.ts';

const PAGE_CHANGED = `subscription ($project: String!, $after: String) {
  pageChanged(project: $project, after: $after) { cursor change pageId page { path title version sensitivity } }
}`;
const EDGE_CHANGED = `subscription ($project: String!, $after: String) {
  edgeChanged(project: $project, after: $after) {
    cursor change edge { kind note retractedAt from { path } to { path } }
  }
}`;

let app: TestApp;
let project: Project;
let count = 0;
const running: Subscription[] = [];

beforeAll(async () => {
  app = await openTestApp();
});
beforeEach(async () => {
  count += 1;
  project = await seedProject(app.stores, `p${count}`);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.leave()));
  await expect.poll(() => app.stores.changes.watches).toBe(0);
});
afterAll(() => app.close());

const colleague: Principal = { ...LOCAL_PRINCIPAL, name: 'colleague', clearance: 'INTERNAL' };

async function listen(
  query: string,
  variables: object = { project: project.name },
  as: Principal = LOCAL_PRINCIPAL,
): Promise<Subscription> {
  await app.ask('{ __typename }', {}, as);
  const begun = await subscribe(app.fetch, query, variables, { caller: JSON.stringify(as) });
  running.push(begun);
  return begun;
}

const pages = <Path extends string>(written: Readonly<Record<Path, SeedPage>>) =>
  seedPages(app.stores, project, written);

async function purge(pageId: PageId) {
  const id = Buffer.from(`Page:${pageId}`).toString('base64url');
  return app.ask('mutation ($id: ID!) { purgePage(input: { id: $id }) { __typename } }', { id });
}

async function unlink(from: PageId, to: PageId) {
  const toGlobal = (id: PageId) => Buffer.from(`Page:${id}`).toString('base64url');
  return app.ask(
    `mutation ($from: ID!, $to: ID!) {
      unlinkPages(input: { edges: [{ kind: FIXES, from: $from, to: $to }] }) { __typename }
    }`,
    { from: toGlobal(from), to: toGlobal(to) },
  );
}

type PageEvent = {
  readonly pageChanged: {
    readonly cursor: string;
    readonly change: string;
    readonly page: { readonly path: string } | null;
  };
};

/** Paths of the pages that are told, up to the one named. */
async function pathsUntil(subscription: Subscription, last: string) {
  const paths: string[] = [];
  const cursors: string[] = [];
  while (paths.at(-1) !== last) {
    const event = await subscription.next<PageEvent>();
    if (event === null) throw new Error(`Expected ${last}, but the stream was completed.`);
    const { page, change, cursor } = event.data.pageChanged;
    paths.push(page?.path ?? change);
    cursors.push(cursor);
  }
  return { paths, cursors };
}

test('tells pages as they are written and purged, from the moment of subscribing', async () => {
  await pages({ before: 'not told' });
  const changes = await listen(PAGE_CHANGED);

  const { a } = await pages({ a: 'one' });
  const written = await changes.next();
  await pages({ a: 'two' });
  const rewritten = await changes.next();
  await purge(a);
  const purged = await changes.next();

  const pageId = Buffer.from(`Page:${a}`).toString('base64url');
  const page = { path: 'a', title: 'a', sensitivity: 'INTERNAL' };
  expect(written?.data.pageChanged).toMatchObject({
    change: 'WRITTEN',
    pageId,
    page: { ...page, version: 1 },
  });
  expect(rewritten?.data.pageChanged).toMatchObject({ pageId, page: { ...page, version: 2 } });
  expect(purged?.data.pageChanged).toMatchObject({ change: 'PURGED', pageId, page: null });
});

test('goes on after a cursor with all that was missed, each change once and in order', async () => {
  const names = Array.from({ length: 230 }, (_, index) => `n${String(index).padStart(3, '0')}`);
  const first = await listen(PAGE_CHANGED);
  await pages(Object.fromEntries(names.slice(0, 40).map((name) => [name, 'text'])));
  const heard = await pathsUntil(first, 'n019');
  await first.leave();
  await pages(Object.fromEntries(names.slice(40).map((name) => [name, 'text'])));

  const again = await listen(PAGE_CHANGED, {
    project: project.name,
    after: heard.cursors.at(-1),
  });
  await pages({ last: 'live' });
  const rest = await pathsUntil(again, 'last');

  expect([...heard.paths, ...rest.paths]).toEqual([...names, 'last']);
  expect(new Set([...heard.cursors, ...rest.cursors]).size).toBe(names.length + 1);
});

test('tells nothing of what the caller may not see', async () => {
  const other = await seedProject(app.stores, `${project.name}-other`);
  const changes = await listen(PAGE_CHANGED, { project: project.name }, colleague);

  const { hidden } = await pages({ hidden: { body: 'one', sensitivity: 'RESTRICTED' } });
  const { turning } = await pages({ turning: 'open' });
  const open = await pathsUntil(changes, 'turning');
  await pages({ turning: { body: 'now secret', sensitivity: 'RESTRICTED' } });
  await purge(turning);
  await purge(hidden);
  await seedPages(app.stores, other, { elsewhere: 'of another project' });
  await pages({ end: 'open' });
  const told = await pathsUntil(changes, 'end');

  expect(open.paths).toEqual(['turning']);
  expect(told.paths).toEqual(['end']);
});

test('replays a page as it is now, and passes over one that was hidden since', async () => {
  const changes = await listen(PAGE_CHANGED, { project: project.name }, colleague);
  await pages({ start: 'open' });
  const { cursors } = await pathsUntil(changes, 'start');
  await changes.leave();
  await pages({ secret: 'open for now', plain: 'one' });
  await pages({ secret: { body: 'closed', sensitivity: 'CONFIDENTIAL' }, plain: 'two' });

  const after = cursors.at(-1);
  const again = await listen(PAGE_CHANGED, { project: project.name, after }, colleague);
  await pages({ end: 'open' });
  const told = await pathsUntil(again, 'end');

  expect(told.paths).toEqual(['plain', 'plain', 'end']);
});

test('tells edges as they are asserted and retracted, whichever end is in the project', async () => {
  const other = await seedProject(app.stores, `${project.name}-other`);
  const { fix, bug } = await pages({ fix: '', bug: '' });
  const { far } = await seedPages(app.stores, other, { far: '' });
  const changes = await listen(EDGE_CHANGED);
  const otherChanges = await listen(EDGE_CHANGED, { project: other.name });

  await seedEdges(app.stores, [[fix, 'FIXES', bug, { note: 'restart' }]]);
  await unlink(fix, bug);
  await seedEdges(app.stores, [[far, 'CAUSES', bug]]);
  const events = [await changes.next(), await changes.next(), await changes.next()];
  const ofOther = await otherChanges.next();

  expect(events.map((event) => event?.data.edgeChanged)).toMatchObject([
    { change: 'ASSERTED', edge: { kind: 'FIXES', note: 'restart', from: { path: 'fix' } } },
    { change: 'RETRACTED', edge: { retractedAt: expect.any(String), to: { path: 'bug' } } },
    { change: 'ASSERTED', edge: { kind: 'CAUSES', from: { path: 'far' } } },
  ]);
  expect(ofOther?.data.edgeChanged).toMatchObject({ edge: { from: { path: 'far' } } });
});

test('tells no edge with an end that the caller may not see', async () => {
  const { a, b, c, secret } = await pages({
    a: '',
    b: '',
    c: '',
    secret: { sensitivity: 'RESTRICTED' },
  });
  const changes = await listen(EDGE_CHANGED, { project: project.name }, colleague);

  await seedEdges(app.stores, [
    [a, 'FIXES', secret],
    [secret, 'CAUSES', b],
  ]);
  await unlink(a, secret);
  await seedEdges(app.stores, [[a, 'FIXES', b]]);
  const first = await changes.next();
  await purge(secret);
  await purge(c);
  await seedEdges(app.stores, [[b, 'CAUSES', a]]);
  const second = await changes.next();

  const edge = { from: { path: 'a' }, to: { path: 'b' } };
  expect(first?.data.edgeChanged).toMatchObject({ change: 'ASSERTED', edge });
  expect(second?.data.edgeChanged).toMatchObject({ edge: { kind: 'CAUSES', to: { path: 'a' } } });
});

test('sends no more statements for ninety missed changes than for three', async () => {
  const replay = async (query: string, size: number, after: string | undefined) => {
    const before = app.database.statements;
    const changes = await listen(query, { project: project.name, after });
    for (let index = 0; index < size; index++) {
      expect((await changes.next())?.errors).toBeUndefined();
    }
    const sent = app.database.statements - before;
    await changes.leave();
    return sent;
  };
  const missed = async (size: number) => {
    const changes = await listen(PAGE_CHANGED);
    await pages({ [`start-${size}`]: '' });
    const start = (await changes.next<PageEvent>())?.data.pageChanged.cursor;
    await changes.leave();
    const names = Array.from({ length: size }, (_, index) => `missed-${size}-${index}`);
    const ids = Object.values(await pages(Object.fromEntries(names.map((name) => [name, '']))));
    const [hub = '', ...others] = ids;
    await seedEdges(
      app.stores,
      others.map((id) => [id, 'CAUSES', hub]),
    );
    return [
      await replay(PAGE_CHANGED, size, start),
      await replay(EDGE_CHANGED, others.length, start),
    ];
  };

  const [pagesOfThree = 0, edgesOfThree = 0] = await missed(3);
  const [pagesOfNinety = 0, edgesOfNinety = 0] = await missed(90);

  // A notification that comes late costs a look more.
  expect(pagesOfNinety - pagesOfThree).toBeLessThan(10);
  expect(edgesOfNinety - edgesOfThree).toBeLessThan(10);
});

test('refuses a project that is not there, and a cursor that is none', async () => {
  const refused = async (variables: object, as = LOCAL_PRINCIPAL) => {
    const changes = await listen(PAGE_CHANGED, variables, as);
    const event = await changes.next();
    return [event?.errors?.[0]?.extensions.code, await changes.next()];
  };
  const strange = Buffer.from(JSON.stringify(['c1', -1])).toString('base64url');
  const ahead = Buffer.from(JSON.stringify(['c1', 2 ** 50])).toString('base64url');
  const barred: Principal = { ...LOCAL_PRINCIPAL, name: 'barred', projects: ['elsewhere'] };
  const mute: Principal = { ...LOCAL_PRINCIPAL, name: 'mute', scopes: ['memory:write'] };
  const { name } = project;

  expect(await refused({ project: 'nowhere' })).toEqual(['NOT_FOUND', null]);
  expect(await refused({ project: name }, barred)).toEqual(['NOT_FOUND', null]);
  expect(await refused({ project: name }, mute)).toEqual(['FORBIDDEN', null]);
  expect(await refused({ project: '' })).toEqual(['INVALID_INPUT', null]);
  expect(await refused({ project: name, after: strange })).toEqual(['INVALID_INPUT', null]);
  expect(await refused({ project: name, after: 'x y' })).toEqual(['INVALID_INPUT', null]);
  expect(await refused({ project: name, after: ahead })).toEqual(['CURSOR_EXPIRED', null]);
});

test('refuses a subscription that asks for too much, as it does a query', async () => {
  const hop = (inner: string) => `edges(first: 200) { nodes { ${inner} } }`;
  const changes = await listen(
    `subscription ($project: String!) {
      pageChanged(project: $project) { page { ${hop(hop(hop(hop('id'))))} } }
    }`,
  );

  const event = await changes.next();

  expect(event?.errors?.map(({ extensions }) => extensions.code)).toContain('COST_LIMIT_EXCEEDED');
  expect(app.stores.changes.watches).toBe(0);
});

test('answers a client that takes no events in one line, and keeps nothing open for it', async () => {
  const response = await app.fetch(
    new Request('http://causeway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: PAGE_CHANGED, variables: { project: project.name } }),
    }),
  );

  expect(response.status).toBe(406);
  expect(app.stores.changes.watches).toBe(0);
});

test('tells what another process writes', async () => {
  const database = await openOther();
  const stores = createStores(database);
  const other = createApp(stores, { principalOf: () => LOCAL_PRINCIPAL });
  const fetch = async (sent: Request) => other.fetch(sent);
  const heardThere = await subscribe(fetch, PAGE_CHANGED, { project: project.name });
  const heardHere = await listen(PAGE_CHANGED);

  await pages({ 'written-here': '' });
  await seedPages(stores, project, { 'written-there': '' });
  const [there, here] = await Promise.all([
    pathsUntil(heardThere, 'written-there'),
    pathsUntil(heardHere, 'written-there'),
  ]);
  await heardThere.leave();
  await stores.changes.close();
  if (database !== app.database) await database.close();

  expect(there.paths).toEqual(['written-here', 'written-there']);
  expect(here).toEqual(there);
});

test('stops listening when the last client leaves, and begins again for the next', async () => {
  let listeners = 0;
  const stores = createStores({
    ...app.database,
    async listen(channel, onNotify) {
      const stop = await app.database.listen(channel, onNotify);
      listeners += 1;
      return async () => {
        listeners -= 1;
        await stop();
      };
    },
  });
  const counted = createApp(stores, { principalOf: () => LOCAL_PRINCIPAL });
  const begin = async () => {
    const changes = await subscribe(async (sent) => counted.fetch(sent), PAGE_CHANGED, {
      project: project.name,
    });
    await pages({ [`page-${Math.random()}`]: '' });
    await changes.next();
    return changes;
  };

  const first = await begin();
  const second = await begin();
  const together = [stores.changes.watches, listeners];
  await first.leave();
  await expect.poll(() => stores.changes.watches).toBe(1);
  const alone = listeners;
  await second.leave();
  await expect.poll(() => listeners).toBe(0);
  const third = await begin();
  const again = listeners;
  await third.leave();
  await expect.poll(() => listeners).toBe(0);

  expect([together, alone, again]).toEqual([[2, 1], 1, 1]);
});

test('closes the source when the socket of a client breaks', async () => {
  const stores = createStores(app.database);
  const server = createServer(createApp(stores, { principalOf: () => LOCAL_PRINCIPAL }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const sent = request({
    method: 'POST',
    host: '127.0.0.1',
    port: typeof address === 'object' ? address?.port : 0,
    path: '/graphql',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ query: PAGE_CHANGED, variables: { project: project.name } }));
  const [response] = await once(sent, 'response');
  response.on('error', () => undefined);
  await expect.poll(() => stores.changes.watches).toBe(1);

  response.destroy();

  await expect.poll(() => stores.changes.watches).toBe(0);
  await stores.changes.close();
  server.close();
  server.closeAllConnections();
});

test('completes every subscription when the server goes down', async () => {
  const stores = createStores(app.database);
  const other = createApp(stores, { principalOf: () => LOCAL_PRINCIPAL });
  const begin = () =>
    subscribe(async (sent) => other.fetch(sent), PAGE_CHANGED, { project: project.name });
  const waiting = await begin();
  const events = waiting.next();
  await expect.poll(() => stores.changes.watches).toBe(1);

  await stores.changes.close();
  const late = await begin();

  expect(await events).toBeNull();
  expect(await late.next()).toBeNull();
  expect(stores.changes.watches).toBe(0);
});

test('says that a cursor has expired once changes after it are gone', async () => {
  const changes = await listen(PAGE_CHANGED);
  await pages({ one: '', two: '', three: '' });
  const { cursors } = await pathsUntil(changes, 'three');
  await changes.leave();
  const [one, , three] = cursors;

  await pruneOutbox(app.database, { now: Date.now() + 1, keepMs: 0, isProjected: false });
  const expired = await (await listen(PAGE_CHANGED, { project: project.name, after: one })).next();
  const held = await listen(PAGE_CHANGED, { project: project.name, after: three });
  await pages({ four: '' });

  expect(expired?.errors).toMatchObject([{ extensions: { code: 'CURSOR_EXPIRED' } }]);
  expect(expired?.errors?.[0]?.message).toContain('Read what you need anew');
  expect((await held.next<PageEvent>())?.data.pageChanged.page?.path).toBe('four');
});

/** As another process sees the store: the embedded one has no other. */
async function openOther(): Promise<Database> {
  if (inject('profile') === 'embedded') return app.database;
  const [row] = await app.database.query<{ name: string }>({
    text: 'select current_database() as name',
  });
  return connectPostgres({ url: withDatabase(inject('server').databaseUrl, row?.name ?? '') });
}

test('refuses one subscription more than a process tells, with a code, until one ends', async () => {
  const others = await Promise.all(
    Array.from({ length: MAX_WATCHES }, () => app.stores.changes.watch('another tenant')),
  );

  const refused = await listen(PAGE_CHANGED);
  const { errors } = (await refused.next()) ?? {};
  others.pop()?.stop();
  const taken = await listen(PAGE_CHANGED);
  await pages({ a: 'A' });
  const event = await taken.next();
  for (const other of others) other.stop();

  expect(errors).toMatchObject([
    {
      message:
        'Expected at most 1000 subscriptions at a time, but as many are open. Try again later.',
      extensions: { code: 'SUBSCRIPTION_LIMIT_REACHED', retryable: true, limit: 1_000 },
    },
  ]);
  expect(event).toMatchObject({ data: { pageChanged: { page: { path: 'a' } } } });
});
