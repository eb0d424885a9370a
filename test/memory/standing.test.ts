import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Resolution } from '../../src/memory/edge.ts';
import type { PageId } from '../../src/memory/page.ts';
import { NO_FEEDBACK } from '../../src/memory/salience.ts';
import { findStanding } from '../../src/memory/standing.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { createStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { type Rows, rowsOf } from '../support/insert-rows.ts';

let database: Database;
let stores: Stores;

beforeAll(async () => {
  database = await openTestDatabase();
  stores = createStores(database);
});
afterAll(() => database.close());

type Challenge = { readonly at: number; readonly resolution: Resolution; resolvedAt?: number };

/** A claim, and a challenger of it for each challenge, in the same order. */
async function seed(
  challenges: readonly Challenge[],
): Promise<{ rows: Rows; claim: PageId; challengers: PageId[] }> {
  const rows = rowsOf(database);
  const project = await rows.project();
  const claim = await rows.page({ project });
  const challengers: PageId[] = [];
  for (const { at, ...state } of challenges) {
    const from = await rows.page({ project });
    await rows.edge({ kind: 'CONTRADICTS', from, to: claim, recordedAt: at, ...state });
    challengers.push(from);
  }
  return { rows, claim, challengers };
}

function challengersOf(rows: Rows, claim: PageId, asOf: { recordedAt: number } | null = null) {
  const facts = {
    id: claim,
    path: '',
    kind: 'NOTE',
    tags: [],
    isSuperseded: false,
    asks: false,
    feedback: NO_FEEDBACK,
  } as const;
  const view = rows.view({ asOf: asOf && { validAt: null, ...asOf } });
  return findStanding(stores, view, [facts], { contradictionCap: true }).then(
    ({ challengers }) => challengers.get(claim) ?? [],
  );
}

test('an open challenge counts, however many newer ones are settled', async () => {
  const settled = (['DISMISSED', 'RECONCILED'] as const).flatMap((resolution) =>
    Array.from({ length: 15 }, (_, index) => ({ at: 10 + index, resolution })),
  );
  const { rows, claim, challengers } = await seed([
    { at: 1, resolution: 'UNRESOLVED' },
    { at: 2, resolution: 'UPHELD' },
    ...settled,
  ]);

  const counted = await challengersOf(rows, claim);

  expect(counted).toEqual([challengers[1], challengers[0]]);
});

test('a challenge of a page that stands counts, however many newer ones come from pages that do not', async () => {
  const { rows, claim, challengers } = await seed([{ at: 1, resolution: 'UNRESOLVED' }]);
  const project = await rows.project();
  const successor = await rows.page({ project });
  for (let index = 0; index < 15; index++) {
    const archived = await rows.page({ project, archived: true });
    const replaced = await rows.page({ project });
    await rows.edge({ kind: 'SUPERSEDES', from: successor, to: replaced, recordedAt: 50 });
    for (const from of [archived, replaced]) {
      const recordedAt = 10 + index;
      const resolution = 'UNRESOLVED';
      await rows.edge({ kind: 'CONTRADICTS', from, to: claim, recordedAt, resolution });
    }
  }
  await database.query({
    text: `update page set superseded = true where tenant = $1 and exists (
      select from edge where to_id = page.id and kind = 'SUPERSEDES')`,
    values: [rows.tenant],
  });

  expect(await challengersOf(rows, claim)).toEqual(challengers);
  // The replaced ones stood at 49; being archived has no history.
  expect(await challengersOf(rows, claim, { recordedAt: 49 })).toHaveLength(20);
});

test('costs one statement, however many pages there are', async () => {
  const { rows, claim, challengers } = await seed([
    { at: 1, resolution: 'UNRESOLVED' },
    { at: 2, resolution: 'UNRESOLVED' },
  ]);
  const before = database.statements;

  await challengersOf(rows, claim);
  await findStanding(
    stores,
    rows.view(),
    [claim, ...challengers].map((id) => ({
      ...{
        id,
        path: '',
        kind: 'NOTE',
        tags: [],
        isSuperseded: true,
        feedback: NO_FEEDBACK,
        asks: false,
      },
    })),
    { contradictionCap: true },
  );

  expect(database.statements - before).toBe(2);
});

test('a challenge that was dismissed later counts in a read of the time before', async () => {
  const { rows, claim, challengers } = await seed([
    { at: 5, resolution: 'DISMISSED', resolvedAt: 20 },
  ]);

  expect(await challengersOf(rows, claim, { recordedAt: 10 })).toEqual(challengers);
  expect(await challengersOf(rows, claim, { recordedAt: 20 })).toEqual([]);
  expect(await challengersOf(rows, claim)).toEqual([]);
});
