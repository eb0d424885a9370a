import { MAX_LINTED_PAGES } from '../../memory/lint-store.ts';
import { HOLDS, IS_CURRENT, IS_SEEN, STANDS } from '../page-view.ts';
import { IS_IN_PAST_INDEX, ITS_PROJECT, PLACE, seenPage } from '../seen-page.ts';

/** As `LintStore.listExpired`. Reads expired pages by the index of pages of the past. */
export const LIST_EXPIRED = `
  select array[p.path] as key, 1 + r.count as total,
    json_build_object('validTo', p.valid_to) as facts,
    (select json_agg(each.place order by each.n) from (
      select ${PLACE} as place, 0 as n
      union all
      select s.place, s.n from json_array_elements(r.places) with ordinality as s(place, n)
    ) each) as pages
  from page p ${ITS_PROJECT}
  cross join lateral (
    select count(*) as count,
      json_agg(f.place order by f.n) filter (where f.n < ${MAX_LINTED_PAGES}) as places
    from (
      select f.place, row_number() over (order by f.path, e.id) as n
      from edge e
      cross join lateral (${seenPage('e.from_id', IS_CURRENT)}) f
      where ${HOLDS} and e.to_id = p.id and e.kind = 'REFERENCES'
    ) f
  ) r
  where p.project_id = $6::uuid and ${IS_SEEN} and ${IS_IN_PAST_INDEX} and ${STANDS}
    and p.valid_to <= $4::int8 and r.count > 0
    and ($8::text[] is null or p.path > ($8::text[])[1])
  order by p.path
  limit $7::int8
`;
