import type { Database } from '../../src/postgres/connect.ts';

const EDGES_PER_PAGE = 5;
/** The largest hub has a tenth of all edges, as in measured graphs of references. */
const HUB_SHARE = 0.1;

/**
 * A graph whose in-degrees follow a power law, with one hub that a tenth of all edges lead to, and
 * one page that a fiftieth of all edges come from. Written as rows of the ledger; the same each time.
 */
export async function writePowerLawGraph(database: Database, tenant: string, edges: number) {
  const pages = Math.max(10, Math.round(edges / EDGES_PER_PAGE));
  await database.query({
    text: `
      insert into project (tenant, id, name, description, created_at)
      values ($1, '00000000-0000-7000-8000-000000000000', 'generated', '', 0)`,
    values: [tenant],
  });
  const pageId = (n: string) => `('01000000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
  await database.query({
    text: `
      insert into page (tenant, id, project_id, path, created_at, version, kind, title, sensitivity,
        importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived,
        superseded, keyword, keyword_length)
      select $1, ${pageId('n')}, '00000000-0000-7000-8000-000000000000', n::text, 0, 1, 'NOTE',
        'Page ' || n, 1, 5, '{}', '{}', '{}', -62135596800000, 253402300800000, 1, false, false, '', 0
      from generate_series(0, $2 - 1) as n`,
    values: [tenant, pages],
  });
  await database.query({
    text: `
      insert into page_version (tenant, page_id, version, project_id, kind, title, body, sensitivity,
        valid_from, valid_to, recorded_at, keyword, keyword_length)
      select tenant, id, 1, project_id, kind, title, '', sensitivity, valid_from, valid_to, 1, '', 0
      from page where tenant = $1`,
    values: [tenant],
  });
  await database.query({
    text: `
      insert into edge (tenant, id, from_id, to_id, kind, in_body, asserted, valid_from, valid_to,
        recorded_at, at)
      select $1, ('02000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid,
        ${pageId('case when n % 50 = 1 then 1 else source end')}, ${pageId('target')},
        (array['CAUSES', 'FIXES', 'SUPERSEDES', 'REFERENCES', 'REFERENCES'])[1 + n % 5], false, true,
        -62135596800000, 253402300800000, 1, n
      from (
        select n, (n * 7919) % $3 as source,
          case when n % ${Math.round(1 / HUB_SHARE)} = 0 then 0
            else floor($3 * power(((n * 104729) % 1000003) / 1000003.0, 3))::int8 end as target
        from generate_series(0, $2 - 1) as n
      ) e
      where case when n % 50 = 1 then 1 else source end <> target
      on conflict do nothing`,
    values: [tenant, edges, pages],
  });
  await database.query({ text: 'analyze page' });
  await database.query({ text: 'analyze edge' });
  // As if all had been written through the API: the projection begins at a sequence.
  await database.query({
    text: `insert into projection (tenant, newest) values ($1, 0) on conflict do nothing`,
    values: [tenant],
  });
  return { pages, edges };
}
