import { HOLDS, IS_SEEN, STANDS } from '../page-view.ts';
import {
  IS_IN_PAST_INDEX,
  ITS_PROJECT,
  isSeen,
  PAGE_STATUS,
  PLACE,
  seenPage,
} from '../seen-page.ts';

/**
 * As `LintStore.listLoneFixes`: by the id of the fix, then of the problem. Reads the pages of the past
 * and those of kind FIX by their indexes, and sorts what it finds.
 */
export const LIST_LONE_FIXES = `
  select array[u.fix_id::text, u.problem_id::text] as key, u.pages,
    json_array_length(u.pages) as total,
    json_build_object('status', u.status, 'inBody', u.in_body) as facts
  from (
    select e.from_id as fix_id, p.id as problem_id, json_build_array(f.place, ${PLACE}) as pages,
      gone.status, e.in_body
    from page p ${ITS_PROJECT}
    cross join lateral (select ${PAGE_STATUS} as status) gone
    join edge e on ${HOLDS} and e.to_id = p.id and e.kind = 'FIXES'
    cross join lateral (${seenPage('e.from_id', STANDS)}) f
    where p.project_id = $6::uuid and ${IS_SEEN} and ${IS_IN_PAST_INDEX} and gone.status <> 'ACTIVE'
    union all
    select p.id, '00000000-0000-0000-0000-000000000000', json_build_array(${PLACE}), null, false
    from page p ${ITS_PROJECT}
    where p.project_id = $6::uuid and p.kind = 'FIX' and ${IS_SEEN} and ${STANDS} and not exists (
      select from edge e
      where ${HOLDS} and e.from_id = p.id and e.kind = 'FIXES' and ${isSeen('e.to_id')}
    )
  ) u
  where $8::text[] is null
    or (u.fix_id, u.problem_id) > (($8::text[])[1]::uuid, ($8::text[])[2]::uuid)
  order by u.fix_id, u.problem_id
  limit $7::int8
`;
