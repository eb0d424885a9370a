import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const codes = async (query: string, variables?: object): Promise<unknown[]> => {
  const { errors } = await app.ask(query, variables);
  return (errors ?? []).map(({ extensions }) => extensions.code);
};

const hops = (count: number): string =>
  count === 0 ? 'path' : `causedBy(first: 2) { edges { note node { ${hops(count - 1)} } } }`;

test('lets real queries pass: four hops of connections, and the introspection of GraphiQL', async () => {
  const introspection = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });

  expect(await codes(introspection)).toEqual([]);
  expect(await codes(`{ page(project: "x", path: "y") { ${hops(4)} } }`)).toEqual([]);
});

test('refuses a fifth hop, however it is nested', async () => {
  const direct = `{ page(project: "x", path: "y") { ${hops(5)} } }`;
  const throughFragments = `
    { page(project: "x", path: "y") { ...A } }
    fragment A on Page { causes(first: 1) { nodes { ...B } } }
    fragment B on Page { causes(first: 1) { nodes { ...__schema } } }
    fragment __schema on Page { causes(first: 1) { nodes { chain(depth: 2) { pages { depth } } } } }`;

  expect(await codes(direct)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
  expect(await codes(throughFragments)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
});

test('refuses depth before anything is executed', async () => {
  const before = app.database.statements;

  const deep = `{ pages { nodes { ${'edges { nodes { '.repeat(10)}path${' } }'.repeat(10)} } } }`;
  const found = await codes(deep);

  expect(found).toEqual(['DEPTH_LIMIT_EXCEEDED']);
  expect(app.database.statements).toBe(before);
});

test('refuses fragments that spread themselves', async () => {
  const found = await codes(
    '{ viewer { ...A } } fragment A on Viewer { ...B } fragment B on Viewer { ...A }',
  );

  expect(found).toContain('DEPTH_LIMIT_EXCEEDED');
});

test('refuses a thousand aliases', async () => {
  const aliases = Array.from({ length: 1000 }, (_, index) => `a${index}: viewer { name }`);

  expect(await codes(`{ ${aliases.join(' ')} }`)).toContain('ALIAS_LIMIT_EXCEEDED');
});

test('counts the aliases of a fragment at each place where it is spread', async () => {
  const spreadIn = (count: number) =>
    `{ viewer { ${'...A '.repeat(count)} } }
     fragment A on Viewer { a: name b: name c: name d: name e: name f: name }`;

  expect(await codes(spreadIn(8))).toEqual([]);
  expect(await codes(spreadIn(10))).toEqual(['ALIAS_LIMIT_EXCEEDED']);
});

test('refuses too many tokens, directives and root fields', async () => {
  const directives = '@include(if: true) '.repeat(60);

  expect(await codes(`{ ${'viewer { name } '.repeat(3000)} }`)).toEqual(['TOKEN_LIMIT_EXCEEDED']);
  expect(await codes(`{ viewer { name ${directives} } }`)).toEqual(['DIRECTIVE_LIMIT_EXCEEDED']);
  expect(await codes(`{ ${'viewer { name } '.repeat(30)} }`)).toEqual([
    'ROOT_FIELD_LIMIT_EXCEEDED',
  ]);
});

const nested = (open: string, close: string, times: number) =>
  `${open.repeat(times)}1${close.repeat(times)}`;
const attributes = (literal: string) =>
  `{ pages(filter: { attributes: ${literal} }) { totalCount } }`;

test.each([
  ['lists in a list', attributes(`{ a: ${nested('[', ']', 4_900)} }`)],
  ['objects in an object', attributes(nested('{a:', '}', 3_000))],
  ['lists where a number is asked', `{ pages(first: ${nested('[', ']', 4_900)}) { totalCount } }`],
  ['a default', `query ($a: JSONObject = ${nested('{a:', '}', 2_400)}) { pages { totalCount } }`],
  ['the type of a variable', `query ($a: ${'['.repeat(4_900)}Int${']'.repeat(4_900)}) { a }`],
  ['selections', `{ viewer ${'{ a '.repeat(3_000)}${'}'.repeat(3_000)} }`],
])('refuses nesting that no parser survives: %s', async (_what, query) => {
  expect(await codes(query)).toEqual(['DEPTH_LIMIT_EXCEEDED']);
});

test('lets the deepest JSON that a page may hold pass as a literal', async () => {
  expect(await codes(attributes(nested('{a:', '}', 64)))).toEqual([]);
});

test.each([
  ['objects', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ['lists', `{"a":${nested('[', ']', 100_000)}}`],
])('refuses JSON of %s too deep in a variable', async (_what, json) => {
  const query = 'query ($a: JSONObject!) { pages(filter: { attributes: $a }) { totalCount } }';
  const response = await app.fetch(
    new Request('http://causeway/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{ "query": ${JSON.stringify(query)}, "variables": { "a": ${json} } }`,
    }),
  );

  const { errors } = await response.json();
  expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
});

test('refuses a cost in which list sizes multiply, also when they come as variables', async () => {
  const listed = `query ($n: Int) { pages(first: 1000) { nodes {
    causes(first: $n) { nodes { causes(first: $n) { nodes { path } } } } } } }`;

  expect(await codes(listed, { n: 200 })).toEqual(['COST_LIMIT_EXCEEDED']);
  expect(await codes(listed, { n: 2 })).toEqual([]);
});

test.each([
  ['a document that cannot be parsed', '{', 'GRAPHQL_PARSE_FAILED'],
  ['a field that is not there', '{ nothing }', 'GRAPHQL_VALIDATION_FAILED'],
  [
    'a kind from outside',
    '{ pages(filter: { kinds: [NOPE] }) { nodes { path } } }',
    'GRAPHQL_VALIDATION_FAILED',
  ],
  [
    'a relationship type with Cypher in it',
    'query { page(project: "x", path: "y") { edges(kinds: ["CAUSES]-() DETACH DELETE n //"]) { totalCount } } }',
    'GRAPHQL_VALIDATION_FAILED',
  ],
  ['a malformed id', '{ node(id: "nonsense") { id } }', 'INVALID_INPUT'],
])('gives a code to %s', async (_what, query, code) => {
  expect(await codes(query)).toEqual([code]);
});

test('gives a code to a variable of the wrong type', async () => {
  const found = await codes('query ($first: Int) { pages(first: $first) { nodes { path } } }', {
    first: 'many',
  });

  expect(found).toEqual(['BAD_USER_INPUT']);
});
