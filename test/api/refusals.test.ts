import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { EdgeListRequest } from '../../src/memory/graph-store.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { type Answer, openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
let id: string;
beforeAll(async () => {
  app = await openTestApp();
  const { data } = await app.ask<{ writePages: { pages: [{ page: { id: string } }] } }>(
    `mutation { createProject(input: { name: "p" }) { __typename }
      writePages(input: { project: "p", pages: [
        { path: "a", title: "A", body: "- causes [[b]]" }, { path: "b", title: "B" }
      ] }) { ... on WritePagesSuccess { pages { page { id } } } } }`,
  );
  id = data.writePages.pages[0].page.id;
});
afterAll(() => app.close());

/** Sends one query to a service over stores of which a part is replaced. */
async function askOver(stores: Partial<Stores>, query: string): Promise<Answer> {
  const service = createApp({ ...app.stores, ...stores }, { principalOf: () => LOCAL_PRINCIPAL });
  const response = await service.fetch('http://causeway/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

test.each([
  ['recall(input: { text: "x", project: "nope" }) { ranking }', 'input.project'],
  ['recall(input: { text: "x", projects: ["p", "nope"] }) { ranking }', 'input.projects.1'],
  ['recall(input: { text: "x", project: "p", projects: ["p"] }) { ranking }', 'input.projects'],
  ['recall(input: { text: " " }) { ranking }', 'input.text'],
  ['recall(input: { text: "x", ranking: "nope" }) { ranking }', 'input.ranking'],
  ['recall(input: { text: "x", tokenBudget: 0 }) { ranking }', 'input.tokenBudget'],
  ['recall(input: { text: "x", tags: ["\\u0000"] }) { ranking }', 'input.tags.0'],
  ['recall(input: { text: "x", includeIds: ["y"] }) { ranking }', 'input.includeIds.0'],
  ['recall(input: { text: "x", asOf: {} }) { ranking }', 'input.asOf'],
  ['recall(input: { text: "x", asOf: { validAt: "now" } }) { ranking }', 'input.asOf.validAt'],
  ['pages(asOf: { recordedAt: "now" }) { totalCount }', 'asOf.recordedAt'],
  ['pages(filter: { projects: ["nope"] }) { totalCount }', 'filter.projects.0'],
  ['pages(filter: { tags: ["\\u0000"] }) { totalCount }', 'filter.tags.0'],
  ['pages(filter: { pathPrefix: "/" }) { totalCount }', 'filter.pathPrefix'],
  ['pages(after: "x") { totalCount }', 'after'],
  ['page(project: "", path: "a") { id }', 'project'],
  ['page(id: "x") { id }', 'id'],
  ['page(project: "p") { id }', 'page'],
  ['traverse(from: ["x"]) { stale }', 'from.0'],
])('names the place of %s as the caller wrote it', async (field, named) => {
  const { data, errors } = await app.ask(`{ viewer { name } ${field} }`);

  expect(errors?.map(({ extensions }) => extensions.field)).toEqual([named]);
  expect(errors?.[0]?.message).toMatch(
    new RegExp(`^${named.replaceAll('.', '[.]')}: expected`, 'u'),
  );
  // The other field of the operation has its answer.
  expect(data.viewer).toEqual({ name: 'local' });
});

test.each([
  ['writePage(input: { project: "nope", page: { path: "c", title: "C" } })', 'input.project'],
  [
    'writePages(input: { pages: [{ project: "nope", path: "c", title: "C" }] })',
    'input.pages.0.project',
  ],
])('names the place of what %s does not find', async (mutation, field) => {
  const { data } = await app.ask(`mutation { done: ${mutation} { ... on NotFound { field } } }`);

  expect(data.done).toEqual({ field });
});

test.each([
  ['writePage(input: { project: "p", page: { path: "/", title: "C" } })', 'input.page.path'],
  ['writePages(input: { pages: [{ path: "c", title: "C" }] })', 'input.project'],
  ['linkPages(input: { edges: [{ kind: FIXES, from: "x", to: "y" }] })', 'input.edges.0.from'],
  ['unlinkPages(input: { edges: [{ kind: FIXES, from: "x", to: "y" }] })', 'input.edges.0.from'],
  ['purgePage(input: { id: "x" })', 'input.id'],
  ['createProject(input: { name: "a/b" })', 'input.name'],
])('names the place of a bad value in the input of %s', async (mutation, field) => {
  const { data } = await app.ask(
    `mutation { done: ${mutation} { ... on InvalidInput { field } } }`,
  );

  expect(data.done).toEqual({ field });
});

test('takes a cursor of edges for the list alone that it comes from', async () => {
  const list = (path: string, field: string) =>
    app.ask<{ page: { list: { edges: { cursor: string }[] } } }>(
      `{ page(project: "p", path: "${path}") { list: ${field} { edges { cursor } } } }`,
    );
  const { data } = await list('a', 'causes(first: 1)');
  const after = `after: "${data.page.list.edges[0]?.cursor}"`;

  const same = await list('a', `edges(kinds: [CAUSES], direction: OUT, ${after})`);
  const others = await Promise.all([
    list('b', `causes(${after})`),
    list('a', `causedBy(${after})`),
    list('a', `fixes(${after})`),
    list('a', `edges(${after})`),
  ]);

  expect(same.data.page.list.edges).toEqual([]);
  for (const { errors } of others) {
    expect(errors?.map(({ extensions }) => [extensions.code, extensions.field])).toEqual([
      ['INVALID_INPUT', 'after'],
    ]);
  }
});

test('answers a malformed id among others with an error in its place alone', async () => {
  const gone = Buffer.from(`Page:${crypto.randomUUID()}`).toString('base64url');
  const project = await app.ask<{ project: { id: string } }>('{ project(name: "p") { id } }');

  const { data, errors } = await app.ask(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id ... on Page { path } } }',
    { ids: [id, 'nonsense', gone, project.data.project.id, id] },
  );

  expect(data.nodes).toEqual([
    { __typename: 'Page', id, path: 'a' },
    null,
    null,
    { __typename: 'Project', id: project.data.project.id },
    { __typename: 'Page', id, path: 'a' },
  ]);
  expect(errors?.map(({ path, extensions }) => [path, extensions.field])).toEqual([
    [['nodes', 1], 'ids.1'],
  ]);
});

