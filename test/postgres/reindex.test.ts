import { afterAll, beforeAll, expect, test } from 'vitest';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { type IndexStore, reindex } from '../../src/memory/reindex.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { requireEmbedder } from '../../src/postgres/embedder-record.ts';
import { createIndexStore } from '../../src/postgres/index-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask } from '../support/recall.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

const QUESTIONS = ['connection pool', 'how long do retries wait', 'jitter', 'checkout'];
const NOW = 1_780_000_000_000;

let database: Database;
let stores: Stores;
let indexes: IndexStore;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => NOW);
  indexes = createIndexStore(database);
  const project = await seedProject(stores, 'shop');
  await seedPages(stores, project, {
    pool: { body: 'The pool is exhausted.', hints: ['how many connections are there'] },
    retry: 'Retries wait a second.',
    checkout: `Checkout fails. ${'It retries without jitter. '.repeat(100)}`,
  });
  await seedPages(stores, project, { pool: 'The connection pool has ten connections.' });
  const ops = await seedProject(stores, 'ops', { ...LOCAL_PRINCIPAL, tenant: 'other' });
  await seedPages(stores, ops, { runbook: 'Restart it.' }, { ...LOCAL_PRINCIPAL, tenant: 'other' });
});

afterAll(() => database.close());

const answers = async () => {
  const { view } = await callerFor(stores);
  const past = { ...view, asOf: { validAt: NOW, recordedAt: NOW } };
  return JSON.stringify([
    ...(await Promise.all(QUESTIONS.map((text) => ask(stores, text)))),
    ...(await Promise.all(QUESTIONS.map((text) => ask(stores, text, { view: past })))),
  ]);
};

test('finds nothing to change after live writes', async () => {
  const before = await answers();

  const counts = await reindex({ indexes, embedder: stores.embedder });

  expect(counts).toEqual({ versions: 5, changed: 0 });
  expect(await answers()).toBe(before);
});

test('makes the same answers, byte for byte, of indexes that were lost', async () => {
  const before = await answers();
  await database.query({ text: `update page set keyword = 'lost:1', keyword_length = 1` });
  await database.query({ text: `update page_version set keyword = '', keyword_length = 0` });
  await database.query({ text: `update passage set model = 'old', end_offset = 1` });
  await database.query({ text: 'delete from keyword_delta' });
  await database.query({
    text: `
      insert into keyword_delta (tenant, project_id, sensitivity, sign, length, lexemes)
      select tenant, project_id, sensitivity, 1, 1, '{lost}' from page
    `,
  });
  expect(await answers()).not.toBe(before);
  const seen: number[] = [];

  const counts = await reindex({ indexes, embedder: stores.embedder }, ({ versions }) =>
    seen.push(versions),
  );

  expect(counts).toEqual({ versions: 5, changed: 5 });
  expect(seen).toEqual([5]);
  expect(await answers()).toBe(before);
});

test('vectors of another embedder are not used, and are made anew', async () => {
  const halved = {
    ...stores.embedder,
    model: 'another',
    embed: async (texts: readonly string[]) => stores.embedder.embed(texts.map(() => 'same')),
  };
  const asked = await ask({ ...stores, embedder: halved }, 'connection pool');
  expect(asked.hits.flatMap(({ explain }) => explain.dense ?? [])).toEqual([]);

  await reindex({ indexes, embedder: halved });

  const models = await database.query({ text: 'select distinct model from passage' });
  expect(models).toEqual([{ model: 'another' }]);
  await reindex({ indexes, embedder: stores.embedder });
});

test('keeps what a write made between the reading and the putting in place', async () => {
  const stale = await indexes.listVersions(null, 100);
  const { view } = await callerFor(stores);
  const [project] = await stores.projects.list(view.tenant, ['shop']);
  if (project === undefined) throw new Error('The project is gone.');
  await seedPages(stores, project, { retry: 'Retries wait a minute, with backoff.' });
  const before = await answers();
  const lagging = {
    ...indexes,
    listVersions: async (after: unknown) => (after === null ? stale : []),
  };

  await reindex({ indexes: lagging, embedder: stores.embedder });

  expect(await answers()).toBe(before);
});

test('refuses a start with another embedder until the store is reindexed', async () => {
  const { embedder } = stores;
  const another = { ...embedder, model: 'another' };
  await requireEmbedder(database, embedder);
  await requireEmbedder(database, embedder);

  await expect(requireEmbedder(database, another)).rejects.toMatchObject({
    code: 'EMBEDDER_MISMATCH',
    message: expect.stringContaining('Run `causeway reindex`'),
  });
  await expect(requireEmbedder(database, { ...embedder, dimensions: 384 })).rejects.toMatchObject({
    code: 'EMBEDDER_MISMATCH',
  });

  await reindex({ indexes, embedder: another });
  await requireEmbedder(database, another);
  await reindex({ indexes, embedder });
});
