import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { type Fields, openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

let projects = 0;

async function newProject(): Promise<string> {
  const name = `project-${projects++}`;
  await app.ask(
    `mutation ($name: String!) { createProject(input: { name: $name }) { __typename } }`,
    {
      name,
    },
  );
  return name;
}

const WRITE = `mutation ($project: String!, $pages: [PageInput!]!, $key: String) {
  writePages(input: { project: $project, pages: $pages, idempotencyKey: $key }) {
    __typename
    ... on WritePagesSuccess { pages { outcome version page { id path title tags evidenceCount status } } }
    ... on Failure { code message }
    ... on InvalidInput { field }
    ... on VersionConflict { currentVersion }
  }
}`;

type Written = {
  readonly code?: string;
  readonly pages?: readonly { readonly page: { readonly id: string } }[];
};

async function write(project: string, pages: readonly object[], key?: string) {
  const { data, errors } = await app.ask<{ writePages: Written }>(WRITE, { project, pages, key });
  expect(errors).toBeUndefined();
  return data.writePages;
}

async function read(
  project: string,
  path: string,
  fields: string,
  asOf: object | null = null,
  as?: Principal,
) {
  const { data, errors } = await app.ask<{ page: Fields | null }>(
    `query ($project: String!, $path: String!, $asOf: AsOfInput) {
      page(project: $project, path: $path, asOf: $asOf) { id ${fields} } }`,
    { project, path, asOf },
    as,
  );
  expect(errors).toBeUndefined();
  return data.page;
}

test.each([
  ['input.pages.0.title', { path: 'a', title: 'with NUL \u0000' }],
  ['input.pages.0.body', { path: 'a', title: 'A', body: 'x\u0000y' }],
  ['input.pages.0.tags.0', { path: 'a', title: 'A', tags: ['t\u0000'] }],
  ['input.pages.0.attributes.key', { path: 'a', title: 'A', attributes: { key: '\u0000' } }],
  ['input.pages.0.title', { path: 'a', title: 'half \ud800' }],
  ['input.pages.0.path', { path: '../x', title: 'A' }],
  ['input.pages.0.path', { path: 'a//b', title: 'A' }],
  ['input.pages.0.path', { path: 'sessions/', title: 'A' }],
  ['input.pages.0.path', { path: 'x'.repeat(513), title: 'A' }],
  ['input.pages.0.validFrom', { path: 'a', title: 'A', validFrom: '2026-03-01T10:00:00' }],
  ['input.pages.0.validFrom', { path: 'a', title: 'A', validFrom: '2026-02-30T00:00:00Z' }],
  ['input.pages.0.importance', { path: 'a', title: 'A', importance: 11 }],
])('refuses a bad %s by name and stores nothing', async (field, page) => {
  const project = await newProject();

  const refused = await write(project, [page]);

  expect(refused).toMatchObject({ __typename: 'InvalidInput', code: 'INVALID_INPUT', field });
  const { data } = await app.ask(
    'query ($p: [String!]) { pages(filter: { projects: $p }) { totalCount } }',
    { p: [project] },
  );
  expect(data.pages).toEqual({ totalCount: 0 });
});

test('writes all pages or none', async () => {
  const project = await newProject();

  const refused = await write(project, [
    { path: 'good', title: 'Good' },
    { path: 'bad', title: ' ' },
  ]);

  expect(refused).toMatchObject({ __typename: 'InvalidInput', field: 'input.pages.1.title' });
  expect(await read(project, 'good', 'path')).toBeNull();
});

test('takes NFC and NFD for one path, and upper and lower case for two', async () => {
  const project = await newProject();

  await write(project, [{ path: 'notes/Caf\u00e9', title: 'One' }]);
  await write(project, [{ path: 'notes/Cafe\u0301', title: 'Two' }]);
  await write(project, [
    { path: 'A', title: 'Upper' },
    { path: 'a', title: 'Lower' },
  ]);

  expect(await read(project, 'notes/Cafe\u0301', 'title version')).toMatchObject({
    title: 'Two',
    version: 2,
  });
  expect(await read(project, 'A', 'title')).toMatchObject({ title: 'Upper' });
});

test('counts the same content again as evidence, and replaces tags', async () => {
  const project = await newProject();
  await write(project, [{ path: 'a', title: 'A', body: 'same', tags: ['old'] }]);

  const again = await write(project, [{ path: 'a', title: 'A', body: 'same', tags: ['new'] }]);

  expect(again.pages?.[0]).toMatchObject({
    outcome: 'RECONSOLIDATED',
    version: 1,
    page: { tags: ['new'], evidenceCount: 1 },
  });
});

test('refuses a write that has seen another version, with the current one', async () => {
  const project = await newProject();
  await write(project, [{ path: 'a', title: 'A' }]);
  await write(project, [{ path: 'a', title: 'B' }]);

  const stale = await write(project, [{ path: 'a', title: 'C', expectedVersion: 1 }]);

  expect(stale).toMatchObject({ __typename: 'VersionConflict', currentVersion: 2 });
});

test('gives the first answer to a retry, and refuses the key for another request', async () => {
  const project = await newProject();
  const first = await write(project, [{ path: 'a', title: 'A' }], 'once');

  const retried = await write(project, [{ path: 'a', title: 'A' }], 'once');
  const other = await write(project, [{ path: 'a', title: 'B' }], 'once');

  expect(retried).toEqual(first);
  expect(other).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect(await read(project, 'a', 'version title')).toMatchObject({ version: 1, title: 'A' });
});

test('answers each instant with the version that was true then', async () => {
  const project = await newProject();
  const page = (title: string, validFrom: string, validTo?: string) => ({
    path: 'a',
    title,
    validFrom,
    validTo,
  });
  await write(project, [page('winter', '2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z')]);
  await write(project, [page('winter', '2026-06-01T00:00:00Z')]);

  const at = async (validAt: string) =>
    (await read(project, 'a', 'version', { validAt }))?.version ?? null;

  expect(await at('2026-02-01T00:00:00Z')).toBe(1);
  expect(await at('2026-03-15T00:00:00Z')).toBeNull();
  expect(await at('2026-06-15T00:00:00Z')).toBe(2);
});

test('lets a later beginning hold, whichever was written first', async () => {
  const project = await newProject();
  await write(project, [{ path: 'a', title: 'from June', validFrom: '2026-06-01T00:00:00Z' }]);
  await write(project, [{ path: 'a', title: 'from January', validFrom: '2026-01-01T00:00:00Z' }]);

  const at = async (validAt: string) => (await read(project, 'a', 'title', { validAt }))?.title;

  expect(await at('2026-03-01T00:00:00Z')).toBe('from January');
  expect(await at('2026-07-01T00:00:00Z')).toBe('from June');
});

test('makes links edges, lets missing ones wait, and lets both go with the body', async () => {
  const project = await newProject();
  const fields = 'fixes { nodes { path } } references { nodes { path } }';
  await write(project, [
    { path: 'a', title: 'A', body: '- fixes [[later]]\n\nsee [[b#part|label]], not `[[code]]`' },
    { path: 'b', title: 'B' },
    { path: 'code', title: 'Code' },
  ]);
  const before = await read(project, 'a', fields);

  await write(project, [{ path: 'later', title: 'Later' }]);
  const met = await read(project, 'a', fields);
  await write(project, [{ path: 'a', title: 'A', body: 'nothing' }]);
  const after = await read(project, 'a', fields);

  expect(before).toMatchObject({ fixes: { nodes: [] }, references: { nodes: [{ path: 'b' }] } });
  expect(met).toMatchObject({ fixes: { nodes: [{ path: 'later' }] } });
  expect(after).toMatchObject({ fixes: { nodes: [] }, references: { nodes: [] } });
});

test('refuses a circle of pages that replace each other', async () => {
  const project = await newProject();
  await write(project, [
    { path: 'a', title: 'A', body: '- supersedes [[b]]' },
    { path: 'b', title: 'B' },
  ]);

  const refused = await write(project, [{ path: 'b', title: 'B', body: '- supersedes [[a]]' }]);

  expect(refused.code).toBe('SUPERSESSION_CYCLE');
  expect(await read(project, 'b', 'status body')).toMatchObject({ status: 'SUPERSEDED', body: '' });
});

test('asserts one edge however often it is asked for at once', async () => {
  const project = await newProject();
  const { pages = [] } = await write(project, [
    { path: 'a', title: 'A' },
    { path: 'b', title: 'B' },
  ]);
  const [from, to] = pages.map((written) => written.page.id);
  const link = `mutation ($from: ID!, $to: ID!) {
    linkPages(input: { edges: [{ kind: CAUSES, from: $from, to: $to }] }) {
      ... on LinkPagesSuccess { edges { created } } } }`;

  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      app.ask<{ linkPages: { edges: [{ created: boolean }] } }>(link, { from, to }),
    ),
  );

  const created = answers.filter(({ data }) => data.linkPages.edges[0].created);
  expect(created).toHaveLength(1);
  expect(await read(project, 'a', 'edges { totalCount }')).toMatchObject({
    edges: { totalCount: 1 },
  });
});

