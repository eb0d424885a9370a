import { HOLDS, IS_SEEN, STANDS } from '../page-view.ts';
import { ITS_PROJECT, isSeen, PLACE } from '../seen-page.ts';

/**
 * As `LintStore.listOrphans`. A link of a body counts wherever it leads: to a page that the view does
 * not see it is told as a dangling one. Reads the pages of the project by path, with three look-ups
 * for each, until enough are found.
 */
export const LIST_ORPHANS = `
  select array[p.path] as key, json_build_array(${PLACE}) as pages, 1 as total, '{}'::json as facts
  from page p ${ITS_PROJECT}
  where p.project_id = $6::uuid and ${IS_SEEN} and ${STANDS}
    and ($8::text[] is null or p.path > ($8::text[])[1])
    and not exists (
      select from edge e
      where ${HOLDS} and e.from_id = p.id and (e.in_body or ${isSeen('e.to_id')}))
    and not exists (
      select from edge e where ${HOLDS} and e.to_id = p.id and ${isSeen('e.from_id')})
    and not exists (
      select from waiting_edge w
      where w.tenant = $1 and w.from_project = project.name and w.from_path = p.path and w.in_body)
  order by p.path
  limit $7::int8
`;
