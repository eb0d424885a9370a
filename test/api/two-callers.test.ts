import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { seedEdges, seedPages, seedProject } from '../support/seed.ts';

/** Case 34: what was loaded for one caller must never answer another. */
let app: TestApp;
let nodeIds: readonly string[];

beforeAll(async () => {
  app = await openTestApp();
  const project = await seedProject(app.stores, 'shared');
  const ids = await seedPages(app.stores, project, {
    open: { body: 'about a numbat' },
    secret: { body: 'about a numbat', sensitivity: 'RESTRICTED' },
  });
  await seedEdges(app.stores, [[ids.open, 'CAUSES', ids.secret]]);
  const { data } = await app.ask<{ pages: { nodes: { id: string }[] } }>(
    '{ pages { nodes { id } } }',
  );
  nodeIds = data.pages.nodes.map(({ id }) => id);
});
afterAll(() => app.close());

const READER: Principal = { ...LOCAL_PRINCIPAL, name: 'reader', clearance: 'INTERNAL' };
const STRANGER: Principal = { ...LOCAL_PRINCIPAL, name: 'stranger', projects: [] };

const QUERY = `query ($ids: [ID!]!) {
  nodes(ids: $ids) { ... on Page { path } }
  page(project: "shared", path: "secret") { path }
  pages { nodes { path causes { nodes { path } } } }
  recall(input: { text: "numbat" }) { hits { page { path edges { nodes { path } } } } }
}`;

/** Every path that an answer tells. */
function pathsIn(answer: unknown): string[] {
  const paths = [...JSON.stringify(answer).matchAll(/"path":"(\w+)"/gu)].map(([, path]) => path);
  return [...new Set(paths.flatMap((path) => path ?? []))].toSorted();
}

test('callers who ask for the same at the same time each get what they may read', async () => {
  const callers = [LOCAL_PRINCIPAL, READER, STRANGER, READER, LOCAL_PRINCIPAL];

  const answers = await Promise.all(
    callers.map((caller) => app.ask(QUERY, { ids: nodeIds }, caller)),
  );

  expect(answers.map(({ data }) => pathsIn(data))).toEqual([
    ['open', 'secret'],
    ['open'],
    [],
    ['open'],
    ['open', 'secret'],
  ]);
});
