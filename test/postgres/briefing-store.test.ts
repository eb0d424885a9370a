import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBriefingStore } from '../../src/postgres/briefing-store.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openTestDatabase } from '../support/database.ts';
import { rowsOf } from '../support/insert-rows.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('of very many settled pages, those with the most sessions are weighed, and no others', async () => {
  const rows = rowsOf(database);
  const project = await rows.project();
  const view = rows.view();
  await database.query({
    text: `
      insert into page (tenant, id, project_id, path, created_at, version, kind, title, sensitivity,
        importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived, keyword,
        keyword_length)
      select $1, gen_random_uuid(), $2, 'p/' || n, 1, 1, case when n % 4 = 0 then 'FACT' else 'RULE' end,
        'title', case when n % 4 = 1 then 3 else 0 end, 5, '{}', '{}', '{}', -62135596800000,
        253402300800000, n, false, '', 0
      from generate_series(1, 2400) n`,
    values: [rows.tenant, project],
  });
  await database.query({
    text: `
      insert into evidence (tenant, page_id, source_kind, source_id, created_at)
      select p.tenant, p.id, 'SESSION', 's' || s, 1 from page p
      cross join generate_series(1, (p.recorded_at / 100)::int) s where p.tenant = $1`,
    values: [rows.tenant],
  });

  const { settled } = await createBriefingStore(database).read({ ...view, clearance: 2 }, project, {
    standing: 0,
    sessions: 0,
    problems: 0,
    contradictions: 0,
    withSettled: true,
  });

  const sessions = settled.map(({ evidence }) => evidence.distinctSessions);
  expect(settled).toHaveLength(200);
  // Half of the pages are seen and settled, a hundred for each two sessions: the last 400 have 20 to 24.
  expect(Math.min(...sessions)).toBe(20);
  expect(sessions).toEqual(sessions.toSorted((a, b) => b - a));
  const [row] = await database.query<{ n: number }>({
    text: `select count(*) as n from page
      where id = any($1) and tenant = $2 and (kind <> 'RULE' or sensitivity > 2)`,
    values: [settled.map(({ id }) => id), rows.tenant],
  });
  expect(row?.n).toBe(0);
});
