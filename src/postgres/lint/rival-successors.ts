import { MAX_LINTED_PAGES } from '../../memory/lint-store.ts';
import { HOLDS, IS_SEEN, STANDS } from '../page-view.ts';
import { ITS_PROJECT, PLACE, seenPage } from '../seen-page.ts';

/** As `LintStore.listRivals`. Reads superseded pages by the index of pages of the past. */
export const LIST_RIVALS = `
  select array[p.path] as key, 1 + r.count as total, '{}'::json as facts,
    (select json_agg(each.place order by each.n) from (
      select ${PLACE} as place, 0 as n
      union all
      select s.place, s.n from json_array_elements(r.places) with ordinality as s(place, n)
    ) each) as pages
  from page p ${ITS_PROJECT}
  cross join lateral (
    select count(*) as count,
      json_agg(s.place order by s.n) filter (where s.n < ${MAX_LINTED_PAGES}) as places
    from (
      select s.place, row_number() over (order by s.path, e.id) as n
      from edge e
      cross join lateral (${seenPage('e.from_id', STANDS)}) s
      where ${HOLDS} and e.to_id = p.id and e.kind = 'SUPERSEDES'
    ) s
  ) r
  where p.project_id = $6::uuid and ${IS_SEEN} and p.superseded and not p.archived and r.count > 1
    and ($8::text[] is null or p.path > ($8::text[])[1])
  order by p.path
  limit $7::int8
`;
