import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Fault, type ImportCounts, importLines } from '../../src/importing/import-lines.ts';
import type { EdgeLine, FaultyLine, NumberedLine, PageLine } from '../../src/importing/jsonl.ts';
import type { EdgeKind } from '../../src/memory/edge.ts';
import type { Project } from '../../src/memory/page.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

let database: Database;
let stores: ReturnType<typeof createStores>;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});

afterAll(() => database.close());

test('reports each line that breaks a rule, by its field in the file, and writes the others', async () => {
  const project = await seedProject(stores, 'rules');

  const { counts, faults } = await load(project, [
    page('ok/1'),
    page('/absolute'),
    page('a//b'),
    page('k'.repeat(513)),
    page('a', { title: 'x'.repeat(301) }),
    page('a', { title: ' ' }),
    page('a', { body: 'half \ud83d of a pair' }),
    page('a', { attributes: { 'line\nbreak': 'NUL \0' } }),
    page('a', { attributes: { large: 'x'.repeat(17_000) } }),
    page('a', { tags: ['x'.repeat(65)] }),
    page('a', { importance: 1.5 }),
    page('a', { validFrom: '2026-03-01T10:00:00' }),
    page('a', { validFrom: '2026-03-01T10:00:00Z', validTo: '2026-03-01T10:00:00Z' }),
    edge('ok/1', 'CAUSES', 'ok/1'),
    edge('ok/1', 'CAUSES', 'ok/2', { note: 'x'.repeat(2_001) }),
    edge('ok/1', 'CAUSES', '../up'),
    { type: 'fault', reason: 'line: expected JSON' },
    edge('ok/1', 'FIXES', 'ok/2'),
    page('ok/2'),
  ]);

  expect(faults.map(({ line, reason }) => `${line} ${reason.replace(/ .*/su, '')}`)).toEqual([
    '2 key:',
    '3 key:',
    '4 key:',
    '5 title:',
    '6 title:',
    '7 body:',
    '8 attributes.line\ufffdbreak:',
    '9 attributes:',
    '10 tags.0:',
    '11 importance:',
    '12 validFrom:',
    '13 validTo:',
    '16 to:',
    '17 line:',
    '14 to:',
    '15 note:',
  ]);
  expect(faults.every(({ reason }) => /^[^\p{Cc}]{1,301}$/u.test(reason))).toBe(true);
  expect(counts).toEqual({
    lines: 19,
    pages: { CREATED: 2, REVISED: 0, RECONSOLIDATED: 0 },
    edges: { linked: 1, existing: 0, waiting: 0 },
    otherKinds: { pages: 0, kinds: [] },
    faults: 16,
  });
});

test('counts the pages whose kind is none of ours, and lists the first twenty such kinds', async () => {
  const project = await seedProject(stores, 'kinds');
  const kinds = Array.from({ length: 21 }, (_, index) => `kind-${index}`);

  const { counts, faults } = await load(project, [
    page('a', { otherKind: 'DECISON\n' }),
    page('b'),
    page('/c', { otherKind: 'commit' }),
    ...kinds.map((otherKind, index) => page(`k${index}`, { otherKind })),
    page('d', { otherKind: 'kind-0' }),
  ]);

  expect(faults).toMatchObject([{ line: 3 }]);
  expect(counts.otherKinds.pages).toBe(23);
  expect(counts.otherKinds.kinds).toHaveLength(20);
  expect(counts.otherKinds.kinds.slice(0, 3)).toEqual([
    { kind: 'DECISON\ufffd', line: 1, pages: 1 },
    { kind: 'kind-0', line: 4, pages: 2 },
    { kind: 'kind-1', line: 5, pages: 1 },
  ]);
});

test('writes a page that comes again in the file once for each time, in order', async () => {
  const project = await seedProject(stores, 'again');
  const lines = ['one', 'two', 'one', 'one', 'three'].map((body) => page('x', { body }));

  const first = await load(project, lines);
  const told = await readPage(project, 'x');
  const second = await load(project, lines);

  expect(first.counts.pages).toEqual({ CREATED: 1, REVISED: 3, RECONSOLIDATED: 1 });
  // The evidence spoke for `one`, which `three` replaced.
  expect(told).toEqual({ version: 4, body: 'three', evidence: 0 });
  expect(second.counts.pages).toEqual({ CREATED: 0, REVISED: 0, RECONSOLIDATED: 5 });
  expect(await readPage(project, 'x')).toEqual(told);
});

