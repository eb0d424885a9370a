import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import { closeRun, openRun } from '../../src/memory/open-run.ts';
import type { PageFilter } from '../../src/memory/page-store.ts';
import { prepareRecall } from '../../src/memory/prepare-recall.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { assignPerson, putPerson } from '../../src/memory/put-person.ts';
import { recallInRun } from '../../src/memory/recall-in-run.ts';
import type { RecallInput } from '../../src/memory/recall-query.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { newProject, pathsOf } from '../support/recall.ts';
import { callerFor, seedPages } from '../support/seed.ts';

const START = Date.parse('2026-03-01T00:00:00Z');

let database: Database;
let plain: Stores;
/** The same stores with an encoder that counts what it is asked. */
let stores: Stores;
let embedded = 0;
let now = START;

beforeAll(async () => {
  database = await openTestDatabase();
  plain = createStores(database, () => now);
  stores = {
    ...plain,
    embedder: {
      ...plain.embedder,
      embed(texts) {
        embedded += texts.length;
        return plain.embedder.embed(texts);
      },
    },
  };
});
beforeEach(() => {
  now = START;
  embedded = 0;
});
afterAll(() => database.close());

const queryOf = (text: string, changes: Partial<RecallInput> = {}): RecallInput => ({
  text,
  filter: {},
  includeSuperseded: false,
  includeArchived: false,
  typeHints: [],
  limit: null,
  tokenBudget: null,
  ranking: null,
  ...changes,
});

/** A project with three otters, of whom Ann has the first and Bob the second, and a run in it. */
async function setUp(searchBudget = 100) {
  const { project, filter } = await newProject(plain);
  const pages = await seedPages(plain, project, {
    one: 'The otter lives in the river.',
    two: 'Another otter swims in the sea.',
    three: 'A third otter sleeps.',
  });
  const caller = await callerFor(plain);
  const personOf = async (name: string, page: string) => {
    const personId = await putPerson(plain, caller, { name });
    await assignPerson(plain, caller, { personId, pageId: page, state: 'RESOLVED' });
    return personId;
  };
  const [ann, bob] = [await personOf('Ann', pages.one), await personOf('Bob', pages.two)];
  const run = await openRun(stores, caller, {
    projectId: project.id,
    task: 'Who knows of otters?',
    leaseSeconds: 60,
    searchBudget,
  });
  const query = queryOf('which otter swims?', { filter });
  return { project, filter, pages, run, query, people: { ann, bob } };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;

const prepare = async ({ run, query }: Pick<SetUp, 'run' | 'query'>) =>
  prepareRecall(stores, await callerFor(plain), { runId: run.id, query });

async function search(
  { run }: Pick<SetUp, 'run'>,
  query: RecallInput,
  prepared: string | null,
  as: Principal = LOCAL_PRINCIPAL,
  given: Stores = stores,
) {
  return recallInRun(given, await callerFor(plain, as), query, { runId: run.id, prepared });
}

const scoped = ({ query }: Pick<SetUp, 'query'>, filter: PageFilter): RecallInput => ({
  ...query,
  filter: { ...query.filter, ...filter },
});

describe('a prepared query', () => {
  test('is embedded once, and its searches find what others find', async () => {
    const given = await setUp();
    const embeddedThere = await search(given, given.query, null);
    embedded = 0;

    const { digest, expiresAt } = await prepare(given);
    const again = await prepare(given);
    const found = await search(given, given.query, digest);

    expect(embedded).toBe(1);
    expect(again).toMatchObject({ digest, expiresAt });
    expect(found).toEqual({
      ...embeddedThere,
      denseSource: 'PREPARED',
      expiresAt: START + 60_000,
      run: { ...given.run, searchesLeft: 98 },
    });
    expect(found.digest).toBe(digest);
    expect(found.hits[0]?.explain.dense).not.toBeNull();
  });

  test('has one name however its defaults are written, and another for any other value', async () => {
    const given = await setUp();
    const digestOf = async (changes: Partial<RecallInput>) =>
      (await prepare({ run: given.run, query: { ...given.query, ...changes } })).digest;

    const digest = await digestOf({});

    expect(await digestOf({ limit: 10, ranking: 'baseline' })).toBe(digest);
    const others = await Promise.all(
      [
        { text: 'which otter swims? ' },
        { limit: 11 },
        { ranking: 'rrf' },
        { includeArchived: true },
        { typeHints: ['FACT' as const] },
        { filter: { ...given.filter, tags: ['a'] } },
      ].map(digestOf),
    );
    expect(new Set([digest, ...others]).size).toBe(7);
  });

  test('with nothing to embed is answered as ever', async () => {
    const given = await setUp();
    const query = { ...given.query, text: '???' };
    const { digest } = await prepare({ ...given, query });

    const found = await search(given, query, digest);

    expect(found).toMatchObject({
      hits: [],
      degraded: [],
      denseSource: 'NONE',
      denseReason: { code: 'NOTHING_TO_EMBED', field: null },
    });
  });

  test('of the past finds what words find, with no vector', async () => {
    const given = await setUp();
    const { digest } = await prepare(given);
    const caller = await callerFor(plain);
    const past = { ...caller.view, asOf: { validAt: null, recordedAt: START + 1 } };
    embedded = 0;

    const found = await recallInRun(stores, { ...caller, view: past }, given.query, {
      runId: given.run.id,
      prepared: digest,
    });

    expect(found).toMatchObject({
      denseSource: 'NONE',
      denseReason: { code: 'HISTORICAL' },
      degraded: [{ arm: 'DENSE', reason: 'HISTORICAL' }],
    });
    expect(found.hits).toHaveLength(3);
    expect(embedded).toBe(0);
  });

  test.each<[string, (given: SetUp) => Promise<unknown>, object]>([
    [
      'its run ends',
      async ({ run }) => closeRun(stores, { principal: LOCAL_PRINCIPAL }, run.id),
      { code: 'NOT_FOUND', field: 'run' },
    ],
    [
      'something is recorded',
      async ({ project }) => {
        now = START + 1;
        await seedPages(plain, project, { four: 'A fourth otter.' });
      },
      { denseReason: { code: 'CHECKPOINT_MOVED', field: null } },
    ],
  ])('is not good when %s while it is embedded', async (_what, happen, expected) => {
    const given = await setUp();
    const slow: Stores = {
      ...stores,
      embedder: {
        ...plain.embedder,
        async embed(texts) {
          await happen(given);
          return plain.embedder.embed(texts);
        },
      },
    };
    const asked = { runId: given.run.id, query: given.query };
    const before = stores.runs.prepared.size;

    const outcome = await prepareRecall(slow, await callerFor(plain), asked)
      .then(({ digest }) => search(given, given.query, digest))
      .catch((error: unknown) => error);

    expect(outcome).toMatchObject(expected);
    expect(stores.runs.prepared.size).toBe(before);
  });

  test('that cannot be embedded now is not kept', async () => {
    const given = await setUp();
    const away = {
      ...stores,
      embedder: {
        ...plain.embedder,
        embed: () => Promise.reject(new StoreUnavailableError('m', null)),
      },
    };
    const caller = await callerFor(plain);
    const asked = { runId: given.run.id, query: given.query };

    await expect(prepareRecall(away, caller, asked)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryable: true,
      message: 'Expected an answer from the encoder, but it is not available. Try again later.',
    });
    await prepare(given);
    expect(embedded).toBe(1);
  });
});

