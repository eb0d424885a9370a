import type { Edge } from '../memory/edge.ts';
import type { Walk, WalkQuery } from '../memory/graph-store.ts';
import { FOREVER } from '../memory/instant.ts';
import type { PageId } from '../memory/page.ts';
import { BY_LEDGER } from '../memory/served.ts';
import type { View } from '../memory/view.ts';
import { toWalk, type WalkLevel } from '../memory/walk-levels.ts';
import { EDGE_COLUMNS_AT, type EdgeRow, FORMER_STATE, toActiveEdge } from './edge-rows.ts';
import { FIRST_OWN_PARAMETER, filterPages } from './page-filter.ts';
import { viewValues } from './page-view.ts';
import type { Connection } from './session.ts';
import { IS_ACTIVE, onePage, pagesInView, visibleEdges } from './visible-edges.ts';

/** One level of a walk: the pages found, each with the place of its parent in the level before. */
type LevelRow = {
  readonly depth: number;
  readonly ids: readonly PageId[];
  readonly parents: readonly number[];
  readonly vias: readonly string[];
  readonly outs: readonly boolean[];
  /** Pages of the level before that have more edges than were followed. */
  readonly crowded: readonly PageId[];
  /** Pages of the level before whose edges were not all examined. */
  readonly unscanned: readonly PageId[];
  readonly is_full: boolean;
  /** The page whose edge led to the first page that was left out. */
  readonly full_at: PageId | null;
};

/**
 * As `GraphStore.walk`. Two statements: the levels, then the edges among what they reached. Give it
 * a snapshot; without one, a page whose edge is removed in between is left out with what lies behind.
 */
export async function walk(connection: Connection, view: View, query: WalkQuery): Promise<Walk> {
  const levels = await readLevels(connection, view, query);
  const ids = levels.flatMap((level) => level.ids);
  const edges = await readEdgesAmong(connection, view, ids, query.kinds);

  return { ...toWalk(levels.map(toLevel), edges), served: BY_LEDGER };
}

const [FROM, KINDS, DIRECTION, DEPTH, MAX_PAGES, FAN_OUT] = [0, 1, 2, 3, 4, 5].map(
  (offset) => `$${FIRST_OWN_PARAMETER + offset}`,
);

/**
 * One row for each level, since a plain recursive query cannot drop pages that an earlier level
 * has. No name: the plan must know the arrays.
 */
async function readLevels(
  connection: Connection,
  view: View,
  { from, kinds, direction, depth, maxPages, fanOut, where }: WalkQuery,
): Promise<LevelRow[]> {
  const reached = filterPages(view, where);
  const edges = visibleEdges(
    {
      page: 'f.id',
      kinds: `${KINDS}::text[]`,
      direction: `${DIRECTION}::text`,
      limit: `${FAN_OUT}::int8 + 1`,
    },
    reached,
  );
  return connection.query<LevelRow>({
    text: `
      with recursive level as (
        select 0 as depth, s.ids[1:${MAX_PAGES}::int4] as ids, '{}'::int8[] as parents,
          '{}'::uuid[] as vias, '{}'::boolean[] as outs, s.ids[1:${MAX_PAGES}::int4] as seen,
          '{}'::uuid[] as crowded, '{}'::uuid[] as unscanned,
          cardinality(s.ids) > ${MAX_PAGES}::int4 as is_full, null::uuid as full_at
        from (
          select coalesce(array_agg(f.id order by f.position), '{}') as ids
          from unnest(${FROM}::uuid[]) with ordinality as f(id, position)
          cross join lateral (${onePage('f.id', pagesInView(view))}) seen
        ) s
        union all
        select level.depth + 1, n.ids, n.parents, n.vias, n.outs, level.seen || n.ids,
          n.crowded, n.unscanned, n.is_full, n.full_at
        from level
        cross join lateral (select ${MAX_PAGES}::int4 - cardinality(level.seen) as size) room
        cross join lateral (
          with listed as materialized (
            select f.id as page_id, f.position, u.*
            from unnest(level.ids) with ordinality as f(id, position)
            cross join lateral (
              select s.*,
                row_number() over (order by s.is_cut, s.bare, s.at desc, s.id) as place
              from (${edges}) s
            ) u
          ),
          fresh as materialized (
            select d.*, row_number() over (order by d.position, d.place) as rank
            from (
              select distinct on (l.other) l.*
              from listed l
              where not l.is_cut and l.place <= ${FAN_OUT}::int8
                and not exists (select from unnest(level.seen) as t(id) where t.id = l.other)
              order by l.other, l.position, l.place
            ) d
            order by d.position, d.place
            limit room.size + 1
          ),
          kept as (select * from fresh where rank <= room.size)
          select
            coalesce(array_agg(kept.other order by rank), '{}') as ids,
            coalesce(array_agg(kept.position order by rank), '{}') as parents,
            coalesce(array_agg(kept.id order by rank), '{}') as vias,
            coalesce(array_agg(kept.is_out order by rank), '{}') as outs,
            array(
              select page_id from listed
              where not is_cut and place = ${FAN_OUT}::int8 + 1 order by position
            ) as crowded,
            array(
              select page_id from listed where is_cut group by page_id, position order by position
            ) as unscanned,
            exists (select from fresh where rank > room.size) as is_full,
            (select page_id from fresh where rank > room.size) as full_at
          from kept
        ) n
        where level.depth < ${DEPTH}::int4 and not level.is_full and cardinality(level.ids) > 0
      )
      select depth, ids, parents, vias, outs, crowded, unscanned, is_full, full_at
      from level order by depth`,
    values: [...reached.values, from, kinds, direction, depth, maxPages, fanOut],
  });
}

/** All edges with both ends in a list of pages, in order. No name: the plan must know the arrays. */
async function readEdgesAmong(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
  kinds: WalkQuery['kinds'],
): Promise<Edge[]> {
  if (ids.length < 2) return [];
  // Said literally, it lets the index of active edges find a pair without reading a hub's edges.
  const present = view.asOf === null ? `and e.recorded_to = ${FOREVER}` : '';
  const rows = await connection.query<EdgeRow>({
    text: `
      select ${EDGE_COLUMNS_AT} from edge e ${FORMER_STATE}
      where e.tenant = $1 and e.from_id = any($2::uuid[]) and e.to_id = any($2::uuid[])
        and e.kind = any($3::text[]) and ${IS_ACTIVE} ${present}
      order by e.bare, e.at desc, e.id`,
    values: [view.tenant, ids, kinds, ...viewValues(view).slice(3)],
  });
  return rows.map(toActiveEdge);
}

function toLevel(level: LevelRow): WalkLevel {
  return {
    found: level.ids.map((pageId, place) => ({
      pageId,
      parent: (level.parents[place] ?? 0) - 1,
      via:
        level.depth === 0
          ? null
          : { edgeId: level.vias[place] ?? '', isOut: level.outs[place] === true },
    })),
    crowded: level.crowded,
    unscanned: level.unscanned,
    isFull: level.is_full,
    fullAt: level.full_at,
  };
}