test('takes two spellings of one key for one page', async () => {
  const project = await seedProject(stores, 'spelling');

  const { counts } = await load(project, [
    page('caf\u00e9', { body: 'one' }),
    page('cafe\u0301', { body: 'two' }),
    edge('cafe\u0301', 'CAUSES', 'b'),
    page('b'),
  ]);

  expect(counts.pages).toEqual({ CREATED: 2, REVISED: 1, RECONSOLIDATED: 0 });
  expect(counts.edges).toEqual({ linked: 1, existing: 0, waiting: 0 });
  expect(await readPage(project, 'caf\u00e9')).toMatchObject({ version: 2, body: 'two' });
});

test('changes and counts what is new in a file that has changed', async () => {
  const project = await seedProject(stores, 'changed');
  await load(project, [page('a', { body: 'old' }), page('b')]);

  const { counts } = await load(project, [page('a', { body: 'new' }), page('b'), page('c')]);

  expect(counts.pages).toEqual({ CREATED: 1, REVISED: 1, RECONSOLIDATED: 1 });
  expect(await readPage(project, 'a')).toMatchObject({ version: 2, body: 'new' });
  expect(await readPage(project, 'b')).toMatchObject({ version: 1 });
});

test('writes to the one project, and links within it', async () => {
  const [left, right] = [await seedProject(stores, 'left'), await seedProject(stores, 'right')];
  await seedPages(stores, left, { a: 'of left', b: 'of left' });

  const { counts } = await load(right, [page('a'), edge('a', 'CAUSES', 'b')]);

  expect(counts.pages).toEqual({ CREATED: 1, REVISED: 0, RECONSOLIDATED: 0 });
  expect(counts.edges).toEqual({ linked: 0, existing: 0, waiting: 1 });
  expect(await readPage(left, 'a')).toMatchObject({ version: 1, body: 'of left' });
});

test('finds the one line among many that the store refuses', async () => {
  const project = await seedProject(stores, 'circle');
  const pages = Array.from({ length: 250 }, (_, index) =>
    page(`p/${index}`, { body: index === 170 ? 'supersedes:: [[p/3]]' : '' }),
  );
  const circle = [edge('p/3', 'SUPERSEDES', 'p/8'), edge('p/8', 'SUPERSEDES', 'p/170')];
  const edges = Array.from({ length: 249 }, (_, index) =>
    edge(`p/${index}`, 'CAUSES', `p/${index + 1}`),
  );

  const { counts, faults } = await load(project, [...pages, ...edges, ...circle, ...edges]);

  expect(faults).toEqual([{ line: 501, reason: expect.stringMatching(/^SUPERSEDES: expected /u) }]);
  expect(counts.pages.CREATED).toBe(250);
  expect(counts.edges).toMatchObject({ linked: 250, waiting: 0 });
});

test('goes on after the answer of the store is lost, and writes nothing twice', async () => {
  const project = await seedProject(stores, 'lost');
  const lines = Array.from({ length: 250 }, (_, index) => page(`p/${index}`));
  let calls = 0;
  const writer: typeof stores.writer = {
    ...stores.writer,
    async writePages(...args) {
      const answer = await stores.writer.writePages(...args);
      calls += 1;
      if (calls === 2) throw new Error('the answer is lost');
      return answer;
    },
  };

  const broken = load(project, lines, { ...stores, writer });

  await expect(broken).rejects.toThrow('the answer is lost');
  const { counts } = await load(project, lines);
  expect(counts.pages).toEqual({ CREATED: 50, REVISED: 0, RECONSOLIDATED: 200 });
  expect(await readPage(project, 'p/0')).toEqual({ version: 1, body: '', evidence: 0 });
  expect(await readPage(project, 'p/150')).toEqual({ version: 1, body: '', evidence: 0 });
});

