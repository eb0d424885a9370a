import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { estimateTokens } from '../../src/memory/token-budget.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { callTool, seedOps, type ToolCall } from '../support/tools.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ hintsEnabled: () => true });
  await seedOps(app);
});
afterAll(() => app.close());

const search = (args: object, version: string | null = null) =>
  callTool(app, 'memory.search', args, { version });

const pagesOf = ({ result }: ToolCall): string[] => result.hits.map(({ page }) => page);

type ListedTool = {
  readonly name: string;
  readonly version: string;
  readonly advertised: boolean;
  readonly scope: string;
  readonly inputSchema: { readonly examples: readonly object[] };
};

test('lists what models are told of, and the rest when asked', async () => {
  const { data } = await app.ask<Record<'told' | 'all', readonly ListedTool[]>>(`{
    told: tools { name version advertised scope description inputSchema }
    all: tools(includeUnadvertised: true) { name version advertised } }`);

  expect(data.told.every(({ advertised }) => advertised)).toBe(true);
  expect(data.told.map(({ name, scope }) => [name, scope])).toContainEqual([
    'memory.write',
    'memory:write',
  ]);
  expect(data.all.length).toBe(data.told.length + 1);
  expect(data.all).toContainEqual({ name: 'memory.search', version: '1.1.0', advertised: false });
  expect(data.told[0]?.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
});

test('every example of a definition works where its pages are', async () => {
  const { data } = await app.ask<{ tools: readonly ListedTool[] }>(
    '{ tools(includeUnadvertised: true) { name version inputSchema } }',
  );

  for (const { name, version, inputSchema } of data.tools) {
    for (const example of inputSchema.examples) {
      const args = { project: 'ops', ...example };
      const answer = await callTool(app, name, args, { version });
      expect([name, answer.__typename, answer.message]).toEqual([
        name,
        'CallToolSuccess',
        undefined,
      ]);
    }
  }
});

test('runs the newest advertised version when none is named, and any that is', async () => {
  expect((await search({ query: 'pool' })).version).toBe('2.0.0');
  expect((await search({ query: 'pool' }, '1.1.0')).version).toBe('1.1.0');
});

test('a search says what to read and why it is there', async () => {
  const { result, text } = await search({
    query: 'why did checkout time out',
    type_hints: ['PROBLEM', 'PROBLEM'],
    project: 'ops',
  });

  const [first] = result.hits;
  expect(first).toEqual({
    page: 'ops:incidents/checkout',
    title: 'Checkout timed out',
    kind: 'PROBLEM',
    passage: 'Payments hung for 40 minutes. See [[causes/pool]].',
    why: expect.arrayContaining([
      'word match, rank 1',
      'fixed by ops:fixes/pool-size “Pool of 50 ends checkout timeouts”',
      'of a hinted kind',
    ]),
    authority: 1.07,
    confidence: expect.any(Number),
  });
  expect(text).toContain('1. ops:incidents/checkout “Checkout timed out” [PROBLEM]\nPayments hung');
  expect(text).toContain('authority 1.07; confidence');
});

test('a wrong hint loses no page, and the old hard filter does', async () => {
  const wrong = ['PREFERENCE', 'RULE'];

  const soft = await search({
    query: 'connection pool exhausted',
    type_hints: wrong,
    project: 'ops',
  });
  const hard = await search(
    { query: 'connection pool exhausted', belief_types: wrong, project: 'ops' },
    '1.1.0',
  );
  const right = await search(
    { query: 'connection pool exhausted', belief_types: ['FACT'], project: 'ops' },
    '1.1.0',
  );

  expect(pagesOf(soft)[0]).toBe('ops:causes/pool');
  expect(pagesOf(hard)).toEqual([]);
  expect(pagesOf(right)).toEqual(['ops:causes/pool']);
});

test('subjects keep a search to them and to what is one edge away, in every arm', async () => {
  const near = await search({
    query: 'pool checkout lunch soup deploy metrics',
    subjects: ['incidents/checkout'],
    project: 'ops',
    limit: 50,
  });
  const lunch = await search({ query: 'pool checkout', subjects: ['ops:notes/lunch'] });

  expect(pagesOf(near).toSorted()).toEqual([
    'ops:causes/pool',
    'ops:fixes/pool-size',
    'ops:incidents/checkout',
  ]);
  expect(pagesOf(lunch)).not.toContain('ops:incidents/checkout');
});

type Recalled = {
  readonly recall: { readonly hits: readonly { readonly page: { readonly path: string } }[] };
};

test('a search runs as recall does: the same hits, the same statements', async () => {
  const counted = async <T>(work: () => Promise<T>) => {
    const before = app.database.statements;
    const answer = await work();
    return { answer, statements: app.database.statements - before };
  };
  const RECALL = `{ recall(input: { text: "checkout pool", project: "ops", limit: 10 }) {
    hits { page { path } explain { graphVia { from { path title } } authority { value } confidence { value } } } } }`;

  const recalled = await counted(() => app.ask<Recalled>(RECALL));
  const called = await counted(() => search({ query: 'checkout pool', project: 'ops' }));

  const { hits } = recalled.answer.data.recall;
  expect(pagesOf(called.answer)).toEqual(hits.map(({ page }) => `ops:${page.path}`));
  expect(called.statements).toBe(recalled.statements);
});

test('all that is said of hits keeps to the budget of tokens, and the first hit always comes', async () => {
  const ask = async (tokenBudget: number) =>
    search({ query: 'checkout pool deploy', project: 'ops', token_budget: tokenBudget });

  const [none, some, all] = [await ask(1), await ask(300), await ask(100_000)];

  expect(pagesOf(none)).toEqual(pagesOf(all).slice(0, 1));
  expect(none.result.notes).toEqual([
    `${pagesOf(all).length - 1} more hits did not fit the token budget`,
  ]);
  expect(estimateTokens(some.text)).toBeLessThanOrEqual(300);
  expect(pagesOf(some).length).toBeGreaterThan(1);
  expect(pagesOf(all).slice(0, pagesOf(some).length)).toEqual(pagesOf(some));
});

describe('a budget counts all of the text', () => {
  /** Each of 40 causes has a name and a note that take more than the rest of its line. */
  const NOTE = 'because '.repeat(40).trim();
  const name = (index: number) => `causes/${'long-'.repeat(20)}${index}`;

  beforeAll(async () => {
    const names = Array.from({ length: 40 }, (_, index) => name(index));
    const pages = [
      { path: 'hub', title: 'Hub', body: 'A body of some length. '.repeat(200) },
      ...names.map((path) => ({ path, title: 'Why the hub came to be' })),
    ];
    await app.ask(
      'mutation ($input: WritePagesInput!) { writePages(input: $input) { __typename } }',
      { input: { project: 'lab', pages } },
    );
    const edges = names.map((from) => ({ from, kind: 'CAUSES', to: 'hub', note: NOTE }));
    await callTool(app, 'memory.link', { project: 'lab', edges });
  });

  test.each([
    ['memory.search', { query: 'why the hub came to be', project: 'lab', limit: 50 }, 250],
    ['memory.traverse', { from: 'lab:hub', direction: 'IN', limit: 100 }, 250],
    ['memory.page', { page: 'lab:hub' }, 100],
  ])('of %s', async (name, args, least) => {
    let before = '';
    for (let budget = least; budget < 8_000; budget = Math.ceil(budget * 1.3)) {
      const { text } = await callTool(app, name, { ...args, token_budget: budget });

      expect([budget, estimateTokens(text)]).toSatisfy(([most, tokens]) => tokens <= most);
      expect(text.length).toBeGreaterThanOrEqual(before.length);
      before = text;
    }
  });

  test('of a page, whose edges leave half of it to the body', async () => {
    const page = { page: 'lab:hub', token_budget: 1_000 };

    const { result, text } = await callTool(app, 'memory.page', page);

    expect(result.edges.at(-1)).toMatch(/^and \d+ more$/u);
    expect(estimateTokens(result.edges.join('\n'))).toBeGreaterThan(250);
    expect(estimateTokens(result.body)).toBeGreaterThan(400);
    expect(result.notes).toEqual(['the body has 1150 tokens; raise token_budget to read all']);
    expect(text).toContain('Note: the body has 1150 tokens');
  });

  test('and the facts of a page always come', async () => {
    const { result } = await callTool(app, 'memory.page', { page: 'lab:hub', token_budget: 1 });

    expect(result).toMatchObject({
      page: 'lab:hub',
      title: 'Hub',
      edges: ['and 40 more'],
      body: '',
    });
  });
});

test('a page is read whole, with its typed edges both ways', async () => {
  const { result, text } = await callTool(app, 'memory.page', { page: 'ops:causes/pool' });

  expect(result).toMatchObject({
    page: 'ops:causes/pool',
    title: 'Connection pool was exhausted',
    kind: 'FACT',
    status: 'ACTIVE',
    version: 1,
    versions: 1,
    body: 'Ten connections for 400 workers.\n\n- causes [[incidents/checkout]]',
  });
  expect(result.edges.toSorted()).toEqual([
    'caused by ops:causes/deploy “Deploy doubled the workers”',
    'causes ops:incidents/checkout “Checkout timed out”',
    'contradicted by ops:notes/doubt “The pool was never full” (unresolved)',
  ]);
  expect(text).toContain(
    '# Connection pool was exhausted\nops:causes/pool: kind FACT, status ACTIVE',
  );
  expect(text).toContain('- caused by ops:causes/deploy');
});

test('a body that is longer than the budget is cut, and says so', async () => {
  await callTool(app, 'memory.write', {
    project: 'lab',
    path: 'long',
    title: 'Long',
    body: 'äöü '.repeat(2_000),
  });

  const { result } = await callTool(app, 'memory.page', { page: 'lab:long', token_budget: 500 });

  expect(result.notes).toEqual(['the body has 3500 tokens; raise token_budget to read all']);
  expect(JSON.stringify({ ...result, notes: [] }).length).toBeLessThan(2_000);
  expect('äöü '.repeat(2_000).startsWith(result.body)).toBe(true);
  expect(result.body.length).toBeGreaterThan(500);
});

test('a briefing begins a session, within its budget', async () => {
  const { text, result } = await callTool(app, 'memory.briefing', { project: 'ops' });
  const empty = await callTool(app, 'memory.briefing', { project: 'lab', token_budget: 1 });
  const { data } = await app.ask<{ briefing: { readonly text: string } }>(
    '{ briefing(project: "ops") { text } }',
  );

  expect(text).toBe(data.briefing.text);
  expect(text).toContain('The pool was never full');
  expect(result).toEqual({
    project: 'ops',
    text,
    tokens: Math.ceil(Buffer.byteLength(text) / 4),
    truncated: false,
  });
  expect(empty.text).toBe('Nothing to tell yet of "lab".');
});

test('a page is written, revised and read as it was', async () => {
  const write = (args: object) =>
    callTool(app, 'memory.write', { project: 'lab', path: 'plan', title: 'Plan', ...args });

  const created = await write({
    body: 'one',
    expected_version: 0,
    tags: ['a'],
    hints: ['what next?'],
  });
  const { data } = await app.ask<{ page: { readonly recordedAt: string } }>(
    '{ page(project: "lab", path: "plan") { recordedAt hints tags } }',
  );
  const revised = await write({ body: 'two', expected_version: 1, tags: null });
  const conflict = await write({ body: 'three', expected_version: 1 });
  const then = await callTool(app, 'memory.page', {
    page: 'lab:plan',
    as_of: { recorded_at: data.page.recordedAt },
  });

  expect(created.result).toMatchObject({ page: 'lab:plan', version: 1, outcome: 'CREATED' });
  expect(created.text).toBe('Created lab:plan, version 1.');
  expect(data.page).toMatchObject({ hints: ['what next?'], tags: ['a'] });
  expect(revised.text).toBe('Revised lab:plan, version 2.');
  expect(conflict).toMatchObject({ __typename: 'VersionConflict', currentVersion: 2 });
  expect(then.result.body).toBe('one');
});

test('edges are stated by names, and again without harm', async () => {
  const args = {
    edges: [{ from: 'lab:trial', kind: 'REFERENCES', to: 'notes/lunch', note: 'hungry' }],
    project: 'ops',
  };

  const first = await callTool(app, 'memory.link', args);
  const second = await callTool(app, 'memory.link', args);

  expect(first.text).toBe('lab:trial references ops:notes/lunch');
  expect(first.result.edges).toEqual([
    { edge: 'lab:trial references ops:notes/lunch', created: true },
  ]);
  expect(second.text).toBe('lab:trial references ops:notes/lunch (was stated before)');
});

test('a walk tells how it came to each page', async () => {
  const { text, result } = await callTool(app, 'memory.traverse', {
    from: 'ops:incidents/checkout',
    kinds: ['CAUSES', 'FIXES'],
    direction: 'IN',
    depth: 3,
  });

  expect(result.from).toBe('ops:incidents/checkout “Checkout timed out”');
  expect(text.split('\n').slice(1).toSorted()).toEqual([
    '  - ops:causes/deploy “Deploy doubled the workers” [EVENT] causes ops:causes/pool',
    '- ops:causes/pool “Connection pool was exhausted” [FACT] causes ops:incidents/checkout',
    '- ops:fixes/pool-size “Pool of 50 ends checkout timeouts” [FIX] fixes ops:incidents/checkout',
  ]);
});

test('a walk says when it left something out, and when there is nothing', async () => {
  const cut = await callTool(app, 'memory.traverse', {
    from: 'ops:incidents/checkout',
    direction: 'BOTH',
    limit: 1,
  });
  const none = await callTool(app, 'memory.traverse', { from: 'ops:notes/lunch' });

  expect(cut.result.reached).toHaveLength(1);
  expect(cut.result.notes).toEqual([
    'more pages were left out: raise limit or token_budget, or ask for fewer kinds',
  ]);
  expect(none.text).toBe('ops:notes/lunch “Lunch menu”\nNo such edges.');
});

test('a caller of one project need not name it, and cannot tell others from none', async () => {
  const as = { ...LOCAL_PRINCIPAL, name: 'narrow', projects: ['ops'] };

  const own = await callTool(app, 'memory.page', { page: 'notes/lunch' }, { as });
  const hidden = await callTool(app, 'memory.page', { page: 'lab:trial' }, { as });
  const found = await callTool(app, 'memory.search', { query: 'trial of checkout' }, { as });

  expect(own.result.title).toBe('Lunch menu');
  expect(hidden).toEqual({
    __typename: 'NotFound',
    code: 'NOT_FOUND',
    message: 'input.arguments.page: expected a page "lab:trial", but found none.',
    retryable: false,
    field: 'input.arguments.page',
  });
  expect(pagesOf(found)).not.toContain('lab:trial');
});

test.each([
  ['memory.write', { path: 'x', title: 'x', project: 'lab' }, 'memory:read', 'memory:write'],
  ['memory.link', {}, 'memory:read', 'memory:write'],
  ['memory.search', { query: 'x' }, 'memory:write', 'memory:read'],
  ['memory.page', {}, 'memory:write', 'memory:read'],
] as const)('%s asks for its scope before anything else', async (name, args, has, needed) => {
  const as = { ...LOCAL_PRINCIPAL, name: has, scopes: [has] };

  const answer = await callTool(app, name, args, { as });

  expect(answer).toEqual({
    __typename: 'Forbidden',
    code: 'FORBIDDEN',
    message: `Expected a caller with the scope ${needed}.`,
    retryable: false,
  });
});
