import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let pageIds: Readonly<Record<string, string>>;

beforeAll(async () => {
  app = await openTestApp();
  const { data } = await app.ask<{
    writePages: { pages: { page: { path: string; id: string } }[] };
  }>(`mutation {
    createProject(input: { name: "shop" }) { __typename }
    writePages(input: { project: "shop", pages: [
      { path: "pool", title: "Pool" }
      { path: "leak", title: "Leak", kind: PROBLEM }
      { path: "secret", title: "Secret", sensitivity: RESTRICTED }
    ] }) { ... on WritePagesSuccess { pages { page { path id } } } }
  }`);
  pageIds = Object.fromEntries(data.writePages.pages.map(({ page }) => [page.path, page.id]));
});
afterAll(() => app.close());

const READER: Principal = { ...LOCAL_PRINCIPAL, name: 'reader', clearance: 'INTERNAL' };

async function start(task = 'Find the leak'): Promise<string> {
  const { data } = await app.ask<{ startSession: { session: { id: string } } }>(
    `mutation ($task: String!) {
      startSession(input: { project: "shop", agent: "claude", task: $task }) {
        ... on StartSessionSuccess { session { id } } } }`,
    { task },
  );
  return data.startSession.session.id;
}

async function observe(input: object) {
  const { data } = await app.ask(
    `mutation ($input: RecordObservationInput!) { recordObservation(input: $input) {
      ... on RecordObservationSuccess {
        observation { text importance about { path } } session { endedAt } }
      ... on Failure { code message }
      ... on NotFound { field } ... on SessionEnded { field } ... on InvalidInput { field }
    } }`,
    { input },
  );
  return data.recordObservation;
}

async function end(session: string) {
  const { data } = await app.ask<{
    endSession: { session: { endedAt: string; page: { path: string } } };
  }>(
    `mutation ($session: ID!) { endSession(input: { session: $session }) {
      ... on EndSessionSuccess { graphSequence session { endedAt page {
        id path kind title body references { nodes { path } } } } }
      ... on Failure { code } } }`,
    { session },
  );
  return data.endSession;
}

test('a session goes from its start over what it observed to its page', async () => {
  const session = await start();
  const noted = await observe({
    session,
    text: 'The pool is never drained.',
    importance: 9,
    about: [{ path: 'leak' }, { id: pageIds.pool }],
  });

  const ended = await end(session);
  const { data } = await app.ask(
    `query ($id: ID!) { node(id: $id) { ... on Session {
      id agent task sensitivity startedAt endedAt project { name } page { path }
      observations(first: 1) { totalCount pageInfo { hasNextPage } nodes { text about { path } } }
    } } page(project: "shop", path: "leak") { evidenceCount referencedBy { nodes { kind } } } }`,
    { id: session },
  );

  expect(noted).toEqual({
    observation: {
      text: 'The pool is never drained.',
      importance: 9,
      about: [{ path: 'leak' }, { path: 'pool' }],
    },
    session: { endedAt: null },
  });
  expect(ended.session.page).toMatchObject({
    kind: 'SESSION',
    title: 'Find the leak',
    path: expect.stringMatching(/^sessions\/\d{4}-\d\d-\d\d\/[0-9a-f-]{36}$/u),
    references: { nodes: expect.arrayContaining([{ path: 'leak' }, { path: 'pool' }]) },
  });
  expect(data.node).toMatchObject({
    id: session,
    agent: 'claude',
    task: 'Find the leak',
    sensitivity: 'INTERNAL',
    endedAt: ended.session.endedAt,
    project: { name: 'shop' },
    page: { path: ended.session.page.path },
    observations: {
      totalCount: 1,
      pageInfo: { hasNextPage: false },
      nodes: [{ text: 'The pool is never drained.', about: [{ path: 'leak' }, { path: 'pool' }] }],
    },
  });
  expect(data.page).toEqual({
    evidenceCount: 2,
    referencedBy: { nodes: [{ kind: 'SESSION' }] },
  });
});

test('ending twice gives the same page', async () => {
  const session = await start();

  const [first, second] = [await end(session), await end(session)];

  expect(second.session).toEqual(first.session);
});

test('names what is wrong with an observation', async () => {
  const session = await start();
  await end(session);

  expect(await observe({ session, text: 'late' })).toEqual({
    code: 'SESSION_ENDED',
    message: 'input.session: expected a session that goes on, but it has ended.',
    field: 'input.session',
  });
  expect(await observe({ session: pageIds.pool, text: 'x' })).toMatchObject({
    code: 'INVALID_INPUT',
    field: 'input.session',
  });
  const open = await start();
  expect(await observe({ session: open, text: 'x', about: [{ path: 'none' }] })).toMatchObject({
    code: 'NOT_FOUND',
    field: 'input.about.0.path',
  });
});

