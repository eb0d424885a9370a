import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { PageReader } from '../../src/memory/page-store.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createPageReader } from '../../src/postgres/page-reader.ts';
import { openTestDatabase } from '../support/database.ts';
import { type Rows, rowsOf } from '../support/insert-rows.ts';

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

const NOTHING = { versions: [], hasMore: false, total: 0 };

test('lists the versions of many pages, newest first, in one statement', async () => {
  const long = await rows.page({
    project,
    versions: [
      { recordedTo: 2 },
      { recordedTo: 3 },
      { title: 'Third', body: 'three', validFrom: 7 },
    ],
  });
  const short = await rows.page({ project });
  const before = database.statements;

  const lists = await reader.listVersions(rows.view(), [
    { pageId: short, first: 2, before: null },
    { pageId: long, first: 2, before: null },
    { pageId: randomUUID(), first: 2, before: null },
    { pageId: long, first: 2, before: 2 },
  ]);

  expect(database.statements - before).toBe(1);
  expect(
    lists.map(({ versions, ...rest }) => ({ versions: versions.map((v) => v.version), ...rest })),
  ).toEqual([
    { versions: [1], hasMore: false, total: 1 },
    { versions: [3, 2], hasMore: true, total: 3 },
    NOTHING,
    { versions: [1], hasMore: false, total: 3 },
  ]);
  expect(lists[1]?.versions[0]).toEqual({
    pageId: long,
    version: 3,
    kind: 'NOTE',
    title: 'Third',
    body: 'three',
    sensitivity: 'PUBLIC',
    validFrom: 7,
    validTo: null,
    recordedAt: 3,
    recordedTo: null,
  });
  expect(lists[1]?.versions[1]).toMatchObject({ validFrom: null, recordedTo: 3 });
});

test('has nothing before the first version, and keeps the total', async () => {
  const id = await rows.page({ project });

  const [list] = await reader.listVersions(rows.view(), [{ pageId: id, first: 5, before: 1 }]);

  expect(list).toEqual({ versions: [], hasMore: false, total: 1 });
});

test('lists two versions of the same instant in the order of their numbers', async () => {
  const versions = [{ recordedAt: 5, recordedTo: 5 }, { recordedAt: 5 }];
  const id = await rows.page({ project, versions });

  const [list] = await reader.listVersions(rows.view(), [{ pageId: id, first: 5, before: null }]);

  expect(list?.versions.map(({ version }) => version)).toEqual([2, 1]);
});

test('leaves versions above the clearance out of list, total and more', async () => {
  const id = await rows.page({
    project,
    versions: [{ sensitivity: 3 }, { sensitivity: 1 }, { sensitivity: 2 }, { sensitivity: 0 }],
  });
  const view = rows.view({ clearance: 1 });

  const [list] = await reader.listVersions(view, [{ pageId: id, first: 2, before: null }]);

  expect(list?.versions.map(({ version }) => version)).toEqual([4, 2]);
  expect(list).toMatchObject({ hasMore: false, total: 2 });
});

test('shows the current version whenever the page itself is shown', async () => {
  const id = await rows.page({ project, sensitivity: 0, versions: [{ sensitivity: 3 }] });
  const view = rows.view({ clearance: 1 });
  const asked = [{ pageId: id, first: 2, before: null }];

  expect(await reader.listVersions(view, asked)).toMatchObject([{ total: 1 }]);
  const past = { ...view, asOf: { validAt: null, recordedAt: 9 } };
  expect(await reader.listVersions(past, asked)).toEqual([NOTHING]);
});

test('has no history of a page that the view does not see', async () => {
  const hidden = await rows.project();
  const secret = await rows.page({ project, sensitivity: 3, versions: [{}, {}] });
  const elsewhere = await rows.page({ project: hidden, versions: [{}, {}] });
  const view = rows.view({ projectIds: [project], clearance: 2 });
  const asked = [secret, elsewhere].map((pageId) => ({ pageId, first: 5, before: null }));

  expect(await reader.listVersions(view, asked)).toEqual([NOTHING, NOTHING]);
  const stranger = rowsOf(database).view({ projectIds: [project, hidden] });
  expect(await reader.listVersions(stranger, asked)).toEqual([NOTHING, NOTHING]);
});

test('has no history of a page whose version of then is hidden', async () => {
  const id = await rows.page({ project, versions: [{}, { sensitivity: 3 }, {}] });
  const view = rows.view({ clearance: 1, asOf: { validAt: null, recordedAt: 2 } });

  const lists = await reader.listVersions(view, [{ pageId: id, first: 5, before: null }]);

  expect(lists).toEqual([NOTHING]);
});

test('lists the past as it was known then', async () => {
  const id = await rows.page({ project, versions: [{ recordedTo: 3 }, { validFrom: 9 }, {}] });
  const view = rows.view({ asOf: { validAt: null, recordedAt: 2 } });

  const [list] = await reader.listVersions(view, [{ pageId: id, first: 5, before: null }]);

  expect(list?.versions).toMatchObject([
    { version: 2, recordedTo: null },
    { version: 1, recordedTo: null },
  ]);
  expect(list?.total).toBe(2);
});
