import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageStatus } from '../../src/memory/page.ts';
import type { PageReader } from '../../src/memory/page-store.ts';
import type { View } from '../../src/memory/view.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createPageReader } from '../../src/postgres/page-reader.ts';
import { openTestDatabase } from '../support/database.ts';
import { NOW, type Rows, rowsOf } from '../support/insert-rows.ts';

let database: Database;
let reader: PageReader;
let rows: Rows;
let project: string;

beforeAll(async () => {
  database = await openTestDatabase();
  reader = createPageReader(database);
});

beforeEach(async () => {
  rows = rowsOf(database);
  project = await rows.project();
});

afterAll(() => database.close());

const JANUARY = Date.UTC(2026, 0, 1);
const MARCH = Date.UTC(2026, 2, 1);
const JUNE = Date.UTC(2026, 5, 1);
const JULY = Date.UTC(2026, 6, 1);

async function statusOf(id: string, view: View): Promise<PageStatus | null> {
  const [page] = await reader.findMany(view, [id]);
  return page?.status ?? null;
}

async function bodyAt(id: string, asOf: View['asOf']): Promise<string | null> {
  const [page] = await reader.findMany(rows.view({ asOf }), [id]);
  return page?.body ?? null;
}

test('gives a page whole, as memory says it', async () => {
  const id = await rows.page({
    project,
    path: 'notes/café',
    tags: ['b', 'a'],
    attributes: { deep: { list: [1, null, 'x'] } },
    hints: ['What is it?'],
    importance: 9,
    versions: [
      {},
      {
        kind: 'FACT',
        title: 'A fact',
        body: '# It\n\u{1f600}',
        sensitivity: 2,
        validTo: JULY,
        recordedAt: 7,
      },
    ],
  });

  const [page] = await reader.findMany(rows.view(), [id]);

  expect(page).toEqual({
    id,
    projectId: project,
    path: 'notes/café',
    version: 2,
    kind: 'FACT',
    title: 'A fact',
    body: '# It\n\u{1f600}',
    tags: ['b', 'a'],
    attributes: { deep: { list: [1, null, 'x'] } },
    sensitivity: 'CONFIDENTIAL',
    importance: 9,
    hints: ['What is it?'],
    status: 'ACTIVE',
    validFrom: null,
    validTo: JULY,
    recordedAt: 7,
    feedback: { useful: 0, notUseful: 0, wrong: 0 },
    createdAt: 1,
    readAt: null,
  });
});

test('answers in the order asked, null for what is not there, in one statement', async () => {
  const first = await rows.page({ project });
  const second = await rows.page({ project });
  const before = database.statements;

  const pages = await reader.findMany(rows.view(), [second, randomUUID(), first, second]);

  expect(pages.map((page) => page?.id ?? null)).toEqual([second, null, first, second]);
  expect(database.statements - before).toBe(1);
});

test('finds pages by project and path, each exactly', async () => {
  const other = await rows.project();
  const here = await rows.page({ project, path: 'a/b' });
  const there = await rows.page({ project: other, path: 'a/b' });

  const keys = [
    { projectId: other, path: 'a/b' },
    { projectId: project, path: 'a/_' },
    { projectId: project, path: 'A/b' },
    { projectId: project, path: 'a/b' },
    { projectId: project, path: 'a/b\0' },
    { projectId: project, path: '\ud800' },
  ];
  const pages = await reader.findManyByKey(rows.view(), keys);
  const past = await reader.findManyByKey(
    rows.view({ asOf: { validAt: null, recordedAt: 1 } }),
    keys,
  );

  expect(pages.map((page) => page?.id ?? null)).toEqual([there, null, null, here, null, null]);
  expect(past.map((page) => page?.id ?? null)).toEqual([there, null, null, here, null, null]);
});

test('shows nothing of another tenant, another project or a higher sensitivity', async () => {
  const hidden = await rows.project();
  const path = 'same/path';
  const secret = await rows.page({ project, path, versions: [{ sensitivity: 2 }] });
  const elsewhere = await rows.page({ project: hidden, path });
  const stranger = rowsOf(database);
  await stranger.project();
  const view = rows.view({ projectIds: [project], clearance: 1 });
  const past = { ...view, asOf: { validAt: null, recordedAt: NOW } };
  const key = [
    { projectId: project, path },
    { projectId: hidden, path },
  ];

  for (const each of [view, past, stranger.view({ projectIds: [project, hidden] })]) {
    expect(await reader.findMany(each, [secret, elsewhere])).toEqual([null, null]);
    expect(await reader.findManyByKey(each, key)).toEqual([null, null]);
    expect(await reader.count(each, {})).toBe(0);
  }
});

