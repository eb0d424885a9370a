import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { countPages } from '../../src/postgres/keyword-statistics.ts';
import { openTestDatabase } from '../support/database.ts';
import { type SeedStores, seedPages, seedProject, write } from '../support/seed.ts';

let database: Database;
let stores: SeedStores;
let now = Date.parse('2026-03-01T00:00:00Z');
let notes: Project;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

const page = (path: string, rest: object = {}) => ({
  projectId: notes.id,
  path,
  title: path,
  ...rest,
});

type VersionRow = {
  version: number;
  body: string;
  recorded_at: number;
  recorded_to: number;
  valid_from: number;
};
const versionsOf = (path: string) =>
  database.query<VersionRow>({
    text: `
      select v.version, v.body, v.recorded_at, v.recorded_to, v.valid_from
      from page_version v join page p on p.tenant = v.tenant and p.id = v.page_id
      where p.path = $1 order by v.version`,
    values: [path],
  });
const count = async (from: string, values: unknown[] = []): Promise<number> => {
  const [row] = await database.query<{ n: number }>({
    text: `select count(*) as n from ${from}`,
    values,
  });
  return row?.n ?? -1;
};
/** Words, documents and length, as totals and open deltas say together. */
const keywordCounts = async () => ({
  totals: await database.query<{ sensitivity: number; pages: number; length: number }>({
    text: `
      select sensitivity, sum(pages)::int8 as pages, sum(length)::int8 as length from (
        select sensitivity, pages, length from keyword_total
        union all select sensitivity, sign, sign * length from keyword_delta
      ) as one group by sensitivity having sum(pages) <> 0 or sum(length) <> 0 order by 1`,
  }),
  terms: await database.query<{ lexeme: string; sensitivity: number; pages: number }>({
    text: `
      select lexeme, sensitivity, sum(pages)::int8 as pages from (
        select lexeme, sensitivity, pages from keyword_term
        union all select l, sensitivity, sign from keyword_delta, unnest(lexemes) as l
      ) as one group by lexeme, sensitivity having sum(pages) <> 0 order by lexeme collate "C", 2`,
  }),
});
const recountedKeywords = async () => ({
  totals: await database.query({
    text: `
      select sensitivity, count(*) as pages, sum(keyword_length)::int8 as length
      from page group by sensitivity order by 1`,
  }),
  terms: await database.query({
    text: `
      select l as lexeme, sensitivity, count(*) as pages
      from page, unnest(tsvector_to_array(keyword)) as l
      group by l, sensitivity order by l collate "C", 2`,
  }),
});

test('makes a page, then a version of it, then nothing new for the same content', async () => {
  const made = await write(stores, { pages: [page('life', { body: 'one' })] });
  const revised = await write(stores, { pages: [page('life', { body: 'two' })] });
  const same = await write(stores, {
    pages: [page('life', { body: 'two', tags: ['later'], importance: 9 })],
  });

  expect(made.result).toEqual([
    { pageId: expect.any(String), path: 'life', version: 1, outcome: 'CREATED' },
  ]);
  expect(revised.result).toMatchObject([{ version: 2, outcome: 'REVISED' }]);
  expect(same.result).toMatchObject([{ version: 2, outcome: 'RECONSOLIDATED' }]);
  expect(revised.result[0]?.pageId).toBe(made.result[0]?.pageId);
  expect(made.graphSequence).toBeLessThan(revised.graphSequence);
  expect(await versionsOf('life')).toMatchObject([{ body: 'one' }, { body: 'two' }]);
  const [row] = await database.query({
    text: `select tags, importance from page where path = 'life'`,
  });
  expect(row).toEqual({ tags: ['later'], importance: 9 });
  expect(
    await count(`evidence e join page p on p.id = e.page_id
      where p.path = 'life' and source_kind = 'RECONSOLIDATION'`),
  ).toBe(1);
});

test('orders two writes in the same millisecond, and closes the one before', async () => {
  await write(stores, { pages: [page('instant', { body: 'first' })] });
  await write(stores, { pages: [page('instant', { body: 'second' })] });

  const [first, second] = await versionsOf('instant');

  expect(second?.recorded_at).toBe((first?.recorded_at ?? 0) + 1);
  expect(first?.recorded_to).toBe(second?.recorded_at);
});

test('keeps order when the clock goes back', async () => {
  await write(stores, { pages: [page('clock', { body: 'first' })] });
  now -= 60_000;
  await write(stores, { pages: [page('clock', { body: 'second' })] });
  now += 60_000;

  const [first, second] = await versionsOf('clock');

  expect(second?.recorded_at).toBeGreaterThan(first?.recorded_at ?? 0);
});

