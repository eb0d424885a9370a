import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { ask, pathsOf } from '../support/recall.ts';
import { seedPages, seedProject } from '../support/seed.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
  const project = await seedProject(stores, 'notes');
  await seedPages(stores, project, {
    muscles: 'Training the abs and other muscles.',
    team: 'team:foobar owns the billing pages.',
    access: 'Only auth|admin may enter.',
    'adr-016': 'ADR-016 says that we use queues.',
    'adr-017': 'ADR-017 says that we use topics.',
    'pol-358': 'POL-358 forbids pre-edit hooks.',
    gateway: 'The gateway runs tasks on a schedule.',
    boards: 'Use /b testing for boards.',
    causes: 'A list of causes/solutions.',
    dotnet: 'We moved from .Net to C++ last year.',
    windows: 'Logs are under c:\\temp\\x on that machine.',
    release: 'v1.2.3 fixed foo_bar and fooBaz.',
    darwin: '即适者生存',
    trading: '他们设置了止损和目标价',
    coffee: 'The Café is closed.',
    savings: 'Uma retenção estável.',
    user: 'The user has a bicycle.',
  });
});
afterAll(() => database.close());

test.each([
  ["'abs", 'muscles'],
  ['team:foobar', 'team'],
  ['auth|admin', 'access'],
  ['auth & admin |', 'access'],
  ['(auth', 'access'],
  ['auth:*', 'access'],
  ['ADR-016', 'adr-016'],
  ['adr-017?', 'adr-017'],
  ['POL-358', 'pol-358'],
  ['pre-edit', 'pol-358'],
  ['what are the gateway scheduled tasks', 'gateway'],
  ['/b testing', 'boards'],
  ['causes/solutions', 'causes'],
  ['solutions', 'causes'],
  ['.Net', 'dotnet'],
  ['C++', 'dotnet'],
  ['c:\\temp\\x', 'windows'],
  ['v1.2.3', 'release'],
  ['foo_bar', 'release'],
  ['fooBaz', 'release'],
  ['baz', 'release'],
  ['适者生存', 'darwin'],
  ['止损', 'trading'],
  ['止损目标价', 'trading'],
  ['Cafe\u0301', 'coffee'],
  ['cafe', 'coffee'],
  ['estável', 'savings'],
  ['retenção', 'savings'],
  ['what does the user have', 'user'],
  ['"the user"  OR  1=1; --', 'user'],
])('finds %j', async (text, path) => {
  const [best] = pathsOf(await ask(stores, text));

  expect(best).toBe(path);
});

test.each([
  '!',
  '<->',
  '(',
  ':*',
  '*',
  '???',
  '- '.repeat(33),
  'the of and',
  'will the it',
  '🔥',
  '\0',
  '\uD800',
  "\\'\\",
])('finds nothing for %j', async (text) => {
  const { hits, truncated } = await ask(stores, text);

  expect(hits).toEqual([]);
  expect(truncated).toBe(false);
});

test.each([
  'tb-',
  'a & b |',
  'gateway \0 \uD800 tasks',
  '$1 %s {} \u2028',
  "E'\\x41' || chr(65)",
  `${"'".repeat(1001)}x`,
])('takes %j for text like any other', async (text) => {
  await expect(ask(stores, text)).resolves.toMatchObject({ truncated: false });
});

describe('a text that is too long', () => {
  test('is searched for as far as it is read, and says so', async () => {
    const text = `gateway ${'schedule of the tasks '.repeat(5_000)}`;

    const answer = await ask(stores, text);

    expect(text.length).toBeGreaterThan(100_000);
    expect(answer.truncated).toBe(true);
    expect(pathsOf(answer)[0]).toBe('gateway');
  });

  test('may have 5,000 different words', async () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `word${index}`);

    const answer = await ask(stores, `gateway ${words.join(' ')}`);

    expect(answer.truncated).toBe(true);
    expect(pathsOf(answer)).toContain('gateway');
  });
});

test.each(['', '   ', '\n\t'])('refuses the blank text %j', async (text) => {
  await expect(ask(stores, text)).rejects.toMatchObject({ code: 'INVALID_INPUT', field: 'text' });
});
