import { expect, test } from 'vitest';
import { toProjectCursor } from '../../src/memory/cursor.ts';
import { listProjects } from '../../src/memory/list-projects.ts';
import {
  findProject,
  findProjectIds,
  toReadableProjects,
} from '../../src/memory/readable-projects.ts';

const NAMES = ['B', 'a', 'b', '\u00e9', '\u{1f600}'];
const READABLE = toReadableProjects(
  NAMES.map((name) => ({ id: `id of ${name}`, name, description: '', createdAt: 0 })),
);

test('goes on after each cursor until every project came once', () => {
  const seen: string[] = [];
  let after: string | null = null;

  for (let more = true; more; ) {
    const list = listProjects(READABLE, { first: 2, after });
    seen.push(...list.entries.map(({ node }) => node.name));
    expect(list.isFirst).toBe(after === null);
    expect(list.total).toBe(NAMES.length);
    after = list.entries.at(-1)?.cursor ?? null;
    more = list.hasMore;
  }

  expect(seen).toEqual(NAMES);
});

test('goes on after the place of a project that is gone', () => {
  const list = listProjects(READABLE, { first: null, after: toProjectCursor('aa') });

  expect(list.entries.map(({ node }) => node.name)).toEqual(['b', '\u00e9', '\u{1f600}']);
});

test.each([
  [0, 'INVALID_INPUT'],
  [1.5, 'INVALID_INPUT'],
  [1_001, 'LIMIT_EXCEEDED'],
])('refuses a first of %d', (first, code) => {
  expect(() => listProjects(READABLE, { first, after: null })).toThrow(
    expect.objectContaining({ code, field: 'first' }),
  );
});

test('finds a project by its exact name alone', () => {
  expect(findProject(READABLE, 'b', 'project')?.id).toBe('id of b');
  expect(findProject(READABLE, '%', 'project')).toBeNull();
  expect(findProject(READABLE, '__proto__', 'project')).toBeNull();
  expect(() => findProject(READABLE, '', 'project')).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'project' }),
  );
});

test('names the first project that is not there', () => {
  const find = (names: readonly string[]) =>
    findProjectIds(READABLE, names, (index) => `filter.projects.${index}`);

  expect(find(['b', 'B'])).toEqual(['id of b', 'id of B']);
  expect(() => find(['b', 'nope'])).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', field: 'filter.projects.1' }),
  );
});
