import { composeServices } from '@apollo/composition';
import { composeServices as composeWithGuild } from '@theguild/federation-composition';
import { parse } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ask(
    `mutation { createProject(input: { name: "shop" }) { __typename }
      writePages(input: { project: "shop", pages: [
        { path: "a", title: "A" }, { path: "b", title: "B" }, { path: "c", title: "C" }
      ] }) { __typename } }`,
  );
});
afterAll(() => app.close());

/** Another team's subgraph: extends Page and follows Relay as ours does. */
const REVIEWS = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.6",
    import: ["@key", "@external", "@shareable"])

  type Query {
    node(id: ID!): Node @shareable
    nodes(ids: [ID!]!): [Node]! @shareable
    reviews(first: Int): ReviewConnection!
  }
  interface Node { id: ID! }
  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }
  type ReviewConnection { nodes: [Review!]! pageInfo: PageInfo! }
  type Review implements Node @key(fields: "id") { id: ID! page: Page! stars: Int! }
  type Page @key(fields: "id") { id: ID! reviews: [Review!]! }
  type Project @key(fields: "name") { name: String! owner: String }
`;

async function ownSdl(): Promise<string> {
  const { data } = await app.ask<{ _service: { sdl: string } }>('{ _service { sdl } }');
  return data._service.sdl;
}

test('composes with a second subgraph under the reference composer', async () => {
  const result = composeServices([
    { name: 'causeway', typeDefs: parse(await ownSdl()) },
    { name: 'reviews', typeDefs: parse(REVIEWS) },
  ]);

  expect(result.errors ?? []).toEqual([]);
  expect(result.supergraphSdl).toContain('join__Graph');
});

test('composes with a second subgraph under an independent composer', async () => {
  const result = composeWithGuild([
    { name: 'causeway', typeDefs: parse(await ownSdl()), url: 'http://causeway' },
    { name: 'reviews', typeDefs: parse(REVIEWS), url: 'http://reviews' },
  ]);

  expect('errors' in result ? result.errors : []).toEqual([]);
  expect(result.supergraphSdl).toContain('join__Graph');
});

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Page { path title }
    ... on Project { name }
  }
}`;

type Entities = { readonly _entities: readonly ({ readonly path?: string } | null)[] };

test('resolves entities by each of their keys', async () => {
  const page = await app.ask<{ page: { id: string; project: { id: string } } }>(
    '{ page(project: "shop", path: "a") { id project { id } } }',
  );

  const { data, errors } = await app.ask(ENTITIES, {
    representations: [
      { __typename: 'Page', id: page.data.page.id },
      { __typename: 'Page', project: { name: 'shop' }, path: 'b' },
      { __typename: 'Project', id: page.data.page.project.id },
      { __typename: 'Project', name: 'shop' },
    ],
  });

  expect(errors).toBeUndefined();
  expect(data._entities).toEqual([
    { __typename: 'Page', path: 'a', title: 'A' },
    { __typename: 'Page', path: 'b', title: 'B' },
    { __typename: 'Project', name: 'shop' },
    { __typename: 'Project', name: 'shop' },
  ]);
});

test('answers null for an unknown, malformed or foreign key, and all the others', async () => {
  const page = await app.ask<{ page: { id: string } }>(
    '{ page(project: "shop", path: "a") { id } }',
  );
  const stranger: Principal = {
    tenant: 'other',
    name: 'stranger',
    scopes: ['memory:read'],
    projects: 'ALL',
    clearance: 'RESTRICTED',
  };
  const representations = [
    { __typename: 'Page', id: page.data.page.id },
    { __typename: 'Page', id: 'UGFnZTo' },
    { __typename: 'Page', id: Buffer.from(`Page:${crypto.randomUUID()}`).toString('base64url') },
    { __typename: 'Page', project: { name: 'nowhere' }, path: 'a' },
    { __typename: 'Page', project: { name: 'shop' }, path: '../a' },
    { __typename: 'Page', project: { name: 'shop' }, path: 'c' },
    { __typename: 'Project', name: 'nowhere' },
  ];

  const own = await app.ask<Entities>(ENTITIES, { representations });
  const foreign = await app.ask(ENTITIES, { representations }, stranger);

  expect(own.errors).toBeUndefined();
  expect(own.data._entities.map((found) => found?.path ?? null)).toEqual([
    'a',
    null,
    null,
    null,
    null,
    'c',
    null,
  ]);
  expect(foreign.data._entities).toEqual(representations.map(() => null));
});

test('answers null for a key of the wrong form, and all the others', async () => {
  const page = await app.ask<{ page: { id: string } }>(
    '{ page(project: "shop", path: "a") { id } }',
  );
  const { id } = page.data.page;
  const shop = { __typename: 'Page', project: { name: 'shop' } };

  const { data, errors } = await app.ask<Entities>(ENTITIES, {
    representations: [
      { ...shop, path: 'a' },
      { ...shop, path: 5 },
      { __typename: 'Page', id: 5 },
      { __typename: 'Page', id: null },
      { ...shop, id: null, path: 'b' },
      { __typename: 'Page', project: 'shop', path: 'a' },
      { __typename: 'Project', id },
      { __typename: 'Nothing', id },
      { id },
      'text',
      { ...shop, path: 'half \ud800' },
      { ...shop, path: 'c' },
    ],
  });

  expect(errors).toBeUndefined();
  const paths = data._entities.map((found) => found?.path ?? null);
  expect(paths).toEqual(['a', null, null, null, 'b', null, null, null, null, null, null, 'c']);
});

test('finds an entity by its path in either Unicode form', async () => {
  await app.ask(
    `mutation { writePages(input: { project: "shop",
      pages: [{ path: "caf\u00e9", title: "Coffee" }] }) { __typename } }`,
  );

  const { data } = await app.ask(ENTITIES, {
    representations: [{ __typename: 'Page', project: { name: 'shop' }, path: 'cafe\u0301' }],
  });

  expect(data._entities).toEqual([{ __typename: 'Page', path: 'caf\u00e9', title: 'Coffee' }]);
});

test('loads any number of entities with one statement for each kind of key', async () => {
  const paths = Array.from({ length: 60 }, (_, index) => `many/${index}`);
  await app.ask(
    `mutation ($pages: [PageInput!]!) {
      writePages(input: { project: "shop", pages: $pages }) { __typename }
    }`,
    { pages: paths.map((path) => ({ path, title: path })) },
  );
  const statementsFor = async (asked: readonly string[]): Promise<number> => {
    const before = app.database.statements;
    await app.ask(ENTITIES, {
      representations: asked.map((path) => ({
        __typename: 'Page',
        project: { name: 'shop' },
        path,
      })),
    });
    return app.database.statements - before;
  };

  expect(await statementsFor(paths)).toBe(await statementsFor(paths.slice(0, 1)));
});