const writer: Principal = { ...LOCAL_PRINCIPAL, name: 'writer', scopes: ['memory:write'] };

test.each([
  ['page(project: "p", path: "a") { id }'],
  ['pages { totalCount }'],
  ['project(name: "p") { id }'],
  ['projects { totalCount }'],
  ['recall(input: { text: "a" }) { ranking }'],
  ['traverse(from: [$id]) { stale }'],
  ['path(from: $id, to: $id) { length }'],
  ['node(id: $id) { id }'],
  ['nodes(ids: [$id]) { id }'],
  ['_entities(representations: [{ __typename: "Page", id: $id }]) { __typename }'],
])('shows %s to nobody without the scope to read', async (field) => {
  const { data, errors } = await app.ask(
    `query ($id: ID!) { viewer { name } found: ${field} ok: viewer { name @skip(if: false) }
      ... @skip(if: true) { node(id: $id) { id } } }`,
    { id },
    writer,
  );

  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
  expect([data.found].flat()).toEqual([null]);
  expect(data.viewer).toEqual({ name: 'writer' });
});

test('lets a caller write who may not read', async () => {
  const { data, errors } = await app.ask(
    `mutation { writePage(input: { project: "p", page: { path: "w", title: "W" } }) {
      ... on WritePageSuccess { version page { path } } } }`,
    {},
    writer,
  );

  expect(data.writePage).toEqual({ version: 1, page: null });
  expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN']);
});

test('answers with null for a page that is removed between two statements, and with all else', async () => {
  const { pages } = app.stores;
  const findMany: typeof pages.findMany = async (view, ids) =>
    (await pages.findMany(view, ids)).map((page) => (page?.path === 'b' ? null : page));

  const { data, errors } = await askOver(
    { pages: { ...pages, findMany } },
    `{ traverse(from: ["${id}"]) { pages { page { path } path { page { path } } }
        edges { from { path } to { path } } }
      page(project: "p", path: "a") { causes { nodes { path } } } }`,
  );

  expect(errors).toBeUndefined();
  expect(data.traverse).toEqual({
    pages: [
      { page: { path: 'a' }, path: [] },
      { page: null, path: [{ page: null }] },
    ],
    edges: [{ from: { path: 'a' }, to: null }],
  });
  expect(data.page).toEqual({ causes: { nodes: [] } });
});

test('counts the edges of a page only for those who ask', async () => {
  const { graph } = app.stores;
  const asked: EdgeListRequest[] = [];
  const listEdges: typeof graph.listEdges = (view, requests, patience) => {
    asked.push(...requests);
    return graph.listEdges(view, requests, patience);
  };

  const { data } = await askOver(
    { graph: { ...graph, listEdges } },
    `{ page(project: "p", path: "a") {
        plain: causes { nodes { path } } counted: causes { ...Count } } }
      fragment Count on PageEdgeConnection { ... { totalCount } }`,
  );

  expect(asked.map(({ withTotal }) => withTotal)).toEqual([false, true]);
  expect(data.page).toEqual({ plain: { nodes: [{ path: 'b' }] }, counted: { totalCount: 1 } });
});
