import { expect, test } from 'vitest';
import type { CompleteQuery } from '../../src/memory/complete-query.ts';
import type { PreparedQuery } from '../../src/memory/prepared-queries.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { withoutVector } from '../../src/memory/query-meaning.ts';
import type { Run } from '../../src/memory/run.ts';
import { createRunBook } from '../../src/memory/run-book.ts';

const QUERY: CompleteQuery = {
  text: 'otters',
  filter: {},
  includeSuperseded: false,
  includeArchived: false,
  typeHints: [],
  limit: 10,
  tokenBudget: null,
  ranking: 'baseline',
  tenant: 'local',
  principal: 'local',
  asOf: null,
};

const PREPARED: PreparedQuery = {
  query: QUERY,
  meaning: withoutVector('NOTHING_TO_EMBED'),
  context: { admitted: true, grants: {}, projects: [], model: 'm/1', checkpoint: null },
  expiresAt: 1_000,
};

const runOf = (id: string, changes: Partial<Run> = {}): Run => ({
  id,
  principal: LOCAL_PRINCIPAL,
  projectId: 'p',
  task: 't',
  checkpoint: null,
  model: 'm/1',
  leaseEndsAt: 1_000,
  searchBudget: 2,
  searchesLeft: 2,
  ...changes,
});

test('10,000 prepared queries of many runs keep 128, those used last', () => {
  const { prepared } = createRunBook();
  const runs = [runOf('a'), runOf('b'), runOf('c')];
  const keyOf = (index: number) => ({ run: runs[index % 3] ?? runOf('a'), digest: `d${index}` });

  for (let index = 0; index < 10_000; index++) {
    prepared.set(keyOf(index), PREPARED);
    prepared.find(keyOf(0));
    expect(prepared.size).toBeLessThanOrEqual(128);
  }

  const kept = Array.from({ length: 10_000 }, (_, index) => index).filter(
    (index) => prepared.find(keyOf(index)) !== null,
  );
  expect(kept).toEqual([0, ...Array.from({ length: 127 }, (_, index) => 9_873 + index)]);
});

test('a query that is prepared again takes no second place', () => {
  const { prepared } = createRunBook();

  for (let times = 0; times < 3; times++) {
    prepared.set({ run: runOf('a'), digest: 'd' }, { ...PREPARED, expiresAt: times });
  }

  expect(prepared.size).toBe(1);
  expect(prepared.find({ run: runOf('a'), digest: 'd' })?.expiresAt).toBe(2);
});

test('what is prepared in one run is not in another, nor in one of another tenant', () => {
  const { prepared } = createRunBook();
  const elsewhere = { ...LOCAL_PRINCIPAL, tenant: 'elsewhere' };

  prepared.set({ run: runOf('a'), digest: 'd' }, PREPARED);

  expect(prepared.find({ run: runOf('b'), digest: 'd' })).toBeNull();
  expect(prepared.find({ run: runOf('a', { principal: elsewhere }), digest: 'd' })).toBeNull();
});

test('a run is for who opened it, until its lease ends', () => {
  const book = createRunBook();
  book.open(runOf('a'), 0);

  expect(book.find(LOCAL_PRINCIPAL, 'a', 999)?.id).toBe('a');
  expect(book.find({ ...LOCAL_PRINCIPAL, name: 'other' }, 'a', 0)).toBeNull();
  expect(book.find({ ...LOCAL_PRINCIPAL, tenant: 'other' }, 'a', 0)).toBeNull();
  expect(book.find(LOCAL_PRINCIPAL, 'a', 1_000)).toBeNull();
  expect(book.find(LOCAL_PRINCIPAL, 'a', 0)).toBeNull();
});

test('its end takes along what was prepared in it, and nothing else', () => {
  const book = createRunBook();
  const [a, b, c] = [runOf('a'), runOf('b', { leaseEndsAt: 10 }), runOf('c')];
  for (const run of [a, b, c]) {
    book.open(run, 0);
    book.prepared.set({ run, digest: 'd' }, PREPARED);
  }

  book.close(LOCAL_PRINCIPAL, 'a', 0);
  expect(book.prepared.size).toBe(2);
  book.open(runOf('late'), 10);

  expect(book.prepared.size).toBe(1);
  expect(book.prepared.find({ run: c, digest: 'd' })).toEqual(expect.objectContaining(PREPARED));
});

test('takes each search from the budget, and refuses the next', () => {
  const book = createRunBook();
  book.open(runOf('a'), 0);
  const spend = () => book.spend(LOCAL_PRINCIPAL, 'a', 0).searchesLeft;

  expect([spend(), spend()]).toEqual([1, 0]);
  expect(spend).toThrow('run: expected at most 2 searches of this run, but all of them are made.');
});

test('holds 1,000 runs of one caller, and has room again when leases end', () => {
  const book = createRunBook();
  const other = { ...LOCAL_PRINCIPAL, name: 'other' };
  for (let index = 0; index < 1_000; index++) book.open(runOf(`r${index}`), 0);

  expect(() => book.open(runOf('more'), 999)).toThrow(
    'Expected at most 1000 open runs of one caller, but as many are open. Close some, or wait for a lease to end.',
  );
  book.open(runOf('theirs', { principal: other }), 999);
  book.open(runOf('more', { leaseEndsAt: 2_000 }), 1_000);
  expect(book.find(LOCAL_PRINCIPAL, 'more', 1_000)?.id).toBe('more');
});