test('removes a page for good, and lets links of others wait for it again', async () => {
  const project = await newProject();
  await write(project, [
    { path: 'a', title: 'A', body: '[[b]]' },
    { path: 'b', title: 'B' },
  ]);
  const page = await read(project, 'b', 'path');

  const { data } = await app.ask(
    `mutation ($id: ID!) { purgePage(input: { id: $id }) {
      ... on PurgePageSuccess { versions edges waitingLinks } } }`,
    { id: page?.id },
  );
  const gone = await read(project, 'b', 'path', { recordedAt: new Date().toISOString() });
  await write(project, [{ path: 'b', title: 'B again' }]);

  expect(data.purgePage).toEqual({ versions: 1, edges: 1, waitingLinks: 1 });
  expect(gone).toBeNull();
  expect(await read(project, 'a', 'references { nodes { title } }')).toMatchObject({
    references: { nodes: [{ title: 'B again' }] },
  });
});

test('shows nobody a secret page, nor what lies behind it', async () => {
  const project = await newProject();
  await write(project, [
    { path: 'a', title: 'Readable start', body: '- causes [[secret]]' },
    { path: 'secret', title: 'Hidden middle', body: '- causes [[b]]', sensitivity: 'RESTRICTED' },
    { path: 'b', title: 'Readable end' },
  ]);
  const clerk: Principal = { ...LOCAL_PRINCIPAL, name: 'clerk', clearance: 'INTERNAL' };
  const [a, b] = await Promise.all([read(project, 'a', 'path'), read(project, 'b', 'path')]);

  const { data, errors } = await app.ask<
    Fields & { recall: { hits: { page: { path: string }; explain: { graphVia: unknown[] } }[] } }
  >(
    `query ($project: String!, $from: ID!, $to: ID!) {
      traverse(from: [$from], depth: 3) { pages { page { path } } edges { id } truncated { reason } }
      path(from: $from, to: $to, maxDepth: 4) { length }
      pages(filter: { projects: [$project] }) { totalCount nodes { path edges { totalCount } } }
      page(project: $project, path: "secret") { id }
      recall(input: { text: "hidden middle readable", project: $project }) {
        hits { page { path } explain { graphVia { edge } } } }
    }`,
    { project, from: a?.id, to: b?.id },
    clerk,
  );

  expect(errors).toBeUndefined();
  expect(data.traverse).toEqual({ pages: [{ page: { path: 'a' } }], edges: [], truncated: [] });
  expect(data.path).toEqual({ length: null });
  expect(data.pages).toEqual({
    totalCount: 2,
    nodes: [
      { path: 'a', edges: { totalCount: 0 } },
      { path: 'b', edges: { totalCount: 0 } },
    ],
  });
  expect(data.page).toBeNull();
  const { hits } = data.recall;
  expect(hits.map(({ page }) => page.path).sort()).toEqual(['a', 'b']);
  expect(hits.flatMap(({ explain }) => explain.graphVia)).toEqual([]);
});