test('sees nothing without a project', async () => {
  const id = await rows.page({ project });

  expect(await reader.findMany(rows.view({ projectIds: [] }), [id])).toEqual([null]);
});

test('names the first that holds of archived, superseded, expired and active', async () => {
  const validTo = NOW;
  const active = await rows.page({ project, versions: [{ validTo: NOW + 1 }] });
  const expired = await rows.page({ project, versions: [{ validTo }] });
  const superseded = await rows.page({ project, versions: [{ validTo }] });
  const archived = await rows.page({ project, archived: true, versions: [{ validTo }] });
  await rows.edge({ kind: 'SUPERSEDES', from: active, to: superseded });
  await rows.edge({ kind: 'SUPERSEDES', from: active, to: archived });

  const pages = await reader.findMany(rows.view(), [active, expired, superseded, archived]);

  expect(pages.map((page) => page?.status)).toEqual([
    'ACTIVE',
    'EXPIRED',
    'SUPERSEDED',
    'ARCHIVED',
  ]);
});

test('lets a page be superseded only by an active edge from a page that the view sees', async () => {
  const hidden = await rows.project();
  const old = await rows.page({ project });
  const secret = await rows.page({ project, versions: [{ sensitivity: 3 }] });
  const elsewhere = await rows.page({ project: hidden });
  const later = await rows.page({ project });
  const retracted = await rows.page({ project });
  await rows.edge({ kind: 'SUPERSEDES', from: secret, to: old });
  await rows.edge({ kind: 'SUPERSEDES', from: elsewhere, to: old });
  await rows.edge({ kind: 'SUPERSEDES', from: later, to: old, validFrom: NOW + 1 });
  await rows.edge({ kind: 'SUPERSEDES', from: retracted, to: old, recordedTo: NOW });
  await rows.edge({ kind: 'FIXES', from: retracted, to: old });
  const view = rows.view({ projectIds: [project], clearance: 2 });

  expect(await statusOf(old, view)).toBe('ACTIVE');
  expect(await statusOf(old, { ...view, clearance: 3 })).toBe('SUPERSEDED');
  expect(await statusOf(old, rows.view({ clearance: 2 }))).toBe('SUPERSEDED');
  expect(await statusOf(old, { ...view, now: NOW + 1 })).toBe('SUPERSEDED');
  const past = { ...view, asOf: { validAt: null, recordedAt: NOW - 1 } };
  expect(await statusOf(old, past)).toBe('SUPERSEDED');
  expect(await statusOf(old, { ...view, asOf: { validAt: null, recordedAt: NOW } })).toBe('ACTIVE');
});

test('reads the old version, standing, just before it was superseded', async () => {
  const old = await rows.page({ project, versions: [{ body: 'the old words', recordedAt: 10 }] });
  const successor = await rows.page({ project, versions: [{ recordedAt: 20 }] });
  await rows.edge({ kind: 'SUPERSEDES', from: successor, to: old, recordedAt: 20 });

  const before = rows.view({ asOf: { validAt: null, recordedAt: 19 } });
  const after = rows.view({ asOf: { validAt: null, recordedAt: 20 } });

  expect(await reader.findMany(before, [old, successor])).toMatchObject([
    { status: 'ACTIVE', body: 'the old words', readAt: { validAt: null, recordedAt: 19 } },
    null,
  ]);
  expect(await statusOf(old, after)).toBe('SUPERSEDED');
});

test('does not call a page superseded in the past by one that was too secret then', async () => {
  const old = await rows.page({ project });
  const successor = await rows.page({
    project,
    versions: [{ sensitivity: 3, recordedTo: 2 }, { sensitivity: 0 }],
  });
  await rows.edge({ kind: 'SUPERSEDES', from: successor, to: old });
  const view = (recordedAt: number) =>
    rows.view({ clearance: 1, asOf: { validAt: null, recordedAt } });

  expect(await statusOf(old, view(1))).toBe('ACTIVE');
  expect(await statusOf(old, view(2))).toBe('SUPERSEDED');
});

