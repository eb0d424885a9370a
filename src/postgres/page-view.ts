import { FOREVER } from '../memory/instant.ts';
import type { View } from '../memory/view.ts';
import { LAST_INSTANT, OPEN, SINCE_EVER } from './time-bounds.ts';

/**
 * What a view sees, as fixed pieces of SQL. A statement that uses one takes `viewValues` as its
 * first five parameters:
 *
 *     $1 text     tenant
 *     $2 uuid[]   projects of the view
 *     $3 int2     clearance of the view
 *     $4 int8     valid instant: now in the present; in the past null means whatever was valid
 *     $5 int8     recorded instant: the last of all in the present
 *
 * Two sets, since the present reads one narrow row of `page p` and the past must choose a version
 * `v` first. Nothing in them comes from outside, so they are as fixed as one written in place.
 */
export function viewValues({ tenant, projectIds, clearance, asOf, now }: View): unknown[] {
  const [validAt, recordedAt] = asOf ? [asOf.validAt, asOf.recordedAt] : [now, LAST_INSTANT];
  return [tenant, projectIds, clearance, validAt, recordedAt];
}

/** The first three of `viewValues`: what `IS_SEEN` takes. */
export function scopeValues({ tenant, projectIds, clearance }: View): unknown[] {
  return [tenant, projectIds, clearance];
}

/** The view sees `page p` in the present. */
export const IS_SEEN = `(
  p.tenant = $1 and p.project_id = any($2::uuid[]) and p.sensitivity <= $3::int2
)`;

/** The view sees `page p` with its chosen version `v` in the past. */
export const WAS_SEEN = `(
  p.tenant = $1 and p.project_id = any($2::uuid[]) and p.sensitivity <= $3::int2
  and v.sensitivity <= $3::int2
)`;

/**
 * The version of `page p` that a read of the past sees, to follow `from page p`; a page without one
 * drops out. The newest of those recorded by then; when a valid instant is given, the newest of those
 * true at it and not replaced, where one without an end gives way to one that began later: `holdsAt`
 * in memory, said the other way round. It is chosen before anyone asks who may read it: a version
 * that is too sensitive hides the page, and never gives way to an older one.
 *
 * Costs one look-up in the primary key for each page, two with a valid instant.
 */
export const CHOSEN_VERSION = chosenVersion('p', 'v');

/** As `CHOSEN_VERSION`: the version `sv` of a `page s` that another page is told from. */
export const CHOSEN_VERSION_OF_SUBJECT = chosenVersion('s', 'sv');

/** Whether a page that the view sees replaces `page p`. Only pages that are marked are looked up. */
export const IS_SUPERSEDED = `(
  case when p.superseded then exists (
    select from edge e
    join page s on s.tenant = e.tenant and s.id = e.from_id
    where e.tenant = $1 and e.to_id = p.id and e.kind = 'SUPERSEDES'
      and e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
      and e.valid_from <= $4::int8 and $4::int8 < e.valid_to
      and s.project_id = any($2::uuid[]) and s.sensitivity <= $3::int2
  ) else false end
)`;

/** Whether a page that the view saw replaced `page p` then. One look-up in `edge_in` for each page. */
export const WAS_SUPERSEDED = `(
  exists (
    select from edge e
    join page s on s.tenant = e.tenant and s.id = e.from_id
    ${chosenVersion('s', 'sv')}
    where e.tenant = $1 and e.to_id = p.id and e.kind = 'SUPERSEDES'
      and e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
      and e.valid_from <= coalesce($4::int8, $5::int8)
      and coalesce($4::int8, $5::int8) < e.valid_to
      and s.project_id = any($2::uuid[]) and s.sensitivity <= $3::int2
      and sv.sensitivity <= $3::int2
  )
)`;

/** `page p` has not been put away or replaced, whether it is expired or not: it can still be mended. */
export const STANDS = `(not p.archived and not ${IS_SUPERSEDED})`;

/** Whether `page p` is neither archived nor expired nor superseded: it is what holds now, and may dispute. */
export const IS_CURRENT = `($4::int8 < p.valid_to and ${STANDS})`;

/** `edge e` holds now, said so that the indexes of active edges can be read. */
export const HOLDS = `(
  e.tenant = $1 and e.recorded_to = ${FOREVER}
  and e.valid_from <= $4::int8 and $4::int8 < e.valid_to
)`;

/**
 * `edge e` is a contradiction that holds and that nobody has settled. It is open while both of its
 * pages are current: what has expired disputes nothing, and is disputed no more.
 */
export const IS_UNSETTLED = `(
  ${HOLDS} and not e.bare and e.kind = 'CONTRADICTS' and e.resolution = 'UNRESOLVED'
)`;

/** As `IS_CURRENT`, of then. Being archived has no history. */
export const WAS_CURRENT = `(
  coalesce($4::int8, $5::int8) < v.valid_to and not ${WAS_SUPERSEDED}
)`;

function chosenVersion(page: 'p' | 's', version: 'v' | 'sv'): string {
  const isKnown = (row: string) => `
    ${row}.tenant = ${page}.tenant and ${row}.page_id = ${page}.id and ${row}.recorded_at <= $5::int8`;
  const isTrue = (row: string) => `
    $5::int8 < ${row}.recorded_to
    and ${row}.valid_from <= $4::int8 and $4::int8 < ${row}.valid_to`;
  // From the last version on that gives way to none, the one that began last holds.
  return `cross join lateral (
    select w.*
    from page_version w
    where ${isKnown('w')} and ($4::int8 is null or (${isTrue('w')} and w.version >= coalesce((
      select max(h.version) from page_version h
      where ${isKnown('h')} and ${isTrue('h')}
        and (h.valid_to <> ${OPEN} or h.valid_from = ${SINCE_EVER})
    ), 0)))
    order by case when $4::int8 is null then null else w.valid_from end desc nulls last,
      w.version desc
    limit 1
  ) ${version}`;
}