test('people discovery: one vector serves a search and three that narrow it, with one embedding', async () => {
  const given = await setUp(4);
  const { ann, bob } = given.people;
  const { pages, query } = given;
  const { digest } = await prepare(given);

  const all = await search(given, query, digest);
  const narrowed = [];
  for (const filter of [
    { people: [ann] },
    { people: [bob], includeIds: [pages.two, pages.three] },
    { people: [ann, bob], sensitivityCeiling: 1 },
  ]) {
    narrowed.push(await search(given, { ...scoped(given, filter), limit: 5 }, digest));
  }

  expect(embedded).toBe(1);
  expect(all.denseSource).toBe('PREPARED');
  expect(pathsOf(all).toSorted()).toEqual(['one', 'three', 'two']);
  expect(narrowed.map((found) => pathsOf(found).toSorted())).toEqual([
    ['one'],
    ['two'],
    ['one', 'two'],
  ]);
  for (const found of narrowed) {
    expect(found).toMatchObject({
      denseSource: 'NARROWED',
      denseReason: null,
      degraded: [],
      expiresAt: all.expiresAt,
    });
    for (const hit of found.hits) {
      const before = all.hits.find(({ page }) => page.id === hit.page.id);
      expect(hit.explain.dense?.similarity).toBe(before?.explain.dense?.similarity);
    }
  }
  expect(new Set([digest, ...narrowed.map((found) => found.digest)]).size).toBe(4);
  expect(stores.runs.prepared.find({ run: given.run, digest })).not.toBeNull();
  for (const found of narrowed) {
    expect(stores.runs.prepared.find({ run: given.run, digest: found.digest })).toBeNull();
  }
  await expect(search(given, query, digest)).rejects.toMatchObject({ code: 'SEARCH_BUDGET_SPENT' });
});

