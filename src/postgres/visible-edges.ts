import { MAX_SCANNED_EDGES } from '../memory/graph-limits.ts';
import type { View } from '../memory/view.ts';
import { PAGES_THEN } from './page-filter.ts';
import { IS_SEEN, WAS_SEEN } from './page-view.ts';

/**
 * Whether an edge `e` is active at the instant of the view, as two conditions on the parameters of
 * `viewValues`.
 */
export const IS_ACTIVE = `(
  e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
  and e.valid_from <= coalesce($4::int8, $5::int8) and coalesce($4::int8, $5::int8) < e.valid_to
)`;

/** Where pages are read, and the condition that one can be seen. */
export type PageSource = { readonly pages: string; readonly condition: string };

/** Pages that the view sees; takes the parameters of `viewValues`. */
export function pagesInView({ asOf }: View): PageSource {
  return asOf === null
    ? { pages: 'page p', condition: IS_SEEN }
    : { pages: PAGES_THEN, condition: WAS_SEEN };
}

/**
 * The page of one id, if it is there, to be joined laterally. It has a limit, since the planner
 * would otherwise hash all pages of the projects for the sake of a few.
 */
export function onePage(id: string, { pages, condition }: PageSource): string {
  return `select true as is_there from ${pages} where p.tenant = $1 and p.id = ${id} and ${condition} limit 1`;
}

/** Names in a statement that `visibleEdges` refers to. Never text from outside. */
export type EdgesOf = {
  /** The page. */
  readonly page: string;
  /** The kinds, a text[]. */
  readonly kinds: string;
  /** `OUT`, `IN` or `BOTH`. */
  readonly direction: string;
  /** Most edges of each kind and direction; the caller cuts the whole. */
  readonly limit: string;
  /** Only edges `e` that hold it. */
  readonly where?: string;
  /** Most rows to examine of each kind and direction. */
  readonly scan?: number | null;
};

/**
 * The visible edges of one page, at most `limit` of each kind and direction, newest first, for use
 * in a lateral join. Each index is read in its order and only as far as needed: the cap stands in a
 * subquery, since the planner takes a plain one for what will be read, and would rather sort all of a
 * hub. One row more, with `is_cut`, says that the cap ended a list before it was full.
 *
 * Columns: id, bare, at, other (the far end), is_out, is_cut.
 */
export function visibleEdges(
  { page, kinds, direction, limit, where = 'true', scan = MAX_SCANNED_EDGES }: EdgesOf,
  pages: PageSource,
): string {
  const isCut = scan === null ? 'false' : `x.n > ${scan}`;
  const side = (near: string, far: string, unwanted: string) => `
    select h.id, h.bare, h.at, h.other, ${near === 'from_id'} as is_out, h.is_cut
    from unnest(${kinds}) as k(kind)
    cross join lateral (
      select x.id, x.bare, x.at, x.other, ${isCut} as is_cut
      from (
        select s.*, row_number() over () as n from (
          select e.id, e.bare, e.at, e.${far} as other, ${IS_ACTIVE} as is_active
          from edge e
          where e.tenant = $1 and e.${near} = ${page} and e.kind = k.kind
            and ${direction} <> '${unwanted}' and ${where}
          order by e.at desc, e.id
          limit ${scan === null ? 'all' : `(select ${scan + 1})`}
        ) s
        order by s.at desc, s.id
      ) x
      left join lateral (${onePage('x.other', pages)}) far on x.is_active
      where far.is_there or ${isCut}
      order by x.at desc, x.id
      limit ${limit}
    ) h`;
  return `${side('from_id', 'to_id', 'IN')} union all ${side('to_id', 'from_id', 'OUT')}`;
}
