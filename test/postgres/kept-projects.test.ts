import { v7 as newId } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Project } from '../../src/memory/page.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { keepProjects } from '../../src/postgres/embedded/kept-projects.ts';
import { createProjectStore } from '../../src/postgres/project-store.ts';
import { openTestDatabase } from '../support/database.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});

afterAll(() => database.close());

const named = (name: string): Project => ({ id: newId(), name, description: '', createdAt: 0 });
const namesOf = (projects: readonly Project[]) => projects.map(({ name }) => name);

test('asks once for a list, and again after a project was made', async () => {
  const store = keepProjects(createProjectStore(database));
  await store.create('one', named('a'));
  const before = database.statements;

  const lists = [await store.list('one', 'ALL'), await store.list('one', 'ALL')];
  const asked = database.statements - before;
  await store.create('one', named('b'));

  expect(lists.map(namesOf)).toEqual([['a'], ['a']]);
  expect(asked).toBe(1);
  expect(namesOf(await store.list('one', 'ALL'))).toEqual(['a', 'b']);
});

test('keeps tenants and choices of names apart', async () => {
  const store = keepProjects(createProjectStore(database));
  await store.create('two', named('a'));
  await store.create('three', named('c'));

  expect(namesOf(await store.list('two', 'ALL'))).toEqual(['a']);
  expect(namesOf(await store.list('two', ['c']))).toEqual([]);
  expect(namesOf(await store.list('three', ['c']))).toEqual(['c']);
});

test('forgets a list that was asked for while a project was being made', async () => {
  const store = keepProjects(createProjectStore(database));

  const [, early] = await Promise.all([
    store.create('four', named('a')),
    store.list('four', 'ALL').then(namesOf),
  ]);

  expect(early.length).toBeLessThanOrEqual(1);
  expect(namesOf(await store.list('four', 'ALL'))).toEqual(['a']);
});

test('asks again after a list that failed', async () => {
  const real = createProjectStore(database);
  let isAway = true;
  const store = keepProjects({
    ...real,
    list: (...request) => (isAway ? Promise.reject(new Error('away')) : real.list(...request)),
  });

  await expect(store.list('five', 'ALL')).rejects.toThrow('away');
  isAway = false;

  expect(await store.list('five', 'ALL')).toEqual([]);
});
