import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FOREVER } from '../../src/memory/instant.ts';
import { type EdgeInput, linkPages, unlinkPages } from '../../src/memory/link-pages.ts';
import type { PageId, Project } from '../../src/memory/page.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createLedgerGraph } from '../../src/postgres/ledger-graph.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, type SeedStores, seedPages, seedProject } from '../support/seed.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const JANUARY = '2026-01-01T00:00:00Z';
const FEBRUARY = '2026-02-01T00:00:00Z';
const APRIL = '2026-04-01T00:00:00Z';

let database: Database;
let stores: SeedStores;
let now = START;
let notes: Project;
let made = 0;
let from: PageId;
let to: PageId;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

/** Two pages of its own for each test. */
beforeEach(async () => {
  now = START;
  made += 1;
  const ids = await seedPages(stores, notes, { [`${made}/to`]: '', [`${made}/from`]: '' });
  from = ids[`${made}/from`] ?? '';
  to = ids[`${made}/to`] ?? '';
  now += 1_000;
});

const say = (body: string) => seedPages(stores, notes, { [`${made}/from`]: body });
const link = async (...edges: readonly Partial<EdgeInput>[]) => {
  const whole = edges.map(
    (edge): EdgeInput => ({
      ...{ kind: 'CAUSES', fromId: from, toId: to },
      ...edge,
    }),
  );
  return (await linkPages(stores, await callerFor(stores), { edges: whole })).result;
};
const unlink = async (kind: EdgeInput['kind'] = 'CAUSES') => {
  const edges = [{ kind, fromId: from, toId: to }];
  return (await unlinkPages(stores, await callerFor(stores), edges)).result[0] ?? null;
};

type Row = {
  readonly id: string;
  readonly valid_from: number;
  readonly recorded_at: number;
  readonly recorded_to: number;
};
const rows = () =>
  database.query<Row>({
    text: `select id, valid_from, recorded_at, recorded_to from edge where from_id = $1
      order by recorded_at`,
    values: [from],
  });
const told = async (subject: 'EDGE' | 'PAGE', subjectId: string): Promise<number> => {
  const [row] = await database.query<{ n: number }>({
    text: 'select count(*) as n from outbox where subject = $1 and subject_id = $2',
    values: [subject, subjectId],
  });
  return row?.n ?? -1;
};
/** Edges out of the page as a reader of a point of both times finds them. */
const listAt = async (validAt: number | null, recordedAt: number) => {
  const { view } = await callerFor(stores);
  const request = { pageId: from, direction: 'OUT', first: 9, after: null } as const;
  const [list] = await createLedgerGraph(database).listEdges(
    { ...view, asOf: { validAt, recordedAt } },
    [{ ...request, kinds: ['CAUSES', 'SUPERSEDES', 'CONTRADICTS'] }],
  );
  return list?.edges.map(({ edge }) => edge) ?? [];
};

test('corrects the valid time of an edge that is asserted with another, and keeps the old row', async () => {
  const [first] = await link({ validFrom: JANUARY, note: 'why' });
  const before = now;
  now += 1_000;

  const [second] = await link({ validFrom: FEBRUARY, validTo: APRIL });

  expect(second).toMatchObject({
    created: false,
    edge: {
      note: 'why',
      validFrom: Date.parse(FEBRUARY),
      validTo: Date.parse(APRIL),
      recordedAt: now,
      at: Date.parse(FEBRUARY),
    },
  });
  const inJanuary = Date.parse('2026-01-15T00:00:00Z');
  expect(await listAt(inJanuary, before)).toMatchObject([{ id: first?.edge.id }]);
  expect(await listAt(inJanuary, now)).toEqual([]);
  expect(await listAt(Date.parse(FEBRUARY), now)).toMatchObject([{ id: second?.edge.id }]);
});

test('tells of both rows of a correction', async () => {
  const [first] = await link({});
  const [second] = await link({ validFrom: JANUARY });

  expect(await told('EDGE', first?.edge.id ?? '')).toBe(2);
  expect(await told('EDGE', second?.edge.id ?? '')).toBe(1);
});

test('keeps the valid time of an edge that is asserted again with the same or with none', async () => {
  const [first] = await link({ validFrom: JANUARY });

  const [same] = await link({ validFrom: JANUARY });
  const [none] = await link({});

  expect([same, none]).toEqual([
    { edge: first?.edge, created: false },
    { edge: first?.edge, created: false },
  ]);
});

