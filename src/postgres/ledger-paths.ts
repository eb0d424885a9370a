import type { Direction, Step } from '../memory/edge.ts';
import { MAX_PATH_HOPS, MAX_TRUNCATIONS, PATH_FAN_OUT } from '../memory/graph-limits.ts';
import type { PathQuery, ShortestPaths, Truncation } from '../memory/graph-store.ts';
import type { PageId } from '../memory/page.ts';
import { BY_LEDGER } from '../memory/served.ts';
import { type Expand, type Hop, searchShortestPaths } from '../memory/shortest-paths.ts';
import type { View } from '../memory/view.ts';
import { findManyEdges } from './ledger-edges.ts';
import { filterPages } from './page-filter.ts';
import { viewValues } from './page-view.ts';
import type { Connection } from './session.ts';
import { pagesInView, visibleEdges } from './visible-edges.ts';

type HopRow = {
  readonly page_id: PageId;
  readonly other: PageId;
  readonly id: string;
  readonly bare: boolean;
  readonly at: number;
  readonly is_out: boolean;
  readonly is_cut: boolean;
  readonly is_over: boolean;
};

/** As `GraphStore.shortestPaths`. One statement for each level, one for the ends, one for the steps. */
export async function shortestPaths(
  connection: Connection,
  view: View,
  { from, to, kinds, direction, maxDepth, k }: PathQuery,
): Promise<ShortestPaths> {
  if (!(await areVisible(connection, view, [from, to])))
    return { paths: [], truncated: [], served: BY_LEDGER };

  const expand: Expand = (pageIds, way, seen) =>
    expandPages(connection, view, { pageIds, kinds, direction: way, seen });
  const found = await searchShortestPaths({ from, to, direction, maxDepth, k, expand });
  return {
    paths: await toSteps(connection, view, found.paths),
    truncated: found.truncated.slice(0, MAX_TRUNCATIONS),
    served: BY_LEDGER,
  };
}

async function areVisible(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
): Promise<boolean> {
  const asked = [...new Set(ids)];
  const { pages, condition, values } = filterPages(view, { includeIds: asked });
  const rows = await connection.query<{ id: PageId }>({
    text: `select p.id from ${pages} where ${condition}`,
    values,
  });
  return rows.length === asked.length;
}

async function expandPages(
  connection: Connection,
  view: View,
  query: {
    readonly pageIds: readonly PageId[];
    readonly kinds: PathQuery['kinds'];
    readonly direction: Direction;
    readonly seen: readonly PageId[];
  },
): ReturnType<Expand> {
  const edges = visibleEdges(
    { page: 'f.id', kinds: '$7::text[]', direction: '$8::text', limit: `${PATH_FAN_OUT + 1}` },
    pagesInView(view),
  );
  const rows = await connection.query<HopRow>({
    text: `
      select f.id as page_id, u.other, u.id, u.bare, u.at, u.is_out, u.is_cut,
        not u.is_cut and u.place > ${PATH_FAN_OUT} as is_over
      from unnest($6::uuid[]) with ordinality as f(id, position)
      cross join lateral (
        select s.*, row_number() over (order by s.is_cut, s.bare, s.at desc, s.id) as place
        from (${edges}) s
      ) u
      where u.is_cut or u.place <= ${PATH_FAN_OUT + 1}
        and not exists (select from unnest($9::uuid[]) as t(id) where t.id = u.other)
      order by f.position, u.place
      limit ${MAX_PATH_HOPS + 1}`,
    values: [...viewValues(view), query.pageIds, query.kinds, query.direction, query.seen],
  });
  return {
    hops: rows
      .slice(0, MAX_PATH_HOPS)
      .filter((row) => !row.is_cut && !row.is_over)
      .map(toHop),
    truncated: toTruncated(rows),
  };
}

function toHop(row: HopRow): Hop {
  return {
    id: row.id,
    bare: row.bare,
    at: row.at,
    pageId: row.page_id,
    otherId: row.other,
    direction: row.is_out ? 'OUT' : 'IN',
  };
}

function toTruncated(rows: readonly HopRow[]): Truncation[] {
  const full = rows[MAX_PATH_HOPS];
  const over = rows.filter((row) => row.is_over).map((row) => row.page_id);
  const cut = rows.filter((row) => row.is_cut).map((row) => row.page_id);
  return [
    ...(full === undefined ? [] : [{ reason: 'MAX_PAGES', at: full.page_id } as const]),
    ...[...new Set(over)].map((at) => ({ reason: 'FAN_OUT', at }) as const),
    ...[...new Set(cut)].map((at) => ({ reason: 'SCAN', at }) as const),
  ];
}

async function toSteps(
  connection: Connection,
  view: View,
  paths: readonly (readonly Hop[])[],
): Promise<Step[][]> {
  const ids = [...new Set(paths.flat().map(({ id }) => id))];
  const found = await findManyEdges(connection, view, ids);
  const edges = new Map(ids.map((id, index) => [id, found[index] ?? null]));
  return paths.flatMap((path) => {
    const steps = path.flatMap(({ id, direction }) => {
      const edge = edges.get(id) ?? null;
      return edge === null ? [] : [{ edge, direction }];
    });
    return steps.length === path.length ? [steps] : [];
  });
}
