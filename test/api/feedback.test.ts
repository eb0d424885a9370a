import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ask('mutation { createProject(input: { name: "p" }) { __typename } }');
});
afterAll(() => app.close());

const READER: Principal = { ...LOCAL_PRINCIPAL, name: 'reader', clearance: 'INTERNAL' };

/** Writes pages that say the same, and answers their ids by path. */
async function seed(
  paths: readonly string[],
  fields: object = {},
): Promise<Record<string, string>> {
  const pages = paths.map((path) => ({ path, title: 'Pelican', body: 'A pelican.', ...fields }));
  const { data } = await app.ask<{
    writePages: { pages: { page: { path: string; id: string } }[] };
  }>(
    `mutation ($pages: [PageInput!]!) { writePages(input: { project: "p", pages: $pages }) {
      ... on WritePagesSuccess { pages { page { path id } } } } }`,
    { pages },
  );
  return Object.fromEntries(data.writePages.pages.map(({ page }) => [page.path, page.id]));
}

async function give(
  page: string | undefined,
  verdict: string,
  key: string | null = null,
  as?: Principal,
) {
  const { data } = await app.ask(
    `mutation ($page: ID!, $verdict: FeedbackVerdict!, $key: String) {
      giveFeedback(input: { page: $page, verdict: $verdict, idempotencyKey: $key }) {
        ... on GiveFeedbackSuccess { page { version evidenceCount
          feedback { useful notUseful wrong salience } } }
        ... on Failure { code } ... on NotFound { field } } }`,
    { page, verdict, key },
    as,
  );
  return data.giveFeedback;
}

type Hit = {
  readonly score: number;
  readonly page: { readonly path: string };
  readonly explain: {
    readonly fusion: { readonly score: number };
    readonly authority: { readonly value: number; readonly factors: readonly object[] };
  };
};

async function recall(text: string, asOf: object | null = null) {
  const { data } = await app.ask<{ recall: { hits: Hit[] } }>(
    `query ($text: String!, $asOf: AsOfInput) { recall(input: { text: $text, asOf: $asOf }) {
      hits { score page { path feedback { useful } } explain {
        fusion { score } authority { value factors { name multiplier reason } } } } } }`,
    { text, asOf },
  );
  return data.recall.hits;
}

test('counts what is said, makes no version, and takes the useful alone as evidence', async () => {
  const { counted } = await seed(['counted']);

  await give(counted, 'USEFUL');
  await give(counted, 'USEFUL');
  await give(counted, 'NOT_USEFUL');
  const last = await give(counted, 'WRONG');

  expect(last).toEqual({
    page: {
      version: 1,
      evidenceCount: 2,
      feedback: { useful: 2, notUseful: 1, wrong: 1, salience: (0.1 * -2) / 11 },
    },
  });
});

test('counts a retry once', async () => {
  const { retried } = await seed(['retried']);

  await give(retried, 'USEFUL', 'key');
  const again = await give(retried, 'USEFUL', 'key');
  const other = await give(retried, 'WRONG', 'key');

  expect(again).toMatchObject({ page: { feedback: { useful: 1 } } });
  expect(other).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
});

test('moves a page among its equals, and says why in the account', async () => {
  const ids = await seed(['equal/a', 'equal/b', 'equal/c']);
  const paths = (hits: readonly Hit[]) =>
    hits.map(({ page }) => page.path).filter((path) => path.startsWith('equal/'));
  expect(paths(await recall('pelican'))).toEqual(['equal/a', 'equal/b', 'equal/c']);

  await give(ids['equal/c'], 'USEFUL');
  await give(ids['equal/a'], 'WRONG');
  const hits = await recall('pelican');

  expect(paths(hits)).toEqual(['equal/c', 'equal/b', 'equal/a']);
  const best = hits.find(({ page }) => page.path === 'equal/c');
  expect(best?.explain.authority.factors).toEqual([
    {
      name: 'SALIENCE',
      multiplier: 0.1 / 6,
      reason: 'Feedback: 1 useful, 0 not useful, 0 wrong.',
    },
  ]);
  const { fusion, authority } = best?.explain ?? {};
  expect(best?.score).toBe((fusion?.score ?? 0) * (authority?.value ?? 0));
});

test('leaves the past as it was', async () => {
  const { past } = await seed(['past']);
  const { data } = await app.ask<{ page: { recordedAt: string } }>(
    '{ page(project: "p", path: "past") { recordedAt } }',
  );
  const asOf = { recordedAt: data.page.recordedAt };
  const before = await recall('pelican', asOf);

  await give(past, 'WRONG');

  expect(await recall('pelican', asOf)).toEqual(before);
});

test('keeps what was said of a page when its content changes', async () => {
  const { kept } = await seed(['kept']);
  await give(kept, 'USEFUL');

  await seed(['kept'], { body: 'Another pelican.' });

  const { data } = await app.ask(
    '{ page(project: "p", path: "kept") { version feedback { useful } } }',
  );
  expect(data.page).toEqual({ version: 2, feedback: { useful: 1 } });
});

test('answers alike for a page that is hidden and one that is not there', async () => {
  const { hidden } = await seed(['hidden'], { sensitivity: 'RESTRICTED' });
  const gone = Buffer.from(`Page:${crypto.randomUUID()}`).toString('base64url');

  const answers = [await give(hidden, 'WRONG', null, READER), await give(gone, 'WRONG')];

  expect(answers).toEqual(answers.map(() => ({ code: 'NOT_FOUND', field: 'input.page' })));
  const { data } = await app.ask('{ page(project: "p", path: "hidden") { feedback { wrong } } }');
  expect(data.page).toEqual({ feedback: { wrong: 0 } });
});

test('needs the scope to write', async () => {
  const { scoped } = await seed(['scoped']);
  const reader: Principal = { ...LOCAL_PRINCIPAL, name: 'only', scopes: ['memory:read'] };

  expect(await give(scoped, 'USEFUL', null, reader)).toEqual({ code: 'FORBIDDEN' });
});

test('costs recall no statement', async () => {
  const { costly } = await seed(['costly']);
  const statementsOf = async () => {
    const before = app.database.statements;
    await recall('pelican');
    return app.database.statements - before;
  };
  // Once the graph is level, no recall asks the ledger in its place.
  await app.ask('{ page(project: "p", path: "costly") { causes { totalCount } } }');
  await recall('pelican');
  const before = await statementsOf();

  await give(costly, 'USEFUL');

  expect(await statementsOf()).toBe(before);
});

test('notes a verdict in the block of its page, without a new entry in any index', async () => {
  const ids = await seed(Array.from({ length: 200 }, (_, index) => `hot/${index}`));
  const counts = async () => {
    await app.database.query({ text: 'select pg_stat_force_next_flush()' });
    const [row] = await app.database.query<{ all: number; hot: number }>({
      text: `select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables
        where relname = 'page'`,
    });
    return row ?? { all: 0, hot: 0 };
  };
  const before = await counts();

  // The first are in blocks that others have filled.
  for (const id of Object.values(ids).slice(0, 20)) await give(id, 'NOT_USEFUL');

  await expect.poll(async () => (await counts()).all - before.all).toBeGreaterThanOrEqual(20);
  const after = await counts();
  expect(after.hot - before.hot).toBeGreaterThanOrEqual(15);
});
