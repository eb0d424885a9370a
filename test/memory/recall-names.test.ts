import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, newProject, pathsOf } from '../support/recall.ts';
import { seedPages } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

/** A long page that has a name once, in the middle, among words about something else. */
const inPassing = (name: string) =>
  `${'We met on the harbour and spoke of ships. '.repeat(60)}See ${name} for it. ${'Then the wind turned and we went home. '.repeat(60)}`;

/** Cases 2 and 6: the text of a query, and what looks like it to whoever cuts it in pieces. */
const NAMES = [
  ['ADR-016', ['ADR 016', 'ADR 16 and 016 of the ADR', 'adr', 'ADR-017 ADR-160 ADR 016']],
  ['POL-358', ['POL 358', '358 pol', 'POL-359']],
  ['pre-edit', ['edit pre', 'pre edit', 'edit', 'pre', 'pre-commit edit']],
  ['.Net', ['net', 'net net net', 'the Net']],
  ['C++', ['c', 'C', 'C C C', 'c-']],
  ['C#', ['c', 'C++', 'c c']],
  ['/b testing', ['b testing', 'testing b', 'testing']],
  ['causes/solutions', ['causes solutions', 'solutions of causes', 'causes, solutions']],
  ['c:\\temp\\x', ['c temp x', 'temp x', 'x in c temp']],
  ['v1.2.3', ['v1 2 3', '1 2 3', 'v1.2.4', 'v 1.2 3']],
  ['foo_bar', ['foo bar', 'bar foo', 'foo-bar']],
  ['fooBar', ['foo bar', 'bar foo foo bar']],
  ['docs/ADR-016.md', ['docs ADR 016 md', 'docs/ADR-017.md', 'md docs adr']],
] as const;

describe.each([
  ['in a short page', (name: string) => `Look at ${name} first.`],
  ['in passing, in a long page', inPassing],
])('a name that stands %s', (_where, says) => {
  test.each(NAMES)('%s comes before all that only looks like it', async (name, lookAlikes) => {
    const { project, filter } = await newProject(stores);
    const decoys = lookAlikes.flatMap((text, index) => [
      [`a/once-${index}`, { title: text, body: text }],
      [`a/often-${index}`, { title: text, body: `${text}. `.repeat(9) }],
    ]);
    await seedPages(stores, project, {
      ...Object.fromEntries(decoys),
      'z/named': { title: 'Notes', body: says(name) },
    });

    const answer = await ask(stores, name, { filter, limit: 50 });

    expect(pathsOf(answer)[0]).toBe('z/named');
    expect(answer.hits.length).toBeGreaterThan(lookAlikes.length);
  });
});

test('a name that no page has finds its parts as well as they would be found alone', async () => {
  const { project, filter } = await newProject(stores);
  await seedPages(stores, project, { parts: 'the adr about 016', other: 'a lone otter' });

  const [named, apart] = await Promise.all([
    ask(stores, 'ADR-016', { filter }),
    ask(stores, 'ADR 016', { filter }),
  ]);

  expect(pathsOf(named)[0]).toBe('parts');
  expect(named.hits[0]?.explain.keyword?.score).toBe(apart.hits[0]?.explain.keyword?.score);
});
