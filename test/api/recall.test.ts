import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
  await app.ask(`mutation { createProject(input: { name: "p" }) { __typename } }`);
  const pages = [
    ['adr', 'ADR-016: how we deploy', 'The decision about rollouts.'],
    ['adr-only', 'ADR overview', 'All of them, and number 016 of the list.'],
    ['gateway', 'Gateway', 'The gateway runs tasks on a schedule.'],
    ['zh', '进化', '即适者生存'],
    ['zh-short', '交易', '设置止损'],
    ['cafe', 'Café', 'estável, com boa retenção'],
    ['paths', 'Paths', 'See c:\\temp\\x, foo_bar, fooBar, v1.2.3, C++, .Net and causes/solutions.'],
    ['team', 'Team', 'team foobar uses auth and admin'],
  ].map(([path, title, body]) => ({
    path,
    title,
    body,
    kind: path === 'gateway' ? 'FACT' : 'NOTE',
  }));
  await app.ask(
    `mutation ($pages: [PageInput!]!) {
      writePages(input: { project: "p", pages: $pages }) { __typename } }`,
    { pages },
  );
});
afterAll(() => app.close());

const RECALL = `query ($input: RecallInput!) { recall(input: $input) {
  truncated degraded { arm reason }
  hits { rank score page { path kind } passage { text start end }
    explain {
      keyword { rank score terms } dense { rank similarity } graph { rank }
      fusion { method score contributions { arm weight rank value } }
      authority { value } typeHint { matched value } heldBelow { score }
    } } } }`;

type Recalled = {
  readonly truncated: boolean;
  readonly degraded: readonly object[];
  readonly hits: readonly {
    readonly score: number;
    readonly page: { readonly path: string; readonly kind: string };
    readonly passage: { readonly text: string; readonly start: number; readonly end: number };
    readonly explain: {
      readonly keyword: object | null;
      readonly dense: { readonly similarity: number } | null;
      readonly fusion: {
        readonly score: number;
        readonly contributions: readonly { readonly weight: number; readonly value: number }[];
      };
      readonly authority: { readonly value: number };
      readonly typeHint: { readonly value: number };
      readonly heldBelow: object | null;
    };
  }[];
};

async function recall(input: object) {
  const { data, errors } = await app.ask<{ recall: Recalled }>(RECALL, {
    input: { project: 'p', ...input },
  });
  expect(errors).toBeUndefined();
  return data.recall;
}

test.each([
  ["'abs"],
  ['team:foobar'],
  ['a & b |'],
  ['auth|admin'],
  ['!'],
  ['<->'],
  ['('],
  [':*'],
  ['- '.repeat(33)],
  ['\\'],
  ['"'],
  ['😀'],
  ['/b testing'],
  ['\u0000'],
  ['x '.repeat(50_000)],
])('takes %j for a query, whatever it finds', async (text) => {
  const found = await recall({ text });

  expect(Array.isArray(found.hits)).toBe(true);
});

test.each([['*'], ['???'], ['- '.repeat(33)], ['the of and'], ['will the it']])(
  'finds nothing by words that say nothing: %j',
  async (text) => {
    const { hits } = await recall({ text });

    expect(hits).toEqual([]);
  },
);

test.each([
  ['ADR-016', 'adr'],
  ['what are the gateway scheduled tasks', 'gateway'],
  ['适者生存', 'zh'],
  ['止损', 'zh-short'],
  ['Cafe\u0301', 'cafe'],
  ['cafe', 'cafe'],
  ['retencao', 'cafe'],
  ['c:\\temp\\x', 'paths'],
  ['foo_bar', 'paths'],
  ['v1.2.3', 'paths'],
  ['causes/solutions', 'paths'],
  ['team:foobar', 'team'],
])('finds %j first', async (text, path) => {
  const { hits } = await recall({ text });

  expect(hits[0]?.page.path).toBe(path);
});

