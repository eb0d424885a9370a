import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  parsePageCursor,
  parseProjectCursor,
  parseVersionCursor,
  toPageCursor,
  toProjectCursor,
  toVersionCursor,
} from '../../src/memory/cursor.ts';
import type { Edge } from '../../src/memory/edge.ts';
import { type EdgeListScope, parseEdgeCursor, toEdgeCursor } from '../../src/memory/edge-cursor.ts';
import type { Page } from '../../src/memory/page.ts';
import type { PageOrder } from '../../src/memory/page-store.ts';

const ID = '019a2b3c-0000-7000-8000-000000000001';
const PAGE: Page = {
  id: ID,
  projectId: '019a2b3c-0000-7000-8000-000000000002',
  path: 'notes/café',
  version: 3,
  kind: 'NOTE',
  title: 'A "title" \u{1f600}',
  body: '',
  tags: [],
  attributes: {},
  sensitivity: 'PUBLIC',
  importance: 7,
  hints: [],
  status: 'ACTIVE',
  validFrom: null,
  validTo: null,
  recordedAt: 1_700_000_000_123,
  feedback: { useful: 0, notUseful: 0, wrong: 0 },
  createdAt: -5,
  readAt: null,
};
const BY_PATH: PageOrder = { field: 'PATH', direction: 'ASC' };

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

test.each([
  ['PATH', PAGE.path],
  ['TITLE', PAGE.title],
  ['RECORDED_AT', PAGE.recordedAt],
  ['CREATED_AT', PAGE.createdAt],
  ['IMPORTANCE', PAGE.importance],
] as const)('gives back the place of a page by %s', (field, value) => {
  const order: PageOrder = { field, direction: 'DESC' };

  expect(parsePageCursor(toPageCursor(PAGE, order), order)).toEqual({ value, id: ID });
});

test('gives back any title', () => {
  const order: PageOrder = { field: 'TITLE', direction: 'ASC' };

  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const title = text.replaceAll('\0', '');
      const cursor = toPageCursor({ ...PAGE, title }, order);

      expect(cursor).toMatch(/^[\w-]+$/u);
      expect(parsePageCursor(cursor, order)).toEqual({ value: title, id: ID });
    }),
  );
});

test.each([
  ['another field', { field: 'TITLE', direction: 'ASC' }],
  ['the other direction', { field: 'PATH', direction: 'DESC' }],
] as const)('refuses a cursor of a list by %s', (_what, order) => {
  const cursor = toPageCursor(PAGE, BY_PATH);

  expect(() => parsePageCursor(cursor, order)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' }),
  );
});

test.each([
  ['an empty text', ''],
  ['no base64url', 'not a cursor!'],
  ['a cursor with something after it', `${toPageCursor(PAGE, BY_PATH)}!`],
  ['a cursor that was cut', toPageCursor(PAGE, BY_PATH).slice(0, -4)],
  ['another version', encode(['p2', 'PATH', 'ASC', 'a', ID])],
  ['a cursor of edges', encode(['e1', false, 5, ID])],
  ['a number for a path', encode(['p1', 'PATH', 'ASC', 5, ID])],
  ['an id that is none', encode(['p1', 'PATH', 'ASC', 'a', "' or true --"])],
  ['one entry too many', encode(['p1', 'PATH', 'ASC', 'a', ID, 0])],
  ['NUL', encode(['p1', 'PATH', 'ASC', 'a\0', ID])],
  ['half a pair', encode(['p1', 'PATH', 'ASC', '\ud800', ID])],
  ['null', encode(null)],
  ['an object', encode({ length: 5 })],
])('refuses %s', (_what, cursor) => {
  expect(() => parsePageCursor(cursor, BY_PATH)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' }),
  );
});

test('refuses a text or a broken number where a time belongs', () => {
  const order: PageOrder = { field: 'RECORDED_AT', direction: 'ASC' };

  for (const value of ['5', 1.5, 1e300]) {
    const cursor = encode(['p1', 'RECORDED_AT', 'ASC', value, ID]);
    expect(() => parsePageCursor(cursor, order)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' }),
    );
  }
});

test('gives back any version', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), (version) => {
      expect(parseVersionCursor(toVersionCursor(version, ID), ID)).toBe(version);
    }),
  );
});

test.each([
  ['with something after it', `${toVersionCursor(3, ID)}!`],
  ['of a list of pages', toPageCursor(PAGE, BY_PATH)],
  ['of version 0', encode(['v2', ID, 0])],
  ['beyond what a version can be', encode(['v2', ID, 2 ** 31])],
  ['of another page', toVersionCursor(3, PAGE.projectId)],
  ['empty', ''],
])('refuses a cursor of a history %s', (_, cursor) => {
  expect(() => parseVersionCursor(cursor, ID)).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' }),
  );
});

const EDGE: Edge = {
  id: ID,
  kind: 'REFERENCES',
  fromId: PAGE.id,
  toId: PAGE.projectId,
  note: null,
  validFrom: null,
  validTo: null,
  recordedAt: 5,
  retractedAt: null,
  at: 5,
  resolution: null,
  resolvedBy: null,
  resolvedAt: null,
  resolutionNote: null,
};

const LIST: EdgeListScope = { pageId: ID, kinds: ['CAUSES', 'REFERENCES'], direction: 'OUT' };

test.each<[string, Partial<EdgeListScope>]>([
  ['of another page', { pageId: PAGE.projectId }],
  ['of other kinds', { kinds: ['CAUSES'] }],
  ['the other way round', { direction: 'IN' }],
  ['of both directions', { direction: 'BOTH' }],
])('refuses a cursor of edges %s, and says so', (_what, other) => {
  const cursor = toEdgeCursor(EDGE, { ...LIST, ...other });

  expect(() => parseEdgeCursor(cursor, LIST)).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      field: 'after',
      expected: 'a cursor of this connection: of the same page, kinds and direction',
    }),
  );
});

test('takes a cursor of edges whose kinds were named in another order, or twice', () => {
  const cursor = toEdgeCursor(EDGE, { ...LIST, kinds: ['REFERENCES', 'CAUSES', 'REFERENCES'] });

  expect(parseEdgeCursor(cursor, LIST)).toEqual({ bare: true, at: 5, id: ID });
});

test('gives back the place of an edge, and of a project', () => {
  expect(parseEdgeCursor(toEdgeCursor(EDGE, LIST), LIST)).toEqual({ bare: true, at: 5, id: ID });
  expect(parseProjectCursor(toProjectCursor('café: "x"'))).toBe('café: "x"');
});

test.each([
  ['with something after it', (cursor: string) => `${cursor}!`],
  ['with a space in it', (cursor: string) => `${cursor.slice(0, 4)} ${cursor.slice(4)}`],
  ['that was cut', (cursor: string) => cursor.slice(0, -3)],
  ['in the other alphabet of base64', () => Buffer.from('["n1","ÿþ"]').toString('base64')],
  ['that is empty', () => ''],
])('refuses a cursor of edges or of projects %s', (_what, spoil) => {
  const refusal = expect.objectContaining({ code: 'INVALID_INPUT', field: 'after' });

  expect(() => parseEdgeCursor(spoil(toEdgeCursor(EDGE, LIST)), LIST)).toThrow(refusal);
  expect(() => parseProjectCursor(spoil(toProjectCursor('notes')))).toThrow(refusal);
});