test('reads each of two versions that were recorded in one millisecond and the next', async () => {
  const id = await rows.page({
    project,
    versions: [
      { body: 'one', recordedAt: 100, recordedTo: 101 },
      { body: 'two', recordedAt: 101 },
    ],
  });

  expect(await bodyAt(id, { validAt: null, recordedAt: 99 })).toBeNull();
  expect(await bodyAt(id, { validAt: null, recordedAt: 100 })).toBe('one');
  expect(await bodyAt(id, { validAt: null, recordedAt: 101 })).toBe('two');
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 100 })).toBe('one');
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 101 })).toBe('two');
});

test('takes the higher version where two claim the very same instant', async () => {
  const id = await rows.page({
    project,
    versions: [
      { body: 'one', recordedAt: 100, recordedTo: 100 },
      { body: 'two', recordedAt: 100 },
    ],
  });

  expect(await bodyAt(id, { validAt: null, recordedAt: 100 })).toBe('two');
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 100 })).toBe('two');
});

test('gives the right version at each instant when a later valid time was written first', async () => {
  const id = await rows.page({
    project,
    versions: [
      { body: 'summer', validFrom: JUNE, recordedAt: 1 },
      { body: 'spring', validFrom: MARCH, validTo: JUNE, recordedAt: 2 },
    ],
  });

  expect(await bodyAt(id, { validAt: MARCH - 1, recordedAt: 2 })).toBeNull();
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 2 })).toBe('spring');
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 1 })).toBeNull();
  expect(await bodyAt(id, { validAt: JUNE - 1, recordedAt: 2 })).toBe('spring');
  expect(await bodyAt(id, { validAt: JUNE, recordedAt: 2 })).toBe('summer');
});

test('keeps two intervals of one fact apart, with nothing between', async () => {
  const id = await rows.page({
    project,
    versions: [
      { body: 'winter', validFrom: JANUARY, validTo: MARCH, recordedAt: 1 },
      { body: 'June', validFrom: JUNE, validTo: JULY, recordedAt: 2 },
    ],
  });

  expect(await bodyAt(id, { validAt: JANUARY, recordedAt: 2 })).toBe('winter');
  expect(await bodyAt(id, { validAt: MARCH, recordedAt: 2 })).toBeNull();
  expect(await bodyAt(id, { validAt: JUNE, recordedAt: 2 })).toBe('June');
  expect(await bodyAt(id, { validAt: JULY, recordedAt: 2 })).toBeNull();
});

test('calls a page expired in the past when its valid time was over at the instant', async () => {
  const id = await rows.page({ project, versions: [{ validTo: MARCH, recordedAt: JANUARY }] });
  const at = (recordedAt: number) => rows.view({ asOf: { validAt: null, recordedAt } });

  expect(await statusOf(id, at(MARCH - 1))).toBe('ACTIVE');
  expect(await statusOf(id, at(MARCH))).toBe('EXPIRED');
});

test('hides a page whose version of then is too sensitive, and gives no older one', async () => {
  const id = await rows.page({
    project,
    versions: [
      { body: 'open', recordedTo: 2 },
      { body: 'secret', sensitivity: 3, recordedTo: 3 },
      { body: 'open again', sensitivity: 1 },
    ],
  });
  const bodies = [1, 2, 3].map(async (recordedAt) => {
    const view = rows.view({ clearance: 1, asOf: { validAt: null, recordedAt } });
    const [page] = await reader.findMany(view, [id]);
    return page?.body ?? null;
  });

  expect(await Promise.all(bodies)).toEqual(['open', null, 'open again']);
});

test('keeps the past of a page closed that was closed later', async () => {
  const id = await rows.page({ project, versions: [{}, { sensitivity: 3 }] });
  const view = rows.view({ clearance: 1, asOf: { validAt: null, recordedAt: 1 } });

  expect(await reader.findMany(view, [id])).toEqual([null]);
});

test('shows no hints in the past, and archives nothing there', async () => {
  const id = await rows.page({ project, hints: ['What?'], archived: true });
  const view = rows.view({ asOf: { validAt: null, recordedAt: 1 } });

  const [page] = await reader.findMany(view, [id]);

  expect(page).toMatchObject({ hints: [], status: 'ACTIVE' });
});

test('finds nothing among no ids, and asks nothing', async () => {
  const before = database.statements;

  expect(await reader.findMany(rows.view(), [])).toEqual([]);
  expect(await reader.findManyByKey(rows.view(), [])).toEqual([]);
  expect(await reader.listVersions(rows.view(), [])).toEqual([]);
  expect(await reader.evidence(rows.view(), [])).toEqual([]);
  expect(database.statements).toBe(before);
});