test('people are asked before the arms are cut: 500 stronger pages hide none of a narrowed search', async () => {
  const given = await setUp();
  const crowd = Array.from({ length: 500 }, (_, index) => [
    `crowd/${index}`,
    { title: 'Which otter swims?', body: 'which otter swims' },
  ]);
  await seedPages(plain, given.project, Object.fromEntries(crowd));
  const { digest } = await prepare(given);

  const all = await search(given, given.query, digest);
  const found = await search(given, scoped(given, { people: [given.people.ann] }), digest);

  expect(pathsOf(all)).not.toContain('one');
  expect(found.denseSource).toBe('NARROWED');
  expect(pathsOf(found)).toEqual(['one']);
  expect(found.hits[0]?.explain).toMatchObject({ keyword: { rank: 1 }, dense: { rank: 1 } });
}, 120_000);

describe('a search that no vector may serve', () => {
  const sparse = (code: string, field: string | null = null) => ({
    denseSource: 'NONE',
    denseReason: { code, field },
    degraded: [{ arm: 'DENSE', reason: 'UNPREPARED' }],
    expiresAt: null,
  });

  /** Prepares, changes something, and searches: by words alone, without embedding, and without an error. */
  async function afterwards(change: (given: SetUp) => Promise<Parameters<typeof search>[3]>) {
    const given = await setUp();
    const { digest } = await prepare(given);
    const as = await change(given);
    embedded = 0;
    const found = await search(given, given.query, digest, as);
    expect(embedded).toBe(0);
    expect(found.hits.every(({ explain }) => explain.dense === null)).toBe(true);
    return { given, digest, found };
  }

  test('is told that something was recorded since, and the query can be prepared again', async () => {
    const { given, digest, found } = await afterwards(async ({ project }) => {
      now = START + 1;
      await seedPages(plain, project, { four: 'A fourth otter.' });
      return undefined;
    });

    expect(found).toMatchObject(sparse('CHECKPOINT_MOVED'));
    expect(pathsOf(found)).toContain('four');
    expect(await search(given, given.query, digest)).toMatchObject(sparse('NOT_PREPARED'));
    await prepare(given);
    expect((await search(given, given.query, digest)).denseSource).toBe('PREPARED');
  });

  test('is served still when something is recorded where it does not search', async () => {
    const given = await setUp();
    const { digest } = await prepare(given);
    now = START + 1;
    const { project } = await newProject(plain);
    await seedPages(plain, project, { otter: 'An otter elsewhere.' });

    expect((await search(given, given.query, digest)).denseSource).toBe('PREPARED');
  });

  test('is told of grants that changed', async () => {
    const { found } = await afterwards(async () => ({
      ...LOCAL_PRINCIPAL,
      clearance: 'CONFIDENTIAL' as const,
    }));

    expect(found).toMatchObject(sparse('GRANTS_CHANGED'));
  });

  test('is told of an admission that was withdrawn', async () => {
    const { found } = await afterwards(async () => ({ ...LOCAL_PRINCIPAL, projects: [] }));

    expect(found).toMatchObject({ ...sparse('ADMISSION_WITHDRAWN'), hits: [] });
  });

  test('is told that it searches other projects now', async () => {
    const given = await setUp();
    const query = queryOf('which otter swims?');
    const { digest } = await prepare({ ...given, query });
    await newProject(plain);
    embedded = 0;

    expect(await search(given, query, digest)).toMatchObject(sparse('PROJECTS_CHANGED'));
    expect(embedded).toBe(0);
  });

  test('is told of another encoder', async () => {
    const given = await setUp();
    const { digest } = await prepare(given);
    const other = { ...stores, embedder: { ...stores.embedder, model: 'another@1' } };
    embedded = 0;

    const found = await search(given, given.query, digest, LOCAL_PRINCIPAL, other);

    expect(found).toMatchObject(sparse('MODEL_CHANGED'));
    expect(embedded).toBe(0);
  });

  test('is told that the lease or the task is over, whoever asks', async () => {
    const closed = await afterwards(async ({ run }) => {
      closeRun(stores, { principal: LOCAL_PRINCIPAL }, run.id);
      return undefined;
    });
    const late = await afterwards(async () => {
      now = START + 60_000;
      return undefined;
    });
    const theirs = await afterwards(async () => ({ ...LOCAL_PRINCIPAL, name: 'other' }));

    for (const { found } of [closed, late, theirs]) {
      expect(found).toMatchObject({ ...sparse('RUN_ENDED'), run: null });
      expect(found.hits).toHaveLength(3);
    }
  });

  test('is told that nothing is prepared under the name, in this run', async () => {
    const given = await setUp();
    const other = await setUp();
    const { digest } = await prepare({ run: other.run, query: given.query });
    embedded = 0;

    for (const name of [digest, '', 'x'.repeat(1_000_000), '__proto__']) {
      expect(await search(given, given.query, name)).toMatchObject(sparse('NOT_PREPARED'));
    }
    expect(embedded).toBe(0);
  });

  test.each<[string, string | null, (given: SetUp) => RecallInput]>([
    ['NO_PEOPLE', 'people', ({ query }) => ({ ...query, limit: 5 })],
    ['WIDENED', 'limit', (given) => ({ ...scoped(given, PEOPLE), limit: 11 })],
    ['WIDENED', 'subjects', (given) => scoped(given, { ...PEOPLE, subjects: [given.pages.one] })],
    ['DIFFERENT', 'text', (given) => ({ ...scoped(given, PEOPLE), text: 'which otter sleeps?' })],
    ['DIFFERENT', 'tags', (given) => scoped(given, { ...PEOPLE, tags: [] })],
    ['DIFFERENT', 'kinds', (given) => scoped(given, { ...PEOPLE, kinds: ['NOTE'] })],
    ['DIFFERENT', 'ranking', (given) => ({ ...scoped(given, PEOPLE), ranking: 'rrf' })],
  ])('is told the first reason against narrowing: %s %s', async (code, field, derive) => {
    const given = await setUp();
    const { digest } = await prepare(given);
    embedded = 0;

    const found = await search(given, derive(given), digest);

    expect(found).toMatchObject(sparse(code, field));
    expect(embedded).toBe(0);
  });

  test('leaves the vector to those whom it serves', async () => {
    const given = await setUp();
    const { digest } = await prepare(given);

    await search(given, { ...given.query, limit: 5 }, digest);

    expect((await search(given, given.query, digest)).denseSource).toBe('PREPARED');
  });
});