test('keeps the same fact in two intervals as two open versions', async () => {
  const body = 'on holiday';
  const winter = { validFrom: '2026-01-01T00:00:00Z', validTo: '2026-03-01T00:00:00Z' };
  const summer = { validFrom: '2026-06-01T00:00:00Z', validTo: '2026-07-01T00:00:00Z' };

  await write(stores, { pages: [page('holiday', { body, ...winter })] });
  const again = await write(stores, { pages: [page('holiday', { body, ...winter })] });
  const later = await write(stores, { pages: [page('holiday', { body, ...summer })] });

  expect(again.result).toMatchObject([{ outcome: 'RECONSOLIDATED' }]);
  expect(later.result).toMatchObject([{ outcome: 'REVISED', version: 2 }]);
  const open = (await versionsOf('holiday')).map(({ recorded_to }) => recorded_to);
  expect(new Set(open).size).toBe(1);
});

test('replaces the vectors with the content, in one version of the page alone', async () => {
  await write(stores, { pages: [page('meaning', { body: 'cats '.repeat(700) })] });
  await write(stores, { pages: [page('meaning', { body: 'dogs' })] });

  const passages = await database.query({
    text: `select ordinal, start_offset, end_offset, model, embedding is not null as has_vector
      from passage join page on page.id = page_id where path = 'meaning'`,
  });

  expect(passages).toEqual([
    { ordinal: 0, start_offset: 0, end_offset: 4, model: 'static-minilm-256@1', has_vector: true },
  ]);
});

test('refuses a stale version and names the current one, and stores nothing of the call', async () => {
  await write(stores, { pages: [page('stale', { body: 'one', expectedVersion: 0 })] });

  const refused = write(stores, {
    pages: [page('beside-stale'), page('stale', { body: 'two', expectedVersion: 3 })],
  });

  await expect(refused).rejects.toMatchObject({
    code: 'VERSION_CONFLICT',
    path: 'stale',
    expectedVersion: 3,
    currentVersion: 1,
  });
  expect(await count(`page where path = 'beside-stale'`)).toBe(0);
});

test('answers a retry with the first answer and writes once, also when both come at once', async () => {
  const request = { pages: [page('retried', { body: 'once' })], idempotencyKey: 'key-1' };

  const answers = await Promise.all([
    write(stores, request),
    write(stores, request),
    write(stores, request),
  ]);

  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect(answers[0]?.result).toMatchObject([{ outcome: 'CREATED', version: 1 }]);
  expect(await versionsOf('retried')).toHaveLength(1);
  expect(await count(`evidence e join page p on p.id = e.page_id where p.path = 'retried'`)).toBe(
    0,
  );
});

test('refuses an idempotency key that was used for other content', async () => {
  await write(stores, { pages: [page('keyed', { body: 'a' })], idempotencyKey: 'key-2' });

  const other = write(stores, {
    pages: [page('keyed', { body: 'b' })],
    idempotencyKey: 'key-2',
  });

  await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
  expect(await versionsOf('keyed')).toHaveLength(1);
});

test('does not keep the key of a write that failed', async () => {
  const idempotencyKey = 'key-3';
  const stale = { pages: [page('later', { expectedVersion: 7 })], idempotencyKey };
  await expect(write(stores, stale)).rejects.toMatchObject({ code: 'VERSION_CONFLICT' });

  const { result } = await write(stores, { pages: [page('later')], idempotencyKey });

  expect(result).toMatchObject([{ outcome: 'CREATED' }]);
});

test('takes the NFC and the NFD form of a path as one page, and two cases as two', async () => {
  const composed = await write(stores, { pages: [page('case/Café', { body: 'a' })] });
  const decomposed = await write(stores, { pages: [page('case/Cafe\u0301', { body: 'b' })] });
  const lower = await write(stores, { pages: [page('case/café', { body: 'c' })] });

  expect(decomposed.result[0]?.pageId).toBe(composed.result[0]?.pageId);
  expect(lower.result[0]?.pageId).not.toBe(composed.result[0]?.pageId);
});

test('gives every Unicode text back byte for byte', async () => {
  const body = '\ufeffa\u0301\r\n\t"\\ \u2028 𝒳 👩‍👩‍👧 \u0001 {"a":1}';
  await write(stores, { pages: [page('unicode', { body, attributes: { '': [null, '\u2028'] } })] });

  const [version] = await versionsOf('unicode');
  const [row] = await database.query({
    text: `select attributes from page where path = 'unicode'`,
  });

  expect(version?.body).toBe(body);
  expect(row).toEqual({ attributes: { '': [null, '\u2028'] } });
});

test('neither overwrites a page above the clearance of the caller nor tells of its content', async () => {
  await seedPages(stores, notes, { secret: { body: 'hidden', sensitivity: 'RESTRICTED' } });
  const guest: Principal = { ...LOCAL_PRINCIPAL, name: 'guest', clearance: 'INTERNAL' };

  const refused = write(stores, { pages: [page('secret', { body: 'mine' })] }, guest);

  await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND', field: 'path' });
  expect(await versionsOf('secret')).toMatchObject([{ body: 'hidden' }]);
});

test('refuses a project that the caller may not touch', async () => {
  const guest: Principal = { ...LOCAL_PRINCIPAL, name: 'guest', projects: [] };

  await expect(write(stores, { pages: [page('strange')] }, guest)).rejects.toMatchObject({
    code: 'NOT_FOUND',
    field: 'project',
  });
});

