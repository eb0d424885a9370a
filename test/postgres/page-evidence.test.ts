import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
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

const NOTHING = {
  count: 0,
  countsSince: null,
  distinctSessions: 0,
  newestAt: null,
  unresolvedContradictions: 0,
};

async function disputesOf(id: string, view: View): Promise<number | undefined> {
  const [summary] = await reader.evidence(view, [id]);
  return summary?.unresolvedContradictions;
}

test('counts rows and sessions of many pages, in the order asked, in one statement', async () => {
  const known = await rows.page({ project });
  const bare = await rows.page({ project });
  await rows.evidence(known, 'SESSION', 'one', 10);
  await rows.evidence(known, 'SESSION', 'two', 30);
  await rows.evidence(known, 'RECONSOLIDATION', 'one', 20);
  const before = database.statements;

  const summaries = await reader.evidence(rows.view(), [bare, known, randomUUID(), known]);

  const counted = {
    count: 3,
    countsSince: null,
    distinctSessions: 2,
    newestAt: 30,
    unresolvedContradictions: 0,
  };
  expect(summaries).toEqual([NOTHING, counted, NOTHING, counted]);
  expect(database.statements - before).toBe(1);
});

test('counts in the past what was there then', async () => {
  const id = await rows.page({ project });
  await rows.evidence(id, 'SESSION', 'one', 10);
  await rows.evidence(id, 'SESSION', 'two', 30);

  const view = rows.view({ asOf: { validAt: null, recordedAt: 29 } });

  expect(await reader.evidence(view, [id])).toEqual([
    { count: 1, countsSince: null, distinctSessions: 1, newestAt: 10, unresolvedContradictions: 0 },
  ]);
});

test('tells nothing of a page that the view does not see', async () => {
  const id = await rows.page({ project, versions: [{ sensitivity: 2 }] });
  await rows.evidence(id, 'SESSION', 'one', 10);

  const past = { validAt: null, recordedAt: NOW };

  expect(await reader.evidence(rows.view({ clearance: 1 }), [id])).toEqual([NOTHING]);
  expect(await reader.evidence(rows.view({ clearance: 1, asOf: past }), [id])).toEqual([NOTHING]);
  expect(await reader.evidence(rows.view({ projectIds: [] }), [id])).toEqual([NOTHING]);
});

test('counts unresolved contradictions by challengers that are seen and current', async () => {
  const hidden = await rows.project();
  const challenged = await rows.page({ project });
  const challenge = async (page: string, changes = {}) =>
    rows.edge({ kind: 'CONTRADICTS', from: page, to: challenged, ...changes });
  const replaced = await rows.page({ project });
  await challenge(await rows.page({ project }));
  await challenge(await rows.page({ project, versions: [{ sensitivity: 3 }] }));
  await challenge(await rows.page({ project: hidden }));
  await challenge(await rows.page({ project, archived: true }));
  await challenge(await rows.page({ project }), { resolution: 'DISMISSED' });
  await challenge(await rows.page({ project }), { recordedTo: 5 });
  await challenge(await rows.page({ project }), { validFrom: NOW + 1 });
  await challenge(replaced);
  await rows.edge({ kind: 'SUPERSEDES', from: await rows.page({ project }), to: replaced });
  const view = rows.view({ projectIds: [project], clearance: 2 });

  expect(await disputesOf(challenged, view)).toBe(1);
  expect(await disputesOf(challenged, { ...view, clearance: 3 })).toBe(2);
});

test('counts only what points at the page, and only contradictions', async () => {
  const page = await rows.page({ project });
  const other = await rows.page({ project });
  await rows.edge({ kind: 'CONTRADICTS', from: page, to: other });
  await rows.edge({ kind: 'FIXES', from: other, to: page });

  expect(await disputesOf(page, rows.view())).toBe(0);
  expect(await disputesOf(other, rows.view())).toBe(1);
});

test('counts in the past a contradiction that was resolved only later', async () => {
  const challenger = await rows.page({ project });
  const challenged = await rows.page({ project });
  await rows.edge({
    kind: 'CONTRADICTS',
    from: challenger,
    to: challenged,
    recordedAt: 10,
    resolution: 'DISMISSED',
    resolvedAt: 20,
  });
  const at = (recordedAt: number) => rows.view({ asOf: { validAt: null, recordedAt } });

  expect(await disputesOf(challenged, at(9))).toBe(0);
  expect(await disputesOf(challenged, at(19))).toBe(1);
  expect(await disputesOf(challenged, at(20))).toBe(0);
  expect(await disputesOf(challenged, rows.view())).toBe(0);
});

