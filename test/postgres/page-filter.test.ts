import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PageFilter, PageReader } from '../../src/memory/page-store.ts';
import type { View } from '../../src/memory/view.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { filterPages } from '../../src/postgres/page-filter.ts';
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

/** Paths that pass, ascending; a filter means the same to a list and to a count. */
async function passing(view: View, filter: PageFilter): Promise<string[]> {
  const { pages } = await reader.list(view, {
    filter,
    order: { field: 'PATH', direction: 'ASC' },
    first: 100,
    after: null,
  });
  expect(await reader.count(view, filter)).toBe(pages.length);
  return pages.map(({ path }) => path);
}

/** The same rows read in the present and in the past; most conditions mean the same to both. */
describe.each([
  ['in the present', null],
  ['in the past', { validAt: null, recordedAt: NOW }],
  ['in the past at a valid time', { validAt: 5, recordedAt: NOW }],
])('%s', (_when, asOf) => {
  test('lets everything through that is not restricted', async () => {
    await rows.page({ project, path: 'a' });
    await rows.page({ project, path: 'b' });

    expect(await passing(rows.view({ asOf }), {})).toEqual(['a', 'b']);
  });

  test('keeps to projects that both view and filter name', async () => {
    const second = await rows.project();
    const hidden = await rows.project();
    await rows.page({ project, path: 'first' });
    await rows.page({ project: second, path: 'second' });
    await rows.page({ project: hidden, path: 'hidden' });
    const view = rows.view({ asOf, projectIds: [project, second] });

    expect(await passing(view, { projectIds: [second] })).toEqual(['second']);
    expect(await passing(view, { projectIds: [hidden, second] })).toEqual(['second']);
    expect(await passing(view, { projectIds: [hidden] })).toEqual([]);
    expect(await passing(view, { projectIds: [] })).toEqual([]);
  });

  test('keeps to kinds, and to none when none is named', async () => {
    await rows.page({ project, path: 'fact', versions: [{ kind: 'FACT' }] });
    await rows.page({ project, path: 'rule', versions: [{ kind: 'RULE' }] });
    await rows.page({ project, path: 'note' });
    const view = rows.view({ asOf });

    expect(await passing(view, { kinds: ['FACT', 'RULE'] })).toEqual(['fact', 'rule']);
    expect(await passing(view, { kinds: [] })).toEqual([]);
  });

  test('asks for every tag, exactly', async () => {
    await rows.page({ project, path: 'both', tags: ['a', 'b'] });
    await rows.page({ project, path: 'one', tags: ['a', 'B', 'b c', '{b}', 'b"'] });
    const view = rows.view({ asOf });

    expect(await passing(view, { tags: ['b', 'a'] })).toEqual(['both']);
    expect(await passing(view, { tags: ['a'] })).toEqual(['both', 'one']);
    expect(await passing(view, { tags: ['{b}', 'b"', 'b c'] })).toEqual(['one']);
    expect(await passing(view, { tags: [] })).toEqual(['both', 'one']);
  });

  test('asks for attributes that contain an object', async () => {
    await rows.page({ project, path: 'deep', attributes: { a: { b: 1, c: [1, 2] }, d: null } });
    await rows.page({ project, path: 'flat', attributes: { a: 1 } });
    const view = rows.view({ asOf });

    expect(await passing(view, { attributes: { a: { c: [2] } } })).toEqual(['deep']);
    expect(await passing(view, { attributes: { d: null } })).toEqual(['deep']);
    expect(await passing(view, { attributes: { a: '1' } })).toEqual([]);
    expect(await passing(view, { attributes: {} })).toEqual(['deep', 'flat']);
  });

  test('includes and excludes by id', async () => {
    const a = await rows.page({ project, path: 'a' });
    const b = await rows.page({ project, path: 'b' });
    await rows.page({ project, path: 'c' });
    const view = rows.view({ asOf });

    expect(await passing(view, { includeIds: [a, b, randomUUID()] })).toEqual(['a', 'b']);
    expect(await passing(view, { includeIds: [] })).toEqual([]);
    expect(await passing(view, { excludeIds: [b] })).toEqual(['a', 'c']);
    expect(await passing(view, { excludeIds: [] })).toEqual(['a', 'b', 'c']);
    expect(await passing(view, { includeIds: [a, b], excludeIds: [b] })).toEqual(['a']);
  });

  test('narrows the clearance by a ceiling and never widens it', async () => {
    await rows.page({ project, path: '0', versions: [{ sensitivity: 0 }] });
    await rows.page({ project, path: '1', versions: [{ sensitivity: 1 }] });
    await rows.page({ project, path: '2', versions: [{ sensitivity: 2 }] });
    const view = rows.view({ asOf, clearance: 1 });

    expect(await passing(view, { sensitivityCeiling: 0 })).toEqual(['0']);
    expect(await passing(view, { sensitivityCeiling: 3 })).toEqual(['0', '1']);
  });

  test('takes the path itself and what is under it, with no wildcards', async () => {
    for (const path of [
      'my_notes',
      'my_notes/a',
      'my_notes2',
      'myxnotes',
      'myxnotes/a',
      'MY_NOTES/a',
    ]) {
      await rows.page({ project, path });
    }
    const view = rows.view({ asOf });

    expect(await passing(view, { pathPrefix: 'my_notes' })).toEqual(['my_notes', 'my_notes/a']);
    expect(await passing(view, { pathPrefix: '%' })).toEqual([]);
    expect(await passing(view, { pathPrefix: 'my' })).toEqual([]);
  });

  test('leaves out superseded pages by what the view sees, not by what the filter lets through', async () => {
    const second = await rows.project();
    const hidden = await rows.project();
    const replaced = await rows.page({ project, path: 'replaced' });
    const standing = await rows.page({ project, path: 'standing' });
    const successor = await rows.page({ project: second, path: 'successor' });
    const secret = await rows.page({ project: hidden, path: 'secret' });
    await rows.edge({ kind: 'SUPERSEDES', from: successor, to: replaced });
    await rows.edge({ kind: 'SUPERSEDES', from: secret, to: standing });
    const view = rows.view({ asOf, projectIds: [project, second] });

    const filter = { projectIds: [project], excludeSuperseded: true };
    expect(await passing(view, filter)).toEqual(['standing']);
    expect(await passing(view, { projectIds: [project] })).toEqual(['replaced', 'standing']);
  });

  test('keeps to pages about subjects: themselves, and those that an active edge joins to one', async () => {
    const subject = await rows.page({ project, path: 'subject' });
    const fix = await rows.page({ project, path: 'fix' });
    const effect = await rows.page({ project, path: 'effect' });
    const beyond = await rows.page({ project, path: 'beyond' });
    const former = await rows.page({ project, path: 'former' });
    const other = await rows.page({ project, path: 'other' });
    await rows.edge({ kind: 'FIXES', from: fix, to: subject });
    await rows.edge({ kind: 'REFERENCES', from: subject, to: effect });
    await rows.edge({ kind: 'CAUSES', from: effect, to: beyond });
    await rows.edge({ kind: 'FIXES', from: former, to: subject, recordedTo: NOW - 1 });
    const view = rows.view({ asOf });

    expect(await passing(view, { subjects: [subject] })).toEqual(['effect', 'fix', 'subject']);
    expect(await passing(view, { subjects: [other, beyond, randomUUID()] })).toEqual([
      'beyond',
      'effect',
      'other',
    ]);
    expect(await passing(view, { subjects: [] })).toEqual([]);
  });

  test('takes a subject that the view does not see for none', async () => {
    const hidden = await rows.project();
    const secret = await rows.page({ project: hidden, path: 'secret' });
    const restricted = await rows.page({
      project,
      path: 'restricted',
      versions: [{ sensitivity: 3 }],
    });
    const page = await rows.page({ project, path: 'page' });
    await rows.edge({ kind: 'REFERENCES', from: page, to: secret });
    await rows.edge({ kind: 'REFERENCES', from: page, to: restricted });
    const view = rows.view({ asOf, projectIds: [project], clearance: 2 });

    expect(await passing(view, { subjects: [secret, restricted] })).toEqual([]);
  });

  test('joins all conditions', async () => {
    await rows.page({ project, path: 'x/yes', tags: ['t'], versions: [{ kind: 'FACT' }] });
    await rows.page({ project, path: 'x/no-tag', versions: [{ kind: 'FACT' }] });
    await rows.page({ project, path: 'x/no-kind', tags: ['t'] });
    await rows.page({ project, path: 'y/no-path', tags: ['t'], versions: [{ kind: 'FACT' }] });
    const view = rows.view({ asOf });

    const filter: PageFilter = { tags: ['t'], kinds: ['FACT'], pathPrefix: 'x' };
    expect(await passing(view, filter)).toEqual(['x/yes']);
  });
});

