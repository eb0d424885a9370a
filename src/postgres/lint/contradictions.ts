import { IS_CURRENT, IS_UNSETTLED } from '../page-view.ts';
import { seenPage } from '../seen-page.ts';

/** As `LintStore.listContradictions`. Reads all contradictions of the tenant, by the index of typed edges. */
export const LIST_CONTRADICTIONS = `
  select array[e.id::text] as key, json_build_array(t.place, f.place) as pages, 2 as total,
    json_build_object('edgeId', e.id) as facts
  from edge e
  cross join lateral (${seenPage('e.from_id', IS_CURRENT)}) f
  cross join lateral (${seenPage('e.to_id', IS_CURRENT)}) t
  where ${IS_UNSETTLED}
    and $6::uuid in (f.project_id, t.project_id)
    and ($8::text[] is null or e.id > ($8::text[])[1]::uuid)
  order by e.id
  limit $7::int8
`;