test('says that a very long query was cut', async () => {
  const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`).join(' ');

  expect((await recall({ text: words })).truncated).toBe(true);
  expect((await recall({ text: 'gateway' })).truncated).toBe(false);
});

test('refuses an empty text by name', async () => {
  const { errors } = await app.ask(RECALL, { input: { text: '  ' } });

  expect(errors?.[0]?.extensions).toMatchObject({ code: 'INVALID_INPUT', field: 'input.text' });
});

test.each([['baseline'], ['rrf'], ['chain'], ['contradictions']])(
  'accounts for every score under %s',
  async (ranking) => {
    const { hits } = await recall({
      text: 'the gateway and admin tasks',
      ranking,
      typeHints: ['FACT'],
    });

    expect(hits.length).toBeGreaterThan(2);
    for (const { score, explain } of hits) {
      const fused = explain.fusion.contributions.reduce(
        (sum, { weight, value }) => sum + weight * value,
        0,
      );
      expect(explain.fusion.score).toBe(fused);
      if (explain.heldBelow === null) {
        expect(score).toBe((fused + explain.typeHint.value) * explain.authority.value);
      }
    }
  },
);

test('shows a passage that is a slice of the body', async () => {
  const { hits } = await recall({ text: 'gateway tasks' });
  const { data } = await app.ask<{ page: { body: string } }>(
    '{ page(project: "p", path: "gateway") { body } }',
  );

  const { text, start, end } = hits[0]?.passage ?? {};

  expect(text).toContain('gateway');
  expect(data.page.body.slice(start, end)).toBe(text);
});

test('holds a hard filter in every arm, and fills the limit with what passes', async () => {
  const { hits } = await recall({ text: 'gateway tasks', beliefTypes: ['NOTE'], limit: 5 });

  expect(hits).toHaveLength(5);
  expect(hits.every((hit) => hit.page.kind === 'NOTE')).toBe(true);
});

test('gives equal answers to equal calls', async () => {
  const first = await recall({ text: 'what does the gateway do' });

  for (let call = 0; call < 20; call++) {
    expect(await recall({ text: 'what does the gateway do' })).toEqual(first);
  }
});

test('gives more for a larger budget of tokens, and always the first hit', async () => {
  const paths = async (tokenBudget: number) =>
    (await recall({ text: 'gateway', tokenBudget })).hits.map((hit) => hit.page.path);

  const [small, large] = [await paths(1), await paths(60)];

  expect(small).toHaveLength(1);
  expect(large.slice(0, 1)).toEqual(small);
  expect(large.length).toBeGreaterThan(1);
});

test('forgets the old meaning of an edited page at once', async () => {
  const write = (body: string) =>
    app.ask(
      `mutation ($body: String!) { writePages(input: { project: "p",
        pages: [{ path: "edited", title: "Edited", body: $body }] }) { __typename } }`,
      { body },
    );
  await write('zebras graze on the savannah');
  await write('submarines dive below the ice');

  const { hits } = await recall({ text: 'zebras savannah' });

  const edited = hits.find((hit) => hit.page.path === 'edited');
  expect(edited?.explain.keyword ?? null).toBeNull();
  expect(edited?.explain.dense?.similarity ?? 0).toBeLessThan(0.5);
});

test('finds in the past what was true then, without vectors', async () => {
  const write = (pages: object[]) =>
    app.ask(
      `mutation ($pages: [PageInput!]!) {
        writePages(input: { project: "p", pages: $pages }) { __typename } }`,
      { pages },
    );
  await write([{ path: 'old-rule', title: 'Retry five times', body: 'xylophone policy' }]);
  const { data } = await app.ask<{ page: { recordedAt: string } }>(
    '{ page(project: "p", path: "old-rule") { recordedAt } }',
  );
  await write([{ path: 'new-rule', title: 'Retry twice', body: '- supersedes [[old-rule]]' }]);

  const then = await recall({
    text: 'xylophone policy',
    asOf: { recordedAt: data.page.recordedAt },
  });
  const now = await recall({ text: 'xylophone policy' });

  expect(then.hits[0]?.page.path).toBe('old-rule');
  expect(then.degraded).toEqual([{ arm: 'DENSE', reason: 'HISTORICAL' }]);
  expect(now.hits.map((hit) => hit.page.path)).not.toContain('old-rule');
});

test('costs as many statements for many hits as for few', async () => {
  const statementsFor = async (limit: number) => {
    const before = app.database.statements;
    await recall({ text: 'gateway team cafe paths', limit });
    return app.database.statements - before;
  };

  expect(await statementsFor(8)).toBe(await statementsFor(2));
});