test('leaves out archived pages in the present alone', async () => {
  await rows.page({ project, path: 'archived', archived: true });
  await rows.page({ project, path: 'kept' });
  const past = rows.view({ asOf: { validAt: null, recordedAt: NOW } });

  expect(await passing(rows.view(), { excludeArchived: true })).toEqual(['kept']);
  expect(await passing(past, { excludeArchived: true })).toEqual(['archived', 'kept']);
});

test('asks the kind and the sensitivity of the version that the past sees', async () => {
  await rows.page({
    project,
    path: 'changed',
    versions: [{ kind: 'FACT', sensitivity: 1, recordedTo: 2 }, { kind: 'RULE' }],
  });
  const past = rows.view({ asOf: { validAt: null, recordedAt: 1 } });

  expect(await passing(past, { kinds: ['FACT'] })).toEqual(['changed']);
  expect(await passing(past, { kinds: ['RULE'] })).toEqual([]);
  expect(await passing(past, { sensitivityCeiling: 0 })).toEqual([]);
  expect(await passing(rows.view(), { kinds: ['RULE'] })).toEqual(['changed']);
  expect(await passing(rows.view(), { sensitivityCeiling: 0 })).toEqual(['changed']);
});

test('reads pages by their id through the primary key, whatever else may be asked', async () => {
  await database.query({
    text: `
      insert into page (tenant, id, project_id, path, created_at, version, kind, title, sensitivity,
        importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived, keyword,
        keyword_length)
      select $1, gen_random_uuid(), $2, 'bulk/' || i, 0, 1, 'NOTE', '', 0, 5, '{}', '{}', '{}',
        -62135596800000, 253402300800000, 0, false, '', 0
      from generate_series(1, 3000) i
    `,
    values: [rows.tenant, project],
  });
  await database.query({ text: 'analyze page' });

  const { pages, condition, values } = filterPages(rows.view(), {
    includeIds: [randomUUID(), randomUUID()],
  });
  const plan = await database.query<{ 'QUERY PLAN': string }>({
    text: `explain select p.id from ${pages} where ${condition}`,
    values,
  });

  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('page_pkey');
  expect(text).not.toContain('Seq Scan');
});