test('counts in the past a challenger that was replaced only later', async () => {
  const challenger = await rows.page({ project });
  const challenged = await rows.page({ project });
  const successor = await rows.page({ project });
  await rows.edge({ kind: 'CONTRADICTS', from: challenger, to: challenged });
  await rows.edge({ kind: 'SUPERSEDES', from: successor, to: challenger, recordedAt: 20 });
  const at = (recordedAt: number) => rows.view({ asOf: { validAt: null, recordedAt } });

  expect(await disputesOf(challenged, at(19))).toBe(1);
  expect(await disputesOf(challenged, at(20))).toBe(0);
  expect(await disputesOf(challenged, rows.view())).toBe(0);
});

test('lists evidence newest first, step by step, as many pages as are asked in one statement', async () => {
  const id = await rows.page({ project });
  const other = await rows.page({ project });
  for (const [kind, source, at] of [
    ['SESSION', 'b', 10],
    ['SESSION', 'a', 10],
    ['FEEDBACK', 'z', 10],
    ['OBSERVATION', 'c', 30],
  ] as const) {
    await rows.evidence(id, kind, source, at);
  }
  await rows.evidence(other, 'SESSION', 'a', 5);
  const before = database.statements;

  const [first, ofOther, ofNone] = await reader.listEvidence(rows.view(), [
    { pageId: id, first: 2, after: null },
    { pageId: other, first: 2, after: null },
    { pageId: randomUUID(), first: 2, after: null },
  ]);
  const [rest] = await reader.listEvidence(rows.view(), [
    { pageId: id, first: 2, after: first?.evidence.at(-1) ?? null },
  ]);

  expect(database.statements - before).toBe(2);
  const listed = [...(first?.evidence ?? []), ...(rest?.evidence ?? [])];
  expect(listed.map(({ sourceKind, sourceId }) => `${sourceKind} ${sourceId}`)).toEqual([
    'OBSERVATION c',
    'FEEDBACK z',
    'SESSION a',
    'SESSION b',
  ]);
  expect([first?.hasMore, rest?.hasMore]).toEqual([true, false]);
  expect(ofOther).toEqual({
    evidence: [{ pageId: other, sourceKind: 'SESSION', sourceId: 'a', createdAt: 5, counts: true }],
    hasMore: false,
    total: 1,
  });
  expect(ofNone).toEqual({ evidence: [], hasMore: false, total: 0 });
  expect([first?.total, rest?.total]).toEqual([4, 4]);
});

test('lists in the past what was there then, and nothing of a page that is not seen', async () => {
  const id = await rows.page({ project });
  const secret = await rows.page({ project, versions: [{ sensitivity: 3 }] });
  await rows.evidence(id, 'SESSION', 'one', 10);
  await rows.evidence(id, 'SESSION', 'two', 30);
  await rows.evidence(secret, 'SESSION', 'one', 10);
  const requests = [id, secret].map((pageId) => ({ pageId, first: 5, after: null }));
  const asOf = { validAt: null, recordedAt: 29 };

  const lists = await reader.listEvidence(rows.view({ asOf, clearance: 1 }), requests);

  expect(lists.map(({ evidence }) => evidence.map(({ sourceId }) => sourceId))).toEqual([
    ['one'],
    [],
  ]);
});

test('reads evidence in the order of its index, however much a page has', async () => {
  const id = await rows.page({ project });
  await database.query({
    text: `insert into evidence
      select $1, $2, 'RECONSOLIDATION', i::text, i from generate_series(1, 5000) as i`,
    values: [rows.tenant, id],
  });
  await database.query({ text: 'analyze evidence' });

  const plan = await database.query<object>({
    text: `explain select from evidence b
      where b.tenant = '${rows.tenant}' and b.page_id = '${id}' and b.created_at <= 4000
      order by b.created_at desc, b.source_kind, b.source_id limit 20`,
  });

  const text = JSON.stringify(plan);
  expect(text).toContain('evidence_by_time');
  expect(text).not.toContain('Sort');
});
