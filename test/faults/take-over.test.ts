import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProjectorTurn } from '../../src/memory/graph-projection.ts';
import { startProjector, TRY_TURN_EVERY_MS } from '../../src/neo4j/projector.ts';
import { createChangeLog, createProjectorTurn } from '../../src/postgres/change-log.ts';
import { connectPostgres, type Database } from '../../src/postgres/connect.ts';
import { NOTICE_LOSS_MS } from '../../src/postgres/held-lock.ts';
import { openServerDatabase } from '../support/database.ts';

/** Longest time without a projector, as the contract says. */
const TAKE_OVER_MS = 5_000;

let database: Database & { readonly url: string };
let holder: Database;

beforeEach(async () => {
  database = await openServerDatabase();
  holder = connectPostgres({ url: database.url });
});

afterEach(async () => {
  await holder.close();
  await database.close();
});

/** A projector over the real lock that only takes turns. @returns what its tries brought */
function startTaking() {
  const tries: ('held' | 'free')[] = [];
  const turn = createProjectorTurn(database);
  const counted: ProjectorTurn = {
    ...turn,
    async take() {
      const taken = await turn.take();
      tries.push(taken === null ? 'held' : 'free');
      return taken;
    },
  };
  const projector = startProjector(
    {
      changes: createChangeLog(database),
      writer: { listWatermarks: async () => [], apply: async ({ reached }) => reached },
      prepare: async () => undefined,
      rebuild: async () => undefined,
      reportFailure: () => undefined,
      reportSetback: () => undefined,
    },
    counted,
    () => undefined,
  );
  return { projector, tries };
}

/** Ends the connection that has the lock, as the loss of its machine does in the end. */
async function loseHolder(): Promise<void> {
  const rows = await database.query<{ is_ended: boolean }>({
    text: `
      select pg_terminate_backend(l.pid, 10_000) as is_ended
      from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.granted and d.datname = current_database()`,
  });
  expect(rows).toEqual([{ is_ended: true }]);
}

test('the next try takes the turn of a holder that was lost, and tries are close enough', async () => {
  const held = await createProjectorTurn(holder).take();
  const { projector, tries } = startTaking();
  await vi.waitFor(() => expect(tries).toEqual(['held', 'held', 'held']), 20_000);
  expect(projector.isActive()).toBe(false);

  await loseHolder();
  await vi.waitFor(() => expect(projector.isActive()).toBe(true), 20_000);

  // One may have been under way when the holder was lost.
  expect(tries.length).toBeLessThanOrEqual(9);
  expect(tries.at(-1)).toBe('free');
  expect(TRY_TURN_EVERY_MS + NOTICE_LOSS_MS).toBeLessThan(TAKE_OVER_MS);
  await vi.waitFor(() => expect(held?.isHeld()).toBe(false), 20_000);
  await projector.close();
});

test('the turn of a projector that ends is free for the very next try', async () => {
  const first = startTaking();
  await vi.waitFor(() => expect(first.projector.isActive()).toBe(true), 20_000);

  await first.projector.close();

  const taken = await vi.waitFor(async () => {
    const next = await createProjectorTurn(holder).take();
    expect(next).not.toBe(null);
    return next;
  }, 20_000);
  await taken?.release();
});
