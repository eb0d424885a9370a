import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Edge, Resolution } from '../../src/memory/edge.ts';
import { linkPages, unlinkPages } from '../../src/memory/link-pages.ts';
import type { PageId, Project } from '../../src/memory/page.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import { redactStore } from '../../src/memory/redact-store.ts';
import { createRedactor } from '../../src/memory/redaction.ts';
import { resolveContradiction } from '../../src/memory/resolve-contradiction.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { createTextStore } from '../../src/postgres/text-store.ts';
import { openTestDatabase } from '../support/database.ts';
import { callerFor, seedEdges, seedPages, seedProject } from '../support/seed.ts';

const START = Date.parse('2026-03-01T00:00:00Z');

let database: Database;
let stores: Stores;
let now = START;
let notes: Project;
let made = 0;
let claim: PageId;
let doubt: PageId;
let edgeId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database, () => now);
  notes = await seedProject(stores, 'notes');
});
afterAll(() => database.close());

/** Two pages of its own for each test, one of which disputes the other. */
beforeEach(async () => {
  now = START;
  made += 1;
  const ids = await seedPages(stores, notes, { [`${made}/claim`]: '', [`${made}/doubt`]: '' });
  claim = ids[`${made}/claim`] ?? '';
  doubt = ids[`${made}/doubt`] ?? '';
  now += 1_000;
  edgeId = (await seedEdges(stores, [[doubt, 'CONTRADICTS', claim]]))[0] ?? '';
  now += 1_000;
});

const resolve = async (outcome: Resolution, note?: string, id = edgeId) =>
  (await resolveContradiction(stores, await callerFor(stores), { edgeId: id, outcome, note }))
    .result;

/** The contradiction as each kind of read finds it at an instant of the record; null in the present. */
async function readsAt(recordedAt: number | null): Promise<readonly (Edge | null)[]> {
  const asOf = recordedAt === null ? null : { validAt: null, recordedAt };
  const view = { ...(await callerFor(stores)).view, asOf };
  const request = { pageId: claim, direction: 'IN', first: 9, after: null } as const;
  const [list] = await stores.graph.listEdges(view, [{ ...request, kinds: ['CONTRADICTS'] }]);
  const walk = await stores.graph.walk(view, {
    ...{ from: [claim], kinds: ['CONTRADICTS'], direction: 'IN', where: {} },
    ...{ depth: 1, maxPages: 9, fanOut: 9 },
  });
  const listed = list?.edges[0]?.edge ?? null;
  const [found] = listed === null ? [] : await stores.graph.findManyEdges(view, [listed.id]);
  return [listed, found ?? null, walk.edges[0] ?? null];
}

async function disputesAt(recordedAt: number | null): Promise<number | undefined> {
  const asOf = recordedAt === null ? null : { validAt: null, recordedAt };
  const view = { ...(await callerFor(stores)).view, asOf };
  const [summary] = await stores.pages.evidence(view, [claim]);
  return summary?.unresolvedContradictions;
}

test('settling says who, when and why, in every read of the present', async () => {
  const resolved = await resolve('UPHELD', 'measured twice');

  expect(resolved).toMatchObject({
    changed: true,
    edge: {
      ...{ id: edgeId, resolution: 'UPHELD', resolvedBy: 'local' },
      ...{ resolvedAt: now, resolutionNote: 'measured twice' },
    },
  });
  expect(await readsAt(null)).toEqual([resolved.edge, resolved.edge, resolved.edge]);
});

