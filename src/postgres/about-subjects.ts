import { CHOSEN_VERSION_OF_SUBJECT } from './page-view.ts';

/**
 * Whether `page p` is about one of the pages $15: one of them itself, or joined to one by an edge of
 * any kind, either way, that is active at the instant of the view. A subject that the view does not
 * see is none. Takes the parameters of `viewValues` too.
 *
 * The pages are gathered once for the whole statement: two reads of an index of edges for each
 * subject.
 */
export const IS_ABOUT = aboutSubjects('', '');

/** As `IS_ABOUT`, for a read of the past. */
export const WAS_ABOUT = aboutSubjects(CHOSEN_VERSION_OF_SUBJECT, 'and sv.sensitivity <= $3::int2');

function aboutSubjects(version: string, isVersionSeen: string): string {
  const far = (near: string, end: string) => `
    select e.${end} from edge e
    where e.tenant = $1 and e.${near} = s.id
      and e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
      and e.valid_from <= coalesce($4::int8, $5::int8)
      and coalesce($4::int8, $5::int8) < e.valid_to`;
  return `p.id in (
    select about.id
    from page s ${version}
    cross join lateral (
      select s.id union all ${far('from_id', 'to_id')} union all ${far('to_id', 'from_id')}
    ) about(id)
    where s.tenant = $1 and s.id = any($15::uuid[])
      and s.project_id = any($2::uuid[]) and s.sensitivity <= $3::int2 ${isVersionSeen}
  )`;
}