test('keeps the counts of words equal to a recount, through every kind of write', async () => {
  const path = 'counted';
  await write(stores, { pages: [page(path, { body: 'alpha beta', hints: ['gamma'] })] });
  await write(stores, { pages: [page(path, { body: 'alpha delta' })] });
  await write(stores, { pages: [page(path, { body: 'alpha delta', hints: ['epsilon'] })] });
  await write(stores, {
    pages: [page(path, { body: 'alpha delta', sensitivity: 'RESTRICTED' })],
  });
  for (const batch of [0, 1, 2]) {
    await write(stores, {
      pages: Array.from({ length: 40 }, (_, index) =>
        page(`many/${index}`, { body: `word${index} batch${batch}` }),
      ),
    });
  }

  expect(await keywordCounts()).toEqual(await recountedKeywords());
  expect(await count('keyword_delta')).toBeLessThanOrEqual(64 + 80);
});

test('counts the words anew that the same content gives by another rule than it did', async () => {
  const { ruled } = await seedPages(stores, notes, { ruled: 'words of today' });
  await countPages(database, LOCAL_PRINCIPAL.tenant, [ruled], -1);
  await database.query({
    text: `update page set keyword = 'yesterday:1'::tsvector, keyword_length = 1 where id = $1`,
    values: [ruled],
  });
  await countPages(database, LOCAL_PRINCIPAL.tenant, [ruled], 1);

  const again = await write(stores, { pages: [page('ruled', { body: 'words of today' })] });

  expect(again.result).toMatchObject([{ outcome: 'RECONSOLIDATED' }]);
  expect(await keywordCounts()).toEqual(await recountedKeywords());
});

test('counts no words anew for the same content with the same words', async () => {
  await write(stores, { pages: [page('still', { body: 'same', hints: ['one'] })] });
  const before = await count('keyword_delta');

  await write(stores, { pages: [page('still', { body: 'same', hints: ['one'], tags: ['new'] })] });

  expect(await count('keyword_delta')).toBe(before);
});

test('sends as many statements for many pages with links as for few or for one', async () => {
  const batch = (name: string, size: number) =>
    Array.from({ length: size }, (_, index) =>
      page(`${name}/${index}`, {
        body: `text [[${name}/${(index + 1) % size}]] [[missing/${name}/${index}]]\n\n- fixes [[life]]`,
      }),
    );
  const statementsFor = async (pages: ReturnType<typeof batch>): Promise<number> => {
    const before = database.statements;
    await write(stores, { pages });
    return database.statements - before;
  };

  const few = await statementsFor(batch('seventy', 70));
  const many = await statementsFor(batch('twice-seventy', 140));
  const one = await statementsFor(batch('one', 1));

  expect(many).toBe(few);
  // A fold of the word counts, when their backlog is due, is two statements whatever the pages.
  expect(many - one).toBeLessThanOrEqual(2);
});

test('refuses more pages than one call takes as a limit', async () => {
  const pages = Array.from({ length: 1_001 }, (_, index) => page(`too-many/${index}`));

  await expect(write(stores, { pages })).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    field: 'pages',
    limit: 1_000,
  });
});

test('writes a thousand pages with their links in one call', async () => {
  const pages = Array.from({ length: 1_000 }, (_, index) =>
    page(`thousand/${index}`, {
      body: `page ${index} [[thousand/${(index * 7 + 1) % 1_000}]]\n\n- causes [[thousand/${(index + 14) % 1_000}]]`,
    }),
  );

  const { result } = await write(stores, { pages });

  expect(result).toHaveLength(1_000);
  const edges = await count(
    `edge e join page p on p.id = e.from_id where p.path like 'thousand/%'`,
  );
  expect(edges).toBe(2_000);
  expect(await count(`waiting_edge where from_path like 'thousand/%'`)).toBe(0);
}, 60_000);

test('lets 48 writers at once each leave a version of one page', async () => {
  const writers = Array.from({ length: 48 }, (_, index) =>
    write(stores, { pages: [page('crowd', { body: `writer ${index}` })] }),
  );

  const outcomes = (await Promise.all(writers)).map(({ result }) => result[0]?.outcome);

  expect(outcomes.filter((outcome) => outcome === 'CREATED')).toHaveLength(1);
  const versions = await versionsOf('crowd');
  expect(new Set(versions.map(({ body }) => body)).size).toBe(48);
  expect(new Set(versions.map(({ recorded_at }) => recorded_at)).size).toBe(48);
});

test('a page keeps its sensitivity when a rewrite does not name one', async () => {
  const project = await seedProject(stores, 'kept-secret');
  const { plan } = await seedPages(stores, project, {
    plan: { body: 'First.', sensitivity: 'RESTRICTED' },
  });

  const find = async () => {
    const [row] = await database.query<{ sensitivity: number }>({
      text: 'select sensitivity from page where id = $1',
      values: [plan],
    });
    return row?.sensitivity;
  };
  await seedPages(stores, project, { plan: 'Second.' });
  const kept = await find();
  await seedPages(stores, project, { plan: { body: 'Second.', sensitivity: 'PUBLIC' } });

  expect([kept, await find()]).toEqual([3, 0]);
});