test('keeps a batch within 4 MiB of the file, but for a line that is longer itself', async () => {
  const project = await seedProject(stores, 'large');
  const sizes = [1, 1, 1, 1, 1, 3, 7, 1, 1].map((megabytes) => megabytes * 1024 * 1024);
  const batches: number[][] = [[], []];
  const writer: typeof stores.writer = {
    ...stores.writer,
    writePages(view, pages, ...rest) {
      batches[0]?.push(pages.length);
      return stores.writer.writePages(view, pages, ...rest);
    },
    linkWhenPresent(view, edges) {
      batches[1]?.push(edges.length);
      return stores.writer.linkWhenPresent(view, edges);
    },
  };

  await load(
    project,
    [
      ...sizes.map((_, index) => page(`p/${index}`)),
      ...sizes.map((_, index) => edge(`p/${index}`, 'CAUSES', `p/${(index + 1) % 9}`)),
    ],
    { ...stores, writer },
    [...sizes, ...sizes],
  );

  expect(batches).toEqual([
    [4, 2, 1, 2],
    [4, 2, 1, 2],
  ]);
});

test('keeps no digest that a redacted secret could be guessed by', async () => {
  const project = await seedProject(stores, 'secrets');
  const withSecret = (secret: string) => [page('a', { body: `password: ${secret}` })];
  await load(project, withSecret('hunter2-Zebra'));

  const { counts } = await load(project, withSecret('hunter3-Koala'));

  expect(await readPage(project, 'a')).toMatchObject({
    body: 'password: [REDACTED:password_assignment]',
    evidence: 0,
  });
  expect(counts.pages).toEqual({ CREATED: 0, REVISED: 0, RECONSOLIDATED: 1 });
});

test('makes a purged page anew when the file is given again, and then nothing twice', async () => {
  const project = await seedProject(stores, 'purged');
  const lines = [page('a'), page('b')];
  await load(project, lines);
  for (const path of ['a', 'a', 'b']) {
    const { view } = await callerFor(stores);
    const [found] = await stores.pages.findManyByKey(view, [{ projectId: project.id, path }]);
    await stores.writer.purgePage(view, found?.id ?? '', 'me', []);

    const { counts, faults } = await load(project, lines);
    const again = await load(project, lines);

    expect(faults).toEqual([]);
    expect(counts.pages).toEqual({ CREATED: 1, REVISED: 0, RECONSOLIDATED: 1 });
    expect(again.counts.pages).toEqual({ CREATED: 0, REVISED: 0, RECONSOLIDATED: 2 });
  }
});

function page(path: string, more: Partial<PageLine> = {}): PageLine {
  return {
    type: 'page',
    path,
    title: `Page ${path.slice(0, 20)}`,
    body: '',
    kind: 'NOTE',
    otherKind: null,
    tags: [],
    attributes: {},
    sensitivity: null,
    importance: null,
    validFrom: null,
    validTo: null,
    ...more,
  };
}

function edge(from: string, kind: EdgeKind, to: string, more: Partial<EdgeLine> = {}): EdgeLine {
  return { type: 'edge', from, to, kind, note: null, validFrom: null, validTo: null, ...more };
}

async function load(
  project: Project,
  lines: readonly (PageLine | EdgeLine | FaultyLine)[],
  into = stores,
  sizes: readonly number[] = [],
): Promise<{ counts: ImportCounts; faults: Fault[] }> {
  async function* numbered(): AsyncGenerator<NumberedLine> {
    let bytes = 0;
    for (const [index, line] of lines.entries()) {
      bytes += sizes[index] ?? 0;
      yield { number: index + 1, bytes, line };
    }
  }
  const faults: Fault[] = [];
  const counts = await importLines(into, await callerFor(stores), project, numbered(), {
    fault: (fault) => faults.push(fault),
    progress: () => undefined,
  });
  return { counts, faults };
}

async function readPage({ id: projectId }: Project, path: string) {
  const { view } = await callerFor(stores);
  const [found] = await stores.pages.findManyByKey(view, [{ projectId, path }]);
  if (!found) return null;
  const [evidence] = await stores.pages.evidence(view, [found.id]);
  return { version: found.version, body: found.body, evidence: evidence?.count };
}
