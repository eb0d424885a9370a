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

/** Pages that a view sees and a filter lets through, as pieces of one statement. */
export type FilteredPages = {
  /** Where the pages are read, as `page p`; a read of the past has the chosen version `v` too. */
  readonly pages: string;
  /** What a page must meet, to stand before any limit: the same for lists, walks and every arm. */
  readonly condition: string;
  /** The parameters before `FIRST_OWN_PARAMETER`; all of them are there, whatever is asked. */
  readonly values: readonly unknown[];
  /** Differs where the text does: part of the name of a prepared statement. */
  readonly shape: string;
};

/** The first parameter that is a statement's own. */
export const FIRST_OWN_PARAMETER = 16;

/**
 * A condition that is not given is left out of the text, and not asked of each page: a statement is
 * planned once for its shape, and a plan that holds for any value can't leave out what is null.
 * Projects without a filter are those of the view. An empty list of projects, kinds or ids lets
 * nothing through.
 */
export function filterPages(view: View, filter: PageFilter = {}): FilteredPages {
  const isPast = view.asOf !== null;
  const given = CONDITIONS.filter(({ field }) => isGiven(filter[field]));
  const conditions = given.map(({ present, past }) => (isPast ? (past ?? present) : present));
  const bits = given.reduce((sum, condition) => sum | (1 << CONDITIONS.indexOf(condition)), 0);
  return {
    pages: isPast ? PAGES_THEN : 'page p',
    condition: `(${[isPast ? WAS_SEEN : IS_SEEN, ...conditions, TYPES].join(' and ')})`,
    values: valuesOf(view, filter),
    shape: `${isPast ? 'then' : 'now'}_${bits.toString(36)}`,
  };
}

/** Where a read of the past finds pages: `page p` with the version `v` that it sees of each. */
export const PAGES_THEN = `page p ${CHOSEN_VERSION}`;

type Condition = {
  readonly field: keyof PageFilter;
  readonly present: string;
  /** In a read of the past, where it differs: kind and sensitivity are the chosen version's too. */
  readonly past?: string;
};

/** Tags, attributes, path, people and being archived have no history: the past asks today's. */
const CONDITIONS: readonly Condition[] = [
  { field: 'projectIds', present: 'p.project_id = any($6::uuid[])' },
  {
    field: 'sensitivityCeiling',
    present: 'p.sensitivity <= $7::int2',
    past: 'p.sensitivity <= $7::int2 and v.sensitivity <= $7::int2',
  },
  { field: 'kinds', present: 'p.kind = any($8::text[])', past: 'v.kind = any($8::text[])' },
  { field: 'tags', present: 'p.tags @> $9::text[]' },
  { field: 'attributes', present: 'p.attributes @> $10::jsonb' },
  { field: 'includeIds', present: 'p.id = any($11::uuid[])' },
  { field: 'excludeIds', present: 'p.id <> all($12::uuid[])' },
  { field: 'pathPrefix', present: `(p.path = $13::text or starts_with(p.path, $13::text || '/'))` },
  {
    field: 'people',
    present: `exists (
      select from person_page a
      where a.tenant = $1 and a.page_id = p.id and a.person_id = any($14::uuid[])
        and a.state = 'RESOLVED'
    )`,
  },
  { field: 'subjects', present: IS_ABOUT, past: WAS_ABOUT },
  { field: 'excludeSuperseded', present: `not ${IS_SUPERSEDED}`, past: `not ${WAS_SUPERSEDED}` },
  { field: 'excludeArchived', present: 'not p.archived', past: 'true' },
];

/** Tells Postgres the type of parameters that no condition names; the planner drops it. */
const TYPES = `(true or num_nulls($4::int8, $5::int8, $6::uuid[], $7::int2, $8::text[], $9::text[],
  $10::jsonb, $11::uuid[], $12::uuid[], $13::text, $14::uuid[], $15::uuid[]) = 0)`;

function isGiven(value: PageFilter[keyof PageFilter]): boolean {
  return value !== undefined && value !== false;
}

function valuesOf(view: View, filter: PageFilter): unknown[] {
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
    filter.people ?? null,
    filter.subjects ?? null,
  ];
}
