import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const EXAMPLES = new URL('../../examples/', import.meta.url);

const refusals = async (query: string, variables?: object) => {
  const { errors } = await app.ask(query, variables);
  return (errors ?? []).map(({ extensions: { code, limit, received, field } }) => ({
    code,
    limit,
    received,
    field,
  }));
};

const PRESETS = `
  rootCauses { hasCycle pages { depth page { path title } path { direction edge { kind } page { path } } } }
  resolution { pages { depth page { path title } } edges { kind from { path } to { path } } }
  disputes { edges { resolution from { path } to { path } } }`;

test.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.graphql')))(
  'lets the example %s pass',
  async (name) => {
    const { errors } = await app.ask(readFileSync(new URL(name, EXAMPLES), 'utf8'));

    expect(errors).toBeUndefined();
  },
);

test('lets ten explained hits pass, with what caused, remedied and disputes each', async () => {
  const found = await refusals(`{
    recall(input: { text: "why did checkout fail?", project: "shop", limit: 10 }) {
      hits { rank score passage { text }
        page { path title ${PRESETS} }
        explain { keyword { rank terms } graphVia { edge from { path } path { edge { kind } page { path } } }
          fusion { contributions { arm value } }
          authority { value factors { name } cap { by { path } } } } } } }`);

  expect(found).toEqual([]);
});

test('lets the largest drawn subgraph pass', async () => {
  const { data } = await app.ask<{ page: { id: string } }>(
    '{ page(project: "shop", path: "findings/retry-storm") { id } }',
  );
  const found = await refusals(
    `query ($id: ID!) { traverse(from: [$id], depth: 4, maxPages: 1000, fanOut: 200) {
      pages { depth page { path title } } edges { kind from { id } to { id } } } }`,
    { id: data.page.id },
  );

  expect(found).toEqual([]);
});

test('refuses an operation that could start more than 50 walks, before it starts any', async () => {
  const before = app.database.statements;

  const found = await refusals('{ pages(first: 51) { nodes { rootCauses { hasCycle } } } }');

  expect(found).toEqual([
    { code: 'WALK_LIMIT_EXCEEDED', limit: 50, received: 51, field: undefined },
  ]);
  expect(app.database.statements).toBe(before);
});

test.each([
  ['rootCauses', 'rootCauses { hasCycle }'],
  ['resolution', 'resolution { truncated { reason } }'],
  ['disputes', 'disputes { truncated { reason } }'],
  ['chain', 'chain { truncated { reason } }'],
])('counts each %s as a walk, through lists and fragments', async (_name, walk) => {
  const query = (first: number) => `
    { pages(first: ${first}) { nodes { ...A } } }
    fragment A on Page { causes(first: 5) { nodes { ...B } } }
    fragment B on Page { ${walk} }`;

  const [few, many] = [await refusals(query(10)), await refusals(query(11))];

  expect(few.filter(({ code }) => code === 'WALK_LIMIT_EXCEEDED')).toEqual([]);
  expect(many).toContainEqual(
    expect.objectContaining({ code: 'WALK_LIMIT_EXCEEDED', received: 55 }),
  );
});

test('counts walks and paths at the root, and lists of ids', async () => {
  const ids = Array.from({ length: 51 }, (_, index) => `id-${index}`);
  const walks = Array.from(
    { length: 20 },
    (_, index) =>
      `w${index}: traverse(from: [$id], maxPages: 3) { pages { page { disputes { stale } } } }`,
  );

  expect(
    await refusals(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Page { disputes { stale } } } }',
      {
        ids,
      },
    ),
  ).toEqual([expect.objectContaining({ code: 'WALK_LIMIT_EXCEEDED', received: 51 })]);
  expect(await refusals(`query ($id: ID!) { ${walks.join(' ')} }`, { id: 'x' })).toEqual([
    expect.objectContaining({ code: 'WALK_LIMIT_EXCEEDED', received: 80 }),
  ]);
});

test.each([
  [
    'the depth of a traverse',
    'traverse(from: ["x"], depth: 4) { pages { page { causes { stale } } } }',
  ],
  [
    'the cap for root causes',
    'page(project: "p", path: "a") { rootCauses { pages { page { causes { stale } } } } }',
  ],
  [
    'the usual depth of a traverse',
    'traverse(from: ["x"], maxPages: 9) { pages { page { chain(depth: 3) { stale } } } }',
  ],
])('counts %s against the depth that hops may nest to', async (_what, field) => {
  expect(await refusals(`{ ${field} }`)).toEqual([
    { code: 'DEPTH_LIMIT_EXCEEDED', limit: 4, received: 5, field: undefined },
  ]);
});

test('weighs every list: ids, references, written edges and the edges of a walk', async () => {
  const strings = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
  const inner = 'pages: edges(first: 200) { nodes { path edges(first: 200) { nodes { path } } } }';
  const links = strings(20).map((id) => ({ kind: 'CAUSES', from: id, to: 'other' }));
  const expected = [expect.objectContaining({ code: 'COST_LIMIT_EXCEEDED' })];

  expect(
    await refusals(`query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Page { ${inner} } } }`, {
      ids: strings(20),
    }),
  ).toEqual(expected);
  expect(
    await refusals(
      `query ($refs: [_Any!]!) { _entities(representations: $refs) { ... on Page { ${inner} } } }`,
      { refs: strings(20).map((id) => ({ __typename: 'Page', id })) },
    ),
  ).toEqual(expected);
  expect(
    await refusals(
      `mutation ($edges: [LinkInput!]!) { linkPages(input: { edges: $edges }) {
        ... on LinkPagesSuccess { edges { edge { from { ${inner} } } } } } }`,
      { edges: links },
    ),
  ).toEqual(expected);
  expect(
    await refusals(
      `mutation ($edges: [UnlinkInput!]!) { unlinkPages(input: { edges: $edges }) {
        ... on UnlinkPagesSuccess { edges { from { ${inner} } } } } }`,
      { edges: links },
    ),
  ).toEqual(expected);
  expect(
    await refusals(
      '{ traverse(from: ["x"], maxPages: 1000) { edges { from { edges(first: 10) { nodes { path } } } } } }',
    ),
  ).toEqual(expected);
});

