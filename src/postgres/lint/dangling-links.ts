import { FOREVER } from '../../memory/instant.ts';
import { IS_SEEN, STANDS } from '../page-view.ts';
import { ITS_PROJECT, PLACE, SEES_ALL } from '../seen-page.ts';

/** Said of the path alone too, so that an index begins there. */
const IS_AFTER = `($8::text[] is null or p.path >= ($8::text[])[1] and
  (p.path, l.kind, l.project, l.path) > (($8::text[])[1], ($8::text[])[2], ($8::text[])[3], ($8::text[])[4]))`;

/** The links `l` of pages `p` of the project in order, no more than asked for. */
const linksOf = (links: string) => `(
  select p.path as from_path, ${PLACE} as place, l.kind, l.project, l.path, l.in_body, l.is_there
  from ${links}
  where p.project_id = $6::uuid and ${IS_SEEN} and ${STANDS} and ${IS_AFTER}
  order by p.path, l.kind, l.project, l.path
  limit $7::int8
)`;

/**
 * As `LintStore.listDanglingLinks`. A link of a body to a page that the view does not see is told as
 * one to a page that is not there: whoever reads the body knows the link, and must not learn more.
 * For the same reason a link that a caller asserted, which no body tells of, is only named where the
 * view would see the page if it came.
 *
 * Waiting links are read by their index. Those to hidden pages cost a look at every link of the
 * project, and nothing for a view that sees all of the tenant.
 */
export const LIST_DANGLING_LINKS = `
  select array[l.from_path, l.kind, l.project, l.path] as key, json_build_array(l.place) as pages,
    1 as total, json_build_object('kind', l.kind, 'inBody', l.in_body, 'isThere', l.is_there,
      'to', json_build_object('project', l.project, 'path', l.path)) as facts
  from (
    ${linksOf(`(
      select w.from_path, w.kind, w.to_project as project, w.to_path as path, w.in_body,
        exists (
          select from page p ${ITS_PROJECT}
          where project.name = w.to_project and p.path = w.to_path and ${IS_SEEN}
        ) as is_there
      from waiting_edge w
      where w.tenant = $1 and ($8::text[] is null or w.from_path >= ($8::text[])[1])
        and w.from_project = (
          select name from project where tenant = $1 and id = $6::uuid)
        and (w.in_body or $3::int2 = 3 and exists (
          select from project
          where tenant = $1 and id = any($2::uuid[]) and name = w.to_project))
    ) l
    join page p on p.tenant = $1 and p.project_id = $6::uuid and p.path = l.from_path
    ${ITS_PROJECT}`)}
    union all
    ${linksOf(`page p ${ITS_PROJECT}
    cross join lateral (
      select e.kind, target.name as project, t.path, true as in_body, false as is_there
      from edge e
      join page t on t.tenant = $1 and t.id = e.to_id
      join project target on target.tenant = $1 and target.id = t.project_id
      where e.tenant = $1 and e.from_id = p.id and e.recorded_to = ${FOREVER} and e.in_body
        and not (t.project_id = any($2::uuid[]) and t.sensitivity <= $3::int2)
        and not ${SEES_ALL}
    ) l`)}
  ) l
  order by l.from_path, l.kind, l.project, l.path
  limit $7::int8
`;
