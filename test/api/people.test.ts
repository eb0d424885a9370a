import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
type Written = { readonly page: { readonly path: string; readonly id: string } };

let pages: Readonly<Record<string, string>>;

beforeAll(async () => {
  app = await openTestApp();
  const { data } = await app.ask<{ writePages: { pages: Written[] } }>(`mutation {
    createProject(input: { name: "p" }) { __typename }
    writePages(input: { project: "p", pages: [
      { path: "a", title: "Heron", body: "A heron." }
      { path: "b", title: "Heron", body: "A heron. [[a]]" }
      { path: "c", title: "Heron", body: "A heron. [[a]]" }
    ] }) { ... on WritePagesSuccess { pages { page { path id } } } } }`);
  pages = Object.fromEntries(data.writePages.pages.map(({ page }) => [page.path, page.id]));
});
afterAll(() => app.close());

async function put(input: object) {
  const { data } = await app.ask<{ putPerson: { person: { id: string; name: string } } }>(
    `mutation ($input: PutPersonInput!) { putPerson(input: $input) {
      ... on PutPersonSuccess { person { id name aliases } }
      ... on InvalidInput { code field } ... on NotFound { code field } } }`,
    { input },
  );
  return data.putPerson;
}

async function assign(person: string, page: string | undefined, state: string) {
  const { data } = await app.ask<{ assignPerson: { page: { people: object } } }>(
    `mutation ($input: AssignPersonInput!) { assignPerson(input: $input) {
      ... on AssignPersonSuccess { state person { name } page { path people {
        totalCount edges { state node { name } } } } }
      ... on InvalidInput { code field } ... on NotFound { code field } } }`,
    { input: { person, page, state } },
  );
  return data.assignPerson;
}

test('a person is made, assigned, shown on the page and found by it', async () => {
  const { person } = await put({ name: 'Ann', aliases: ['Annie'] });

  const assigned = await assign(person.id, pages.b, 'RESOLVED');
  await assign(person.id, pages.c, 'UNRESOLVED');
  const { data, errors } = await app.ask(
    `query ($people: [ID!]!) {
      recall(input: { text: "heron", people: $people }) { hits { page { path } } }
      pages(filter: { people: $people }) { totalCount nodes { path } }
      traverse(from: ["${pages.a}"], kinds: [REFERENCES], direction: IN, depth: 1,
        where: { people: $people }) { pages { page { path } } }
      node(id: "${person.id}") { ... on Person { name aliases } }
      people(named: "Annie") { totalCount nodes { id name } }
    }`,
    { people: [person.id] },
  );

  expect(errors).toBeUndefined();
  expect(assigned).toEqual({
    state: 'RESOLVED',
    person: { name: 'Ann' },
    page: {
      path: 'b',
      people: { totalCount: 1, edges: [{ state: 'RESOLVED', node: { name: 'Ann' } }] },
    },
  });
  expect(data).toEqual({
    recall: { hits: [{ page: { path: 'b' } }] },
    pages: { totalCount: 1, nodes: [{ path: 'b' }] },
    traverse: { pages: [{ page: { path: 'a' } }, { page: { path: 'b' } }] },
    node: { name: 'Ann', aliases: ['Annie'] },
    people: { totalCount: 1, nodes: [{ id: person.id, name: 'Ann' }] },
  });
});

test('a hidden assignment is shown to nobody, also when it was shown before', async () => {
  const { person } = await put({ name: 'Bob' });
  await assign(person.id, pages.a, 'RESOLVED');

  const hidden = await assign(person.id, pages.a, 'HIDDEN');

  expect(hidden.page.people).toEqual({ totalCount: 0, edges: [] });
});

test('lists people by name, and goes on behind a cursor', async () => {
  await put({ name: 'Cleo' });
  const list = async (after: string | null) => {
    const { data } = await app.ask<{ people: { pageInfo: { endCursor: string } } }>(
      `query ($after: String) { people(first: 2, after: $after) {
        totalCount pageInfo { hasNextPage endCursor } nodes { name } } }`,
      { after },
    );
    return data.people;
  };

  const first = await list(null);
  const rest = await list(first.pageInfo.endCursor);

  expect(first).toMatchObject({
    totalCount: 3,
    nodes: [{ name: 'Ann' }, { name: 'Bob' }],
    pageInfo: { hasNextPage: true },
  });
  expect(rest).toMatchObject({ nodes: [{ name: 'Cleo' }], pageInfo: { hasNextPage: false } });
});

test('names what is wrong', async () => {
  const gone = Buffer.from(`Person:${crypto.randomUUID()}`).toString('base64url');

  expect(await put({ name: ' ' })).toEqual({ code: 'INVALID_INPUT', field: 'input.name' });
  expect(await put({ id: gone, name: 'x' })).toEqual({ code: 'NOT_FOUND', field: 'input.id' });
  expect(await put({ id: pages.a, name: 'x' })).toEqual({
    code: 'INVALID_INPUT',
    field: 'input.id',
  });
  expect(await assign(gone, pages.a, 'RESOLVED')).toEqual({
    code: 'NOT_FOUND',
    field: 'input.person',
  });
  const { errors } = await app.ask(
    '{ recall(input: { text: "x", people: ["x"] }) { ranking } people(after: "x") { totalCount } }',
  );
  expect(errors?.map(({ extensions }) => extensions.field).toSorted()).toEqual([
    'after',
    'input.people.0',
  ]);
});

test('loads the people of many pages in one statement', async () => {
  const statementsFor = async (first: number) => {
    const before = app.database.statements;
    await app.ask(`{ pages(first: ${first}) { nodes { people { nodes { name } } } } }`);
    return app.database.statements - before;
  };

  expect(await statementsFor(3)).toBe(await statementsFor(1));
});
