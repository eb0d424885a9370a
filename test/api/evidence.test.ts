import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ask('mutation { createProject(input: { name: "p" }) { __typename } }');
});
afterAll(() => app.close());

type EvidenceList = {
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
  readonly nodes: readonly object[];
};

const write = async (path: string) => {
  const { data } = await app.ask<{ writePage: { page: { id: string; recordedAt: string } } }>(
    `mutation ($path: String!) { writePage(input: { project: "p", page: { path: $path, title: "T" } }) {
      ... on WritePageSuccess { page { id recordedAt } } } }`,
    { path },
  );
  return data.writePage.page;
};

test('lists what spoke for a page, newest first, with the session that it comes from', async () => {
  const { id } = await write('a');
  const { data: started } = await app.ask<{ startSession: { session: { id: string } } }>(`mutation {
    startSession(input: { project: "p", agent: "claude", task: "Look" }) {
      ... on StartSessionSuccess { session { id } } } }`);
  const session = started.startSession.session.id;
  await app.ask(
    `mutation ($session: ID!, $id: ID!) {
      recordObservation(input: { session: $session, text: "seen", about: [{ id: $id }] }) { __typename }
      endSession(input: { session: $session }) { __typename }
      giveFeedback(input: { page: $id, verdict: USEFUL }) { __typename }
    }`,
    { session, id },
  );
  await write('a');
  const list = async (after: string | null) => {
    const { data } = await app.ask<{ page: { evidenceCount: number; evidence: EvidenceList } }>(
      `query ($id: ID!, $after: String) { page(id: $id) { evidenceCount
        evidence(first: 2, after: $after) { totalCount pageInfo { hasNextPage endCursor }
          nodes { sourceKind session { task } } } } }`,
      { id, after },
    );
    return data.page;
  };

  const first = await list(null);
  const rest = await list(first.evidence.pageInfo.endCursor);
  const nodes = [...first.evidence.nodes, ...rest.evidence.nodes];

  expect(first.evidenceCount).toBe(4);
  expect(first.evidence.totalCount).toBe(4);
  expect(rest.evidence.pageInfo.hasNextPage).toBe(false);
  const look = { task: 'Look' };
  expect(nodes).toHaveLength(4);
  expect(nodes).toEqual(
    expect.arrayContaining([
      { sourceKind: 'RECONSOLIDATION', session: null },
      { sourceKind: 'FEEDBACK', session: null },
      { sourceKind: 'SESSION', session: look },
      { sourceKind: 'OBSERVATION', session: look },
    ]),
  );
});

test('knows in the past what had been said by then, and adds none by being read', async () => {
  const { recordedAt } = await write('b');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await write('b');
  const read = (asOf: object | null) =>
    app.ask<{ page: { evidence: object } }>(
      `query ($asOf: AsOfInput) { page(project: "p", path: "b", asOf: $asOf) {
        evidence { totalCount nodes { sourceKind } } } }`,
      { asOf },
    );

  await read(null);
  const [now, then] = [await read(null), await read({ recordedAt })];

  expect(now.data.page.evidence).toEqual({
    totalCount: 1,
    nodes: [{ sourceKind: 'RECONSOLIDATION' }],
  });
  expect(then.data.page.evidence).toEqual({ totalCount: 0, nodes: [] });
});

test('takes a cursor of evidence for its page alone', async () => {
  const [a, b] = [await write('c'), await write('d')];
  await write('c');
  const { data } = await app.ask<{ page: { evidence: { pageInfo: { endCursor: string } } } }>(
    'query ($id: ID!) { page(id: $id) { evidence { pageInfo { endCursor } } } }',
    { id: a.id },
  );

  const { errors } = await app.ask(
    'query ($id: ID!, $after: String) { page(id: $id) { evidence(after: $after) { totalCount } } }',
    { id: b.id, after: data.page.evidence.pageInfo.endCursor },
  );

  expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', field: 'after' });
});

test('loads the evidence of many pages in as many statements as that of one', async () => {
  for (const path of ['e', 'f', 'g']) {
    await write(path);
    await write(path);
  }
  const statementsFor = async (first: number) => {
    const before = app.database.statements;
    await app.ask(
      `{ pages(first: ${first}) { nodes { evidence { totalCount nodes { sourceKind } } } } }`,
    );
    return app.database.statements - before;
  };

  expect(await statementsFor(7)).toBe(await statementsFor(1));
});