test('each state is read at its own time, by every read, though settled, reopened and settled anew', async () => {
  const asserted = now - 1_000;
  await resolve('DISMISSED', 'old news');
  const dismissed = now;
  now += 1_000;
  await resolve('UNRESOLVED', 'new numbers');
  const reopened = now;
  now += 1_000;
  await resolve('RECONCILED');
  const reconciled = now;

  const open = { resolvedBy: null, resolvedAt: null, resolutionNote: null };
  const by = { resolvedBy: 'local' };
  const states: readonly (readonly [number | null, Partial<Edge>])[] = [
    [asserted, { resolution: 'UNRESOLVED', ...open }],
    [dismissed - 1, { resolution: 'UNRESOLVED', ...open }],
    [dismissed, { resolution: 'DISMISSED', ...by, resolutionNote: 'old news' }],
    [reopened - 1, { resolution: 'DISMISSED', ...by, resolvedAt: dismissed }],
    [reopened, { resolution: 'UNRESOLVED', ...by, resolutionNote: 'new numbers' }],
    [reconciled, { resolution: 'RECONCILED', ...by, resolutionNote: null }],
    [null, { resolution: 'RECONCILED', ...by, resolvedAt: reconciled }],
  ];
  for (const [instant, state] of states) {
    expect(await readsAt(instant)).toMatchObject([state, state, state]);
  }
  expect(await Promise.all([asserted, dismissed, reopened, null].map(disputesAt))).toEqual([
    1, 0, 1, 0,
  ]);
});

test('a list of contradictions in one state is of the states of its instant', async () => {
  await resolve('DISMISSED');
  const dismissed = now;
  now += 1_000;
  await resolve('UPHELD');
  const { view } = await callerFor(stores);
  const request = { pageId: claim, direction: 'IN', first: 9, after: null } as const;
  const countAt = async (recordedAt: number, resolution: Resolution) => {
    const [list] = await stores.graph.listEdges({ ...view, asOf: { validAt: null, recordedAt } }, [
      { ...request, kinds: ['CONTRADICTS'], resolutions: [resolution] },
    ]);
    return list?.total;
  };

  expect(await countAt(dismissed - 1, 'UNRESOLVED')).toBe(1);
  expect(await countAt(dismissed, 'DISMISSED')).toBe(1);
  expect(await countAt(dismissed, 'UPHELD')).toBe(0);
  expect(await countAt(now, 'UPHELD')).toBe(1);
});

test('asking for the state that it has keeps who, when and why; another note is a change', async () => {
  const first = await resolve('UPHELD', 'seen');
  now += 1_000;

  const same = await resolve('UPHELD', 'seen');
  const silent = await resolve('UPHELD');
  const { graphSequence } = await resolveContradiction(stores, await callerFor(stores), {
    edgeId,
    outcome: 'UPHELD',
  });
  const noted = await resolve('UPHELD', 'seen again');

  expect([same, silent]).toEqual(Array(2).fill({ edge: first.edge, changed: false }));
  expect(noted).toMatchObject({ changed: true, edge: { resolvedAt: now } });
  const told = await database.query({
    text: 'select from outbox where subject_id = $1 and sequence > $2',
    values: [edgeId, graphSequence],
  });
  expect(told).toHaveLength(1);
});

test('a correction of its valid time keeps the state, and the states before stay readable', async () => {
  await resolve('DISMISSED', 'first');
  const dismissed = now;
  now += 1_000;
  const { result } = await linkPages(stores, await callerFor(stores), {
    edges: [{ kind: 'CONTRADICTS', fromId: doubt, toId: claim, validFrom: '2026-01-01T00:00:00Z' }],
  });
  const corrected = now;
  now += 1_000;
  await resolve('UPHELD', 'second', result[0]?.edge.id);

  const states = await Promise.all([dismissed - 1, dismissed, corrected, now].map(readsAt));

  expect(states.map(([edge]) => [edge?.resolution, edge?.resolutionNote])).toEqual([
    ['UNRESOLVED', null],
    ['DISMISSED', 'first'],
    ['DISMISSED', 'first'],
    ['UPHELD', 'second'],
  ]);
});

test('an edge that was retracted is refused, and the one that took its place is named', async () => {
  const { result } = await linkPages(stores, await callerFor(stores), {
    edges: [{ kind: 'CONTRADICTS', fromId: doubt, toId: claim, validFrom: '2026-01-01T00:00:00Z' }],
  });
  const next = result[0]?.edge.id ?? '';

  await expect(resolve('UPHELD')).rejects.toMatchObject({
    code: 'EDGE_RETRACTED',
    field: 'edge',
    activeEdge: next,
  });
  await unlinkPages(stores, await callerFor(stores), [
    { kind: 'CONTRADICTS', fromId: doubt, toId: claim },
  ]);
  await expect(resolve('UPHELD', undefined, next)).rejects.toMatchObject({
    code: 'EDGE_RETRACTED',
    activeEdge: null,
  });
});

