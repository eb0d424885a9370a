import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

const LONG = 'A'.repeat(1_000_000);
const DIGITS = '1'.repeat(1_000_000);
/** UTF-16 units of a whole answer: at most fifty faults of a variable are told, each in 600. */
const SHORT = 50 * 800;

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ask('mutation { createProject(input: { name: "p" }) { __typename } }');
});
afterAll(() => app.close());

const WRITE = `mutation($page: PageInput!) {
  writePage(input: { project: "p", page: $page }) {
    __typename ... on InvalidInput { message field received }
  }
}`;
const write = (page: object) => ({
  query: WRITE,
  variables: { page: { path: 'a', title: 'A', ...page } },
});
const filter = (value: unknown) => ({
  query: 'query($filter: PageFilterInput) { pages(filter: $filter) { totalCount } }',
  variables: { filter: value },
});

test.each<[where: string, body: object, says: string]>([
  [
    'an enum',
    { query: `{ pages(filter: { kinds: [${LONG}] }) { totalCount } }` },
    '\\"PageKind\\" enum',
  ],
  ['a number', { query: `{ pages(first: ${DIGITS}) { totalCount } }` }, 'Int cannot represent'],
  ['a text for a number', { query: `{ pages(first: "${LONG}") { totalCount } }` }, 'Int cannot'],
  ['a field', { query: `{ ${LONG} }` }, 'on type \\"Query\\"'],
  ['an argument', { query: `{ pages(${LONG}: 1) { totalCount } }` }, 'on field \\"Query.pages\\"'],
  [
    'a field of an input',
    { query: `{ pages(filter: { ${LONG}: 1 }) { totalCount } }` },
    'PageFilter',
  ],
  ['a directive', { query: `{ pages @${LONG} { totalCount } }` }, 'Unknown directive'],
  ['a fragment', { query: `{ ...${LONG} }` }, 'Unknown fragment'],
  ['a type', { query: `query($x: ${LONG}) { pages { totalCount } }` }, 'Unknown type'],
  ['an enum of a variable', filter({ kinds: [LONG] }), '\\"PageKind\\" enum'],
  ['an object of a variable', filter({ kinds: { a: LONG } }), 'Enum \\"PageKind\\" cannot'],
  ['prose in a variable', filter({ kinds: ['a b '.repeat(250_000)] }), '\\"PageKind\\" enum'],
  ['many words in a variable', filter({ kinds: Array(9_000).fill('a b') }), '\\"PageKind\\" enum'],
  ['a name in a variable', filter({ [LONG]: 1 }), 'is not defined by type'],
  ['an enum of a page', write({ kind: LONG }), '\\"PageKind\\" enum'],
  ['an object for a title', write({ title: { x: LONG } }), 'String cannot represent'],
  ['the name of an attribute', write({ attributes: { [LONG]: '\0' } }), 'a text without NUL'],
  ['a parameter', { query: '{ __typename }', [LONG]: 1 }, 'Unexpected parameter'],
  ['an id', { query: `{ page(id: "${LONG}") { id } }` }, 'id: expected'],
  ['a cursor', { query: `{ pages(after: "${LONG}") { totalCount } }` }, 'after: expected'],
  [
    'a profile',
    { query: `{ recall(input: { text: "x", ranking: "${LONG}" }) { ranking } }` },
    'expected one of',
  ],
])(
  'answers a megabyte at the place of %s in short, and says what is wrong',
  async (_where, body, says) => {
    const response = await app.fetch(
      new Request('http://causeway/graphql', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    const text = await response.text();

    expect(text.length).toBeLessThan(SHORT);
    expect(text).toContain(says);
    expect(text).toMatch(/"code":"[A-Z_]+"|"__typename":"InvalidInput"/u);
  },
);