test('a corrected contradiction stays as settled as it was', async () => {
  await link({ kind: 'CONTRADICTS' });
  await database.query({
    text: `update edge set resolution = 'UPHELD', resolved_by = 'ann', resolved_at = 5,
      resolution_note = 'seen' where from_id = $1`,
    values: [from],
  });

  const [corrected] = await link({ kind: 'CONTRADICTS', validFrom: JANUARY });

  expect(corrected?.edge.resolution).toBe('UPHELD');
  const [row] = await database.query({
    text: 'select resolved_by, resolved_at, resolution_note from edge where id = $1',
    values: [corrected?.edge.id],
  });
  expect(row).toEqual({ resolved_by: 'ann', resolved_at: 5, resolution_note: 'seen' });
});

test('a contradiction that was settled later reads as open before, wherever it is read', async () => {
  const [made] = await link({ kind: 'CONTRADICTS' });
  const resolvedAt = now + 1_000;
  await database.query({
    text: `update edge set resolution = 'DISMISSED', resolved_at = $2 where from_id = $1`,
    values: [from, resolvedAt],
  });
  const graph = createLedgerGraph(database);
  const { view } = await callerFor(stores);
  const statesAt = async (recordedAt: number | null) => {
    const then = { ...view, asOf: recordedAt === null ? null : { validAt: null, recordedAt } };
    const ends = { kinds: ['CONTRADICTS'], direction: 'OUT' } as const;
    const limits = { depth: 1, maxPages: 9, fanOut: 9, where: {} };
    const [list] = await graph.listEdges(then, [{ ...ends, pageId: from, first: 9, after: null }]);
    const [byId] = await graph.findManyEdges(then, [made?.edge.id ?? '']);
    const walk = await graph.walk(then, { ...ends, ...limits, from: [from] });
    const { paths } = await graph.shortestPaths(then, { ...ends, from, to, maxDepth: 1, k: 1 });
    return [list?.edges[0]?.edge, byId, walk.edges[0], paths[0]?.[0]?.edge].map(
      (edge) => edge?.resolution,
    );
  };

  const before = await statesAt(resolvedAt - 1);

  expect(before).toEqual(Array(4).fill('UNRESOLVED'));
  expect(await statesAt(resolvedAt)).toEqual(Array(4).fill('DISMISSED'));
  expect(await statesAt(null)).toEqual(Array(4).fill('DISMISSED'));
});

test('an edge of a body has the time and note of its assertion only while it is asserted', async () => {
  await say(`- causes [[${made}/to]]`);
  now += 1_000;
  const [asserted] = await link({ validFrom: JANUARY, validTo: FEBRUARY, note: 'why' });
  now += 1_000;

  const plain = await unlink();

  expect(asserted).toMatchObject({ created: false, edge: { note: 'why' } });
  expect(plain).toMatchObject({
    ...{ validFrom: null, validTo: null, note: null, retractedAt: null },
    ...{ recordedAt: now, at: now },
  });
  await say('nothing');
  expect((await rows()).every(({ recorded_to }) => recorded_to < FOREVER)).toBe(true);
});

test('an edge that is over keeps who said it', async () => {
  await say(`- causes [[${made}/to]]`);
  await link({ note: 'why' });
  await unlink();
  await say('nothing');
  await link({});
  await unlink();

  const history = await database.query({
    text: 'select in_body, asserted, note from edge where from_id = $1 order by recorded_at',
    values: [from],
  });

  expect(history).toEqual([
    { in_body: true, asserted: true, note: 'why' },
    { in_body: true, asserted: false, note: null },
    { in_body: false, asserted: true, note: null },
  ]);
});

test('an edge that a caller gave a time keeps it when a body says it, and no longer says it', async () => {
  const [asserted] = await link({ validFrom: JANUARY });

  await say(`- causes [[${made}/to]]`);
  await say('nothing');

  expect(await listAt(null, now)).toEqual([asserted?.edge]);
});

test('of an edge that one call names twice the first made it, with all that both say', async () => {
  const answers = await link({ note: 'why' }, { validFrom: JANUARY }, {});

  expect(answers.map(({ created }) => created)).toEqual([true, false, false]);
  expect(answers.map(({ edge }) => edge)).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining(answers[0]?.edge)),
  );
  expect(answers[0]?.edge).toMatchObject({ note: 'why', validFrom: Date.parse(JANUARY) });
  expect(await rows()).toHaveLength(1);
});

