import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ hintsEnabled: () => true });
});
afterAll(() => app.close());

const SECRET = 'hunter2hunter2';
const LEAK = `{"db_password":"${SECRET}"}`;
const KEPT = '{"db_password":"[REDACTED:password_assignment]"}';

/** Every column of every table, as text. */
async function wholeStore(): Promise<string> {
  const tables = await app.database.query<{ name: string }>({
    text: `select table_name as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  });
  const rows = await Promise.all(
    tables.map(({ name }) =>
      app.database.query<{ row: string }>({ text: `select t::text as row from "${name}" t` }),
    ),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

test('lets nothing of a secret into the store, whichever way the text comes in', async () => {
  await app.ask(
    'mutation ($d: String!) { createProject(input: { name: "leaks", description: $d }) { __typename } }',
    { d: LEAK },
  );
  const { data } = await app.ask(
    `mutation ($pages: [PageInput!]!) {
      writePages(input: { project: "leaks", pages: $pages, idempotencyKey: "k" }) {
        ... on WritePagesSuccess { pages { page { id title body tags hints attributes } } }
      }
    }`,
    {
      pages: [
        {
          path: 'a',
          title: `Title ${LEAK}`,
          body: `- fixes [[b]] ${LEAK}`,
          tags: [`password=${SECRET}`],
          hints: [LEAK],
          attributes: { db_password: SECRET, list: [LEAK] },
        },
        { path: 'b', title: 'B' },
      ],
    },
  );
  const [a, b] = data.writePages.pages;
  const linked = await app.ask(
    `mutation ($edges: [LinkInput!]!) {
      linkPages(input: { edges: $edges }) { ... on LinkPagesSuccess { edges { edge { note } } } }
    }`,
    { edges: [{ kind: 'CAUSES', from: a.page.id, to: b.page.id, note: LEAK }] },
  );

  expect(a.page).toMatchObject({
    title: `Title ${KEPT}`,
    body: `- fixes [[b]] ${KEPT}`,
    tags: ['password=[REDACTED:password_assignment]'],
    hints: [KEPT],
    attributes: { db_password: '[REDACTED:password_assignment]', list: [KEPT] },
  });
  expect(linked.data.linkPages.edges[0].edge.note).toBe(KEPT);
  expect(await wholeStore()).not.toContain('hunter2');
});

test('finds a page by what stands around a secret, and not by the secret', async () => {
  const recall = async (text: string) => {
    const { data } = await app.ask(
      'query ($text: String!) { recall(input: { text: $text }) { hits { explain { keyword { terms } } } } }',
      { text },
    );
    return data.recall.hits.filter(
      ({ explain }: { explain: { keyword: object | null } }) => explain.keyword !== null,
    );
  };

  expect(await recall(SECRET)).toEqual([]);
  expect(await recall('db_password')).toHaveLength(1);
});

test('takes a retry with another secret in the same place for the same write', async () => {
  const write = (secret: string) =>
    app.ask(
      `mutation ($body: String!) {
        writePages(input: {
          project: "leaks", idempotencyKey: "retry", pages: [{ path: "r", title: "R", body: $body }]
        }) { __typename ... on WritePagesSuccess { pages { version } } }
      }`,
      { body: `postgres://u:${secret}@host/db` },
    );

  const first = await write('pw');
  const again = await write('other');

  expect(first.data.writePages.__typename).toBe('WritePagesSuccess');
  expect(again.data).toEqual(first.data);
});