test.each([
  ['pages(first: 0)', '{ nodes { path } }', 'INVALID_INPUT', 'first'],
  ['pages(first: -1)', '{ nodes { path } }', 'INVALID_INPUT', 'first'],
  ['pages(first: 1001)', '{ nodes { path } }', 'LIMIT_EXCEEDED', 'first'],
  ['pages(first: 1000000)', '{ nodes { path } }', 'LIMIT_EXCEEDED', 'first'],
  ['projects(first: 1001)', '{ nodes { name } }', 'LIMIT_EXCEEDED', 'first'],
  ['recall(input: { text: "x", limit: 0 })', '{ ranking }', 'INVALID_INPUT', 'input.limit'],
  ['recall(input: { text: "x", limit: 101 })', '{ ranking }', 'LIMIT_EXCEEDED', 'input.limit'],
  ['traverse(from: ["x"], maxPages: 1001)', '{ stale }', 'LIMIT_EXCEEDED', 'maxPages'],
  ['traverse(from: ["x"], depth: 5)', '{ stale }', 'DEPTH_LIMIT_EXCEEDED', 'depth'],
  ['path(from: "x", to: "y", k: 6)', '{ stale }', 'LIMIT_EXCEEDED', 'k'],
  ['path(from: "x", to: "y", maxDepth: 9)', '{ stale }', 'DEPTH_LIMIT_EXCEEDED', 'maxDepth'],
  ['pages', '{ nodes { causes(first: 0) { stale } } }', 'INVALID_INPUT', 'first'],
  ['pages', '{ nodes { edges(first: 201) { stale } } }', 'LIMIT_EXCEEDED', 'first'],
  ['pages', '{ nodes { history(first: 101) { totalCount } } }', 'LIMIT_EXCEEDED', 'first'],
])('refuses %s %s before anything is executed', async (field, selection, code, named) => {
  const before = app.database.statements;

  const { data, errors } = await app.ask(`{ viewer { name } ${field} ${selection} }`);

  expect(errors?.map(({ extensions }) => extensions)).toEqual([
    expect.objectContaining({ code, field: named }),
  ]);
  expect(data).toBeUndefined();
  expect(app.database.statements).toBe(before);
});

test('refuses more than 1,000 ids, references, pages and edges', async () => {
  const many = Array.from({ length: 1_001 }, (_, index) => `id-${index}`);
  const expected = { code: 'LIMIT_EXCEEDED', limit: 1_000, received: 1_001 };

  const nodes = await refusals('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: many });
  const entities = await refusals(
    'query ($refs: [_Any!]!) { _entities(representations: $refs) { __typename } }',
    { refs: many.map((id) => ({ __typename: 'Page', id })) },
  );
  const written = await app.ask(
    `mutation ($pages: [PageInput!]!, $edges: [LinkInput!]!, $old: [UnlinkInput!]!) {
      writePages(input: { project: "shop", pages: $pages }) { ...Limit }
      linkPages(input: { edges: $edges }) { ...Limit }
      unlinkPages(input: { edges: $old }) { ...Limit }
    }
    fragment Limit on LimitExceeded { code field limit received }`,
    {
      pages: many.map((path) => ({ path, title: path })),
      edges: many.map((id) => ({ kind: 'FIXES', from: id, to: 'x' })),
      old: many.map((id) => ({ kind: 'FIXES', from: id, to: 'x' })),
    },
  );

  expect(nodes).toEqual([{ ...expected, field: 'ids' }]);
  expect(entities).toEqual([{ ...expected, field: 'representations' }]);
  const told = { ...expected, received: '1001' };
  expect(written.data).toEqual({
    writePages: { ...told, field: 'input.pages' },
    linkPages: { ...told, field: 'input.edges' },
    unlinkPages: { ...told, field: 'input.edges' },
  });
});

test('walks one hop where the server allows one, without being told', async () => {
  const strict = await openTestApp({ limits: { maxGraphDepth: 1 } });
  await strict.ask(readFileSync(new URL('1-load-incident-history.graphql', EXAMPLES), 'utf8'));

  const { data, errors } = await strict.ask<{
    page: { chain: { pages: object[] }; resolution: { pages: object[] } };
  }>(`{
    page(project: "shop", path: "findings/pool-exhausted") {
      chain { pages { depth } }
      rootCauses { openEnds { path } pages { depth } }
      resolution { pages { depth page { path } } } } }`);
  await strict.close();

  expect(errors).toBeUndefined();
  expect(data.page.resolution.pages).toEqual([
    { depth: 0, page: { path: 'findings/pool-exhausted' } },
    { depth: 1, page: { path: 'fixes/larger-pool' } },
  ]);
  expect(data.page.chain.pages.length).toBeGreaterThan(1);
});
