import { FOREVER } from '../memory/instant.ts';
import { IS_SEEN, IS_SUPERSEDED } from './page-view.ts';

/** The status of `page p`, as `PageStatus`. */
export const PAGE_STATUS = `case when p.archived then 'ARCHIVED' when ${IS_SUPERSEDED} then 'SUPERSEDED'
  when p.valid_to <= $4::int8 then 'EXPIRED' else 'ACTIVE' end`;

/** The view sees all that the tenant has. */
export const SEES_ALL = `($3::int2 = 3 and not exists (
  select from project where tenant = $1 and id <> all($2::uuid[])))`;

/** `page p` is in the index of pages that are not, or will not stay, current. */
export const IS_IN_PAST_INDEX = `(p.archived or p.superseded or p.valid_to < ${FOREVER})`;

/** `page p` in its `project` as `LintedPage`. */
export const PLACE = `json_build_object('id', p.id, 'project', project.name, 'path', p.path)`;

/** Joins its project to `page p`. */
export const ITS_PROJECT =
  'join project on project.tenant = p.tenant and project.id = p.project_id';

/**
 * The page of an id when the view sees it and the condition on `p` holds, to be joined laterally:
 * `place`, `path` and `project_id`. With a limit, or the planner would hash all pages.
 */
export function seenPage(id: string, condition = 'true'): string {
  return `
    select ${PLACE} as place, p.path, p.project_id
    from page p ${ITS_PROJECT}
    where p.tenant = $1 and p.id = ${id} and ${IS_SEEN} and ${condition}
    limit 1`;
}

/** Whether the view sees the page of an id. */
export function isSeen(id: string): string {
  return `exists (select from page p where p.id = ${id} and ${IS_SEEN})`;
}
