import { sensitivityRank } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import { IS_ABOUT, WAS_ABOUT } from './about-subjects.ts';
import {
  CHOSEN_VERSION,
  IS_SEEN,
  IS_SUPERSEDED,
  viewValues,
  WAS_SEEN,
  WAS_SUPERSEDED,
} from './page-view.ts';

/** The first parameter that is a statement's own, after those of `pageFilterValues`. */
export const FIRST_OWN_PARAMETER = 18;

/** What the filter asks of the page itself, whatever the version. */
const OF_THE_PAGE = `
  p.project_id = any($6::uuid[])
  and p.sensitivity <= $7::int2
  and ($9::text[] is null or p.tags @> $9::text[])
  and ($10::jsonb is null or p.attributes @> $10::jsonb)
  and ($11::uuid[] is null or p.id = any($11::uuid[]))
  and ($12::uuid[] is null or p.id <> all($12::uuid[]))
  and case when $16::uuid[] is null then true else exists (
    select from person_page a
    where a.tenant = $1 and a.page_id = p.id and a.person_id = any($16::uuid[])
      and a.state = 'RESOLVED'
  ) end
  and ($13::text is null or p.path = $13::text or starts_with(p.path, $13::text || '/'))
`;

/**
 * A page in the present that the view sees and the filter lets through: one condition over `page p`,
 * the same for lists, walks and every arm of recall, to stand before any limit. Beside the view's
 * $1 to $5 (see `viewValues`) it takes
 *
 *     $6 uuid[]   projects of view and filter both      $11 uuid[]  only these, or null
 *     $7 int2     the lower of clearance and ceiling    $12 uuid[]  none of these, or null
 *     $8 text[]   kinds, or null                        $13 text    this path and all under it, or null
 *     $9 text[]   tags, all of them, or null            $14 bool    no superseded pages
 *     $10 jsonb   contained in the attributes, or null  $15 bool    no archived pages
 *     $16 uuid[]  assigned to one of these people, or null
 *     $17 uuid[]  about one of these pages, or null
 *
 * A condition that is not given is null, which the planner folds away. An empty list of projects,
 * kinds or ids lets nothing through.
 */
export const PAGE_FILTER = `(
  ${IS_SEEN} and ${OF_THE_PAGE}
  and ($8::text[] is null or p.kind = any($8::text[]))
  and not ($15::bool and p.archived)
  and not case when $14::bool then ${IS_SUPERSEDED} else false end
  and ($17::uuid[] is null or ${IS_ABOUT})
)`;

/** Where a read of the past finds pages: `page p` with the version `v` that it sees of each. */
export const PAGES_THEN = `page p ${CHOSEN_VERSION}`;

/**
 * As `PAGE_FILTER`, with the same parameters, for a read of the past from `PAGES_THEN`. Kind and
 * sensitivity are those of the chosen version too; tags, attributes, path and people are not versioned.
 * Being archived has no history, so $15 says nothing here.
 */
export const PAGE_FILTER_THEN = `(
  ${WAS_SEEN} and ${OF_THE_PAGE}
  and v.sensitivity <= $7::int2
  and ($8::text[] is null or v.kind = any($8::text[]))
  and $15::bool is not null
  and not case when $14::bool then ${WAS_SUPERSEDED} else false end
  and ($17::uuid[] is null or ${WAS_ABOUT})
)`;

/** The parameters $1 to $17 of `PAGE_FILTER` and `PAGE_FILTER_THEN`. */
export function pageFilterValues(view: View, filter: PageFilter): unknown[] {
  const wanted = filter.projectIds && new Set(filter.projectIds);
  return [
    ...viewValues(view),
    wanted ? view.projectIds.filter((id) => wanted.has(id)) : view.projectIds,
    Math.min(view.clearance, filter.sensitivityCeiling ?? sensitivityRank('RESTRICTED')),
    filter.kinds ?? null,
    filter.tags ?? null,
    filter.attributes ? JSON.stringify(filter.attributes) : null,
    filter.includeIds ?? null,
    filter.excludeIds ?? null,
    filter.pathPrefix ?? null,
    filter.excludeSuperseded ?? false,
    filter.excludeArchived ?? false,
    filter.people ?? null,
    filter.subjects ?? null,
  ];
}