const PEOPLE: PageFilter = { people: ['00000000-0000-4000-8000-000000000000'] };

describe('the budget of a run', () => {
  test('is not spent on a query that is refused, nor on preparing', async () => {
    const given = await setUp(1);
    const { digest } = await prepare(given);

    await expect(search(given, { ...given.query, text: ' ' }, digest)).rejects.toMatchObject({
      field: 'text',
    });
    expect((await search(given, given.query, digest)).run?.searchesLeft).toBe(0);
  });

  test('is spent on searches that embed, which need a run that is open', async () => {
    const given = await setUp(1);

    const found = await search(given, given.query, null);

    expect(found).toMatchObject({ denseSource: 'EMBEDDED', denseReason: null, expiresAt: null });
    expect(embedded).toBe(1);
    await expect(search(given, given.query, null)).rejects.toMatchObject({
      code: 'SEARCH_BUDGET_SPENT',
      field: 'run',
      limit: 1,
      retryable: false,
      message: 'run: expected at most 1 searches of this run, but all of them are made.',
    });
    closeRun(stores, { principal: LOCAL_PRINCIPAL }, given.run.id);
    await expect(search(given, given.query, null)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'run: expected a run that is open, but found none.',
    });
  });

  test('is not passed by searches at once', async () => {
    const given = await setUp(2);

    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => search(given, given.query, null)),
    );

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

test('a prepared search costs one statement more than one that embeds', async () => {
  const given = await setUp();
  const { digest } = await prepare(given);
  const statementsOf = async (query: RecallInput, prepared: string | null) => {
    const before = database.statements;
    await search(given, query, prepared);
    return database.statements - before;
  };

  const plainly = await statementsOf(given.query, null);

  expect(await statementsOf(given.query, digest)).toBe(plainly + 1);
});

test('the checkpoint is the newest that the caller sees, of the projects that are searched', async () => {
  const { project, filter } = await newProject(plain);
  const { project: other } = await newProject(plain);
  await seedPages(plain, project, { open: '' });
  now = START + 5;
  await seedPages(plain, project, { secret: { sensitivity: 'RESTRICTED' } });
  now = START + 9;
  await seedPages(plain, other, { elsewhere: '' });
  const guest = { ...LOCAL_PRINCIPAL, clearance: 'INTERNAL' as const };
  const checkpointOf = async (as: Principal, of: PageFilter) =>
    plain.recall.findCheckpoint((await callerFor(plain, as)).view, of);

  expect(await checkpointOf(guest, filter)).toBe(START);
  expect(await checkpointOf(LOCAL_PRINCIPAL, filter)).toBe(START + 5);
  const both = { projectIds: [project.id, other.id] };
  expect(await checkpointOf(LOCAL_PRINCIPAL, both)).toBe(START + 9);
  expect(await checkpointOf({ ...LOCAL_PRINCIPAL, projects: [] }, {})).toBeNull();
  expect(await checkpointOf({ ...LOCAL_PRINCIPAL, tenant: 'elsewhere' }, filter)).toBeNull();
});