test('costs as many statements for a hundred nested pages as for ten', async () => {
  const project = await newProject();
  await write(
    project,
    Array.from({ length: 100 }, (_, index) => ({
      path: `n/${String(index).padStart(3, '0')}`,
      title: `Page ${index}`,
      body: `- causes [[n/${String((index + 1) % 100).padStart(3, '0')}]]`,
    })),
  );
  const nested = `query ($project: [String!], $first: Int) {
    pages(filter: { projects: $project }, first: $first) { nodes { path
      causes(first: 5) { edges { note node { path
        causes(first: 5) { edges { node { path
          causes(first: 5) { edges { node { path title } } } } } } } } } } } }`;
  const statementsFor = async (first: number) => {
    const before = app.database.statements;
    const { errors } = await app.ask(nested, { project: [project], first });
    expect(errors).toBeUndefined();
    return app.database.statements - before;
  };

  // Fewer, since a larger first level has more of the later ones in hand.
  expect(await statementsFor(100)).toBeLessThanOrEqual(await statementsFor(10));
  // From Neo4j, a level asks Postgres how new its answer is, and whether its pages are visible still.
  const checks = inject('profile') === 'server' ? 2 * 3 : 0;
  expect(await statementsFor(10)).toBeLessThanOrEqual(8 + checks);
});

test('costs a bounded number of statements for each walk, and one for all histories', async () => {
  const project = await newProject();
  await write(
    project,
    Array.from({ length: 20 }, (_, index) => ({
      path: `n/${index}`,
      title: `Page ${index}`,
      body: `- causes [[n/${index + 1}]]\n- fixes [[n/${index + 2}]]\n- contradicts [[n/${index + 3}]]`,
    })),
  );
  const statementsFor = async (field: string, first: number) => {
    const before = app.database.statements;
    const { errors } = await app.ask(
      `query ($project: [String!], $first: Int) {
        pages(filter: { projects: $project }, first: $first) { nodes { ${field} } } }`,
      { project: [project], first },
    );
    expect(errors).toBeUndefined();
    return app.database.statements - before;
  };
  const growth = async (field: string) =>
    ((await statementsFor(field, 15)) - (await statementsFor(field, 5))) / 10;

  expect(await growth('rootCauses { hasCycle pages { depth } }')).toBeLessThanOrEqual(4);
  expect(await growth('chain { pages { depth } }')).toBeLessThanOrEqual(2);
  expect(await growth('resolution { pages { depth } }')).toBeLessThanOrEqual(4);
  expect(await growth('disputes { edges { kind } }')).toBeLessThanOrEqual(2);
  expect(await growth('history { nodes { title } }')).toBe(0);
});

test('finds one node as often as it is asked for in a request', async () => {
  const project = await newProject();
  await write(project, [{ path: 'a', title: 'A', body: '' }]);
  const asked = 'query ($p: String!) { page(project: $p, path: "a") { id } }';
  const { data } = await app.ask<{ page: { readonly id: string } }>(asked, { p: project });

  const twice = await app.ask(
    'query ($id: ID!) { a: node(id: $id) { id } b: node(id: $id) { id } }',
    { id: data.page.id },
  );

  expect(twice).toEqual({ data: { a: { id: data.page.id }, b: { id: data.page.id } } });
});