test('refuses two valid times of one edge in one call, and names the second', async () => {
  const refused = link({ validFrom: JANUARY }, { kind: 'FIXES' }, { validTo: APRIL });

  await expect(refused).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'edges.2.validFrom',
    message: 'edges.2.validFrom: expected one valid time for each edge in a call, but got another.',
  });
  expect(await rows()).toEqual([]);
});

test('refuses more edges than one call takes as a limit, and none as a fault of the input', async () => {
  const caller = await callerFor(stores);
  const edge: EdgeInput = { kind: 'CAUSES', fromId: from, toId: to };
  const edges = Array.from({ length: 1_001 }, () => edge);
  const limit = { code: 'LIMIT_EXCEEDED', field: 'edges', limit: 1_000, received: 1_001 };

  await expect(linkPages(stores, caller, { edges })).rejects.toMatchObject(limit);
  await expect(unlinkPages(stores, caller, edges)).rejects.toMatchObject(limit);
  await expect(linkPages(stores, caller, { edges: [] })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    field: 'edges',
  });
});

test('at most one row of an edge is active at any instant, whatever the clock does', async () => {
  const step = fc.record({
    does: fc.constantFrom('link', 'correct', 'unlink', 'say', 'unsay'),
    clock: fc.constantFrom(0, 0, 0, 1, 7, -5),
  });
  let days = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      await database.query({ text: 'delete from edge where from_id = $1', values: [from] });
      await say('nothing');
      for (const { does, clock } of steps) {
        now += clock;
        days += 1;
        if (does === 'link') await link({});
        if (does === 'correct')
          await link({ validFrom: new Date(START + days * 86_400_000).toISOString() });
        if (does === 'unlink') await unlink();
        if (does === 'say') await say(`- causes [[${made}/to]]`);
        if (does === 'unsay') await say('nothing');
      }

      const history = await rows();

      for (const [index, { recorded_at, recorded_to }] of history.entries()) {
        expect(recorded_to).toBeGreaterThan(recorded_at);
        expect(history[index + 1]?.recorded_at ?? FOREVER).toBeGreaterThanOrEqual(recorded_to);
      }
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('link, unlink and link in one millisecond leave two rows, one after the other', async () => {
  const [first] = await link({});
  const ended = await unlink();
  const [second] = await link({});

  expect(first).toMatchObject({ created: true, edge: { recordedAt: now } });
  expect(ended).toMatchObject({ id: first?.edge.id, retractedAt: now + 1 });
  expect(second).toMatchObject({ created: true, edge: { recordedAt: now + 1, at: now + 1 } });
  expect(await listAt(null, now)).toMatchObject([{ id: first?.edge.id }]);
});

test('a page that is written and replaced by one call is told of once', async () => {
  const ids = await seedPages(stores, notes, {
    [`${made}/new`]: `- supersedes [[${made}/old]]`,
    [`${made}/old`]: '',
  });

  expect(await told('PAGE', ids[`${made}/old`] ?? '')).toBe(1);
  expect(await told('PAGE', ids[`${made}/new`] ?? '')).toBe(1);
});

test('of an edge that one import names twice, what only the first says is kept', async () => {
  const end = (path: string) => ({ project: 'notes', path: `${made}/${path}` });
  const edge = { kind: 'CAUSES', from: end('from'), to: end('to') } as const;
  const validFrom = Date.parse(JANUARY);
  const { view } = await callerFor(stores);

  await stores.writer.linkWhenPresent(view, [
    { ...edge, note: 'why', validFrom, validTo: null },
    { ...edge, note: null, validFrom: null, validTo: null },
  ]);

  expect(await listAt(null, now)).toMatchObject([{ note: 'why', validFrom }]);
});

test('an edge that waited for a body and for a caller is told of once', async () => {
  await say(`- causes [[${made}/late]]`);
  const end = (path: string) => ({ project: 'notes', path: `${made}/${path}` });
  const times = { note: null, validFrom: null, validTo: null };
  await stores.writer.linkWhenPresent((await callerFor(stores)).view, [
    { kind: 'CAUSES', from: end('from'), to: end('late'), ...times },
  ]);

  await seedPages(stores, notes, { [`${made}/late`]: '' });

  const [edge] = await rows();
  expect(await told('EDGE', edge?.id ?? '')).toBe(1);
});