test('writes pages in a session, which is evidence for them', async () => {
  const session = await start();
  const { data } = await app.ask(
    `mutation ($session: ID!) {
      one: writePage(input: { project: "shop", session: $session, page: {
        path: "of-session/1", title: "One" } }) {
        ... on WritePageSuccess { page { evidenceCount } } }
      two: writePages(input: { project: "shop", session: $session, pages: [
        { path: "of-session/2", title: "Two" }] }) {
        ... on WritePagesSuccess { pages { page { evidenceCount } } } }
    }`,
    { session },
  );

  expect(data.one).toEqual({ page: { evidenceCount: 1 } });
  expect(data.two).toEqual({ pages: [{ page: { evidenceCount: 1 } }] });
});

test('refuses a write in a session that is over, by name', async () => {
  const session = await start();
  await end(session);

  const { data } = await app.ask(
    `mutation ($session: ID!) { writePage(input: { project: "shop", session: $session, page: {
      path: "late", title: "Late" } }) { ... on SessionEnded { code field } } }`,
    { session },
  );

  expect(data.writePage).toEqual({ code: 'SESSION_ENDED', field: 'input.session' });
});

type SessionList = {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly { readonly task: string }[];
};

test('lists the sessions of a project, newest first, and goes on behind a cursor', async () => {
  await app.ask('mutation { createProject(input: { name: "many" }) { __typename } }');
  for (const task of ['first', 'second', 'third']) {
    await app.ask(
      `mutation ($task: String!) {
        startSession(input: { project: "many", agent: "a", task: $task }) { __typename } }`,
      { task },
    );
  }
  const list = async (after: string | null) => {
    const { data } = await app.ask<{ project: { sessions: SessionList } }>(
      `query ($after: String) { project(name: "many") { sessions(first: 2, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } nodes { task } } } }`,
      { after },
    );
    return data.project.sessions;
  };

  const first = await list(null);
  const rest = await list(first.pageInfo.endCursor);
  const { errors } = await app.ask(
    `query ($after: String) { project(name: "shop") { sessions(after: $after) { totalCount } } }`,
    { after: first.pageInfo.endCursor },
  );

  expect(first).toMatchObject({
    totalCount: 3,
    pageInfo: { hasNextPage: true },
    nodes: [{ task: 'third' }, { task: 'second' }],
  });
  expect(rest).toMatchObject({ pageInfo: { hasNextPage: false }, nodes: [{ task: 'first' }] });
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', field: 'after' });
});

test('tells a reader nothing of what they may not see', async () => {
  const session = await start('A mixed session');
  await observe({ session, text: 'a quokka', about: [{ path: 'secret' }] });
  await observe({ session, text: 'a numbat', about: [{ path: 'pool' }] });
  await end(session);
  const query = `query ($id: ID!) { node(id: $id) { ... on Session {
    page { body } observations { totalCount nodes { text } } } }
    recall(input: { text: "quokka numbat" }) { hits { page { body } } } }`;

  const [mine, theirs] = [
    await app.ask(query, { id: session }),
    await app.ask(query, { id: session }, READER),
  ];

  expect(JSON.stringify(mine.data)).toContain('quokka');
  expect(JSON.stringify(theirs)).not.toContain('quokka');
  expect(theirs.data.node).toEqual({
    page: null,
    observations: { totalCount: 1, nodes: [{ text: 'a numbat' }] },
  });
});

test('costs no more statements for many sessions than for one', async () => {
  for (const path of ['pool', 'leak']) {
    const session = await start();
    await observe({ session, text: 'x', about: [{ path }] });
    await end(session);
  }
  const statementsFor = async (first: number) => {
    const before = app.database.statements;
    await app.ask(
      `query ($first: Int!) { project(name: "shop") { sessions(first: $first) { totalCount nodes {
        page { path } observations { nodes { about { path } } } } } } }`,
      { first },
    );
    return app.database.statements - before;
  };

  expect(await statementsFor(10)).toBe(await statementsFor(1));
});

test('counts in a purge what was observed of the page', async () => {
  const session = await start();
  const { data: written } = await app.ask<{
    writePage: { page: { id: string } };
  }>(`mutation { writePage(input: { project: "shop", page: {
    path: "doomed", title: "Doomed" } }) { ... on WritePageSuccess { page { id } } } }`);
  await observe({ session, text: 'a dunnart', about: [{ path: 'doomed' }] });
  await end(session);

  const { data } = await app.ask(
    `mutation ($id: ID!) { purgePage(input: { id: $id }) {
      ... on PurgePageSuccess { observations sessionPages evidence edges } } }`,
    { id: written.writePage.page.id },
  );
  const { data: after } = await app.ask(
    `query ($id: ID!) { node(id: $id) { ... on Session { page { body history { totalCount } } } } }`,
    { id: session },
  );

  expect(data.purgePage).toEqual({ observations: 1, sessionPages: 1, evidence: 2, edges: 1 });
  expect(after.node).toEqual({
    page: { body: expect.stringContaining('None.'), history: { totalCount: 1 } },
  });
});
