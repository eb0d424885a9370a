import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { readWholeStore } from '../support/store-content.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ hintsEnabled: () => true });
});
afterAll(() => app.close());

const SECRET = 'hunter2hunter2';
const LEAK = `{"db_password":"${SECRET}"}`;
const KEPT = '{"db_password":"[REDACTED:password_assignment]"}';

test('lets nothing of a secret into the store, whichever way the text comes in', async () => {
  await app.ask(
    'mutation ($d: String!) { createProject(input: { name: "leaks", description: $d }) { __typename } }',
    { d: LEAK },
  );
  const { data } = await app.ask<{
    writePages: { pages: [{ page: { id: string } }, { page: { id: string } }] };
  }>(
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
  expect(linked.data.linkPages).toEqual({ edges: [{ edge: { note: KEPT } }] });
  expect(await readWholeStore(app.database)).not.toContain('hunter2');
});

test('finds a page by what stands around a secret, and not by the secret', async () => {
  const recall = async (text: string) => {
    const { data } = await app.ask<{
      recall: { hits: { explain: { keyword: object | null } }[] };
    }>(
      'query ($text: String!) { recall(input: { text: $text }) { hits { explain { keyword { terms } } } } }',
      { text },
    );
    return data.recall.hits.filter(({ explain }) => explain.keyword !== null);
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

  expect(first.data.writePages).toMatchObject({ __typename: 'WritePagesSuccess' });
  expect(again.data).toEqual(first.data);
});

// Case 14: a snippet is cut from what is stored, so a secret is gone before any cut can part it.
test('shows no part of a secret, wherever a snippet is cut', async () => {
  const token = ['ghp', '_', 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA5cD7'].join('');
  const lengths = Array.from({ length: 46 }, (_, index) => 250 + 2 * index);
  await app.ask(
    `mutation ($pages: [PageInput!]!) {
      writePages(input: { project: "leaks", pages: $pages }) { __typename } }`,
    {
      pages: lengths.map((length) => ({
        path: `cut/${length}`,
        title: `Cut ${length}`,
        body: `quoll ${'x'.repeat(length)} ${token} and ${'y'.repeat(400)}`,
      })),
    },
  );

  const { data } = await app.ask<{
    recall: { hits: { page: { title: string }; passage: { text: string } }[] };
  }>(
    '{ recall(input: { text: "quoll", limit: 100 }) { hits { page { title } passage { text } } } }',
  );

  const cut = data.recall.hits.filter(({ page }) => page.title.startsWith('Cut '));
  expect(cut).toHaveLength(lengths.length);
  for (const { passage } of cut) {
    expect(passage.text).toContain('quoll');
    expect(passage.text).not.toMatch(/ghp|aB3d|cD7/u);
  }
});

test('redacts a secret in a title before the title is measured, and never cuts a title', async () => {
  const write = async (title: string) => {
    const { data } = await app.ask(
      `mutation ($title: String!) {
        writePages(input: { project: "leaks", pages: [{ path: "titled", title: $title }] }) {
          __typename ... on WritePagesSuccess { pages { page { title } } } } }`,
      { title },
    );
    return data.writePages;
  };
  const secret = `password=${SECRET}`;

  const fits = await write(`${'a'.repeat(250)} ${secret}`);
  const tooLong = await write(`${'a'.repeat(275)} ${secret}`);

  const title = `${'a'.repeat(250)} password=[REDACTED:password_assignment]`;
  expect(fits).toMatchObject({ pages: [{ page: { title } }] });
  expect(tooLong).not.toMatchObject({ __typename: 'WritePagesSuccess' });
});