test('a state is read at its own time, though the edge is taken back or corrected in its millisecond', async () => {
  now += 1_000;
  await resolve('DISMISSED', 'Measured again.');
  const settledAt = now;
  await unlinkPages(stores, await callerFor(stores), [
    { fromId: doubt, kind: 'CONTRADICTS', toId: claim },
  ]);

  for (const edge of await readsAt(settledAt)) {
    expect(edge).toMatchObject({ resolution: 'DISMISSED', resolutionNote: 'Measured again.' });
  }
  expect(await readsAt(settledAt + 1)).toEqual((await readsAt(settledAt + 1)).map(() => null));
});

test('a purge of either page takes the former states along', async () => {
  await resolve('UPHELD', 'a');
  await resolve('DISMISSED', 'b');
  const former = () =>
    database.query({ text: 'select from edge_resolution where edge_id = $1', values: [edgeId] });
  expect(await former()).toHaveLength(1);

  await purgePage(stores, await callerFor(stores), doubt);

  expect(await former()).toEqual([]);
});

test('secrets go from the notes of former states too', async () => {
  await resolve('UPHELD', 'the word is xyzzy-plugh');
  await resolve('DISMISSED');
  const find = (text: string) =>
    [...text.matchAll(/xyzzy-[a-z]+/gu)].map(({ 0: word, index: start }) => ({
      ...{ start, end: start + word.length },
    }));
  const redactor = createRedactor([{ kind: 'custom', find }]);

  await redactStore({ texts: createTextStore(database, () => now), redactor });

  const rows = await database.query({
    text: 'select resolution_note from edge_resolution where edge_id = $1',
    values: [edgeId],
  });
  expect(rows).toEqual([{ resolution_note: 'the word is [REDACTED:custom]' }]);
});

test('the state at any instant is the last one asked for by then, whatever the clock does', async () => {
  const step = fc.record({
    outcome: fc.constantFrom<Resolution>('UNRESOLVED', 'UPHELD', 'DISMISSED', 'RECONCILED'),
    clock: fc.constantFrom(0, 0, 1, 7, -5),
    isCorrected: fc.boolean(),
  });
  let days = 0;

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
      await database.query({ text: 'delete from edge where from_id = $1', values: [doubt] });
      let id = (await seedEdges(stores, [[doubt, 'CONTRADICTS', claim]]))[0] ?? '';
      let state: Resolution = 'UNRESOLVED';
      const history: { at: number; resolution: Resolution }[] = [];
      for (const { outcome, clock, isCorrected } of steps) {
        now += clock;
        days += 1;
        if (isCorrected) {
          const validFrom = new Date(START - days * 86_400_000).toISOString();
          const edges = [{ kind: 'CONTRADICTS', fromId: doubt, toId: claim, validFrom } as const];
          const { result } = await linkPages(stores, await callerFor(stores), { edges });
          id = result[0]?.edge.id ?? '';
        }
        const { edge, changed } = await resolve(outcome, undefined, id);
        expect(changed).toBe(outcome !== state);
        state = outcome;
        if (changed) history.push({ at: edge.resolvedAt ?? 0, resolution: outcome });
      }

      for (const [index, { at, resolution }] of history.entries()) {
        const before = history[index - 1];
        expect(at).toBeGreaterThan(before?.at ?? 0);
        expect((await readsAt(at)).map((edge) => edge?.resolution)).toEqual(
          Array(3).fill(resolution),
        );
        const [earlier] = await readsAt(at - 1);
        if (earlier !== null) expect(earlier?.resolution).toBe(before?.resolution ?? 'UNRESOLVED');
      }
    }),
    {
      numRuns: 40,
      // Settled in the millisecond in which it was corrected twice.
      examples: [
        [
          [
            { outcome: 'RECONCILED', clock: 0, isCorrected: false },
            { outcome: 'RECONCILED', clock: 7, isCorrected: false },
            { outcome: 'RECONCILED', clock: 0, isCorrected: true },
            { outcome: 'UNRESOLVED', clock: 0, isCorrected: true },
          ],
        ],
      ],
    },
  );
}, 120_000);
