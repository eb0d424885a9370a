import type { Edge, EdgeId } from '../memory/edge.ts';
import type { EdgeList, EdgeListRequest } from '../memory/graph-store.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { BY_LEDGER } from '../memory/served.ts';
import type { View } from '../memory/view.ts';
import {
  EDGE_COLUMNS_AT,
  type EdgeRow,
  FORMER_STATE,
  RESOLUTION_AT,
  toActiveEdge,
} from './edge-rows.ts';
import { filterPages } from './page-filter.ts';
import { IS_CURRENT, viewValues, WAS_CURRENT } from './page-view.ts';
import type { Connection } from './session.ts';
import { IS_ACTIVE, onePage, type PageSource, pagesInView, visibleEdges } from './visible-edges.ts';

type Found = { readonly position: number; readonly total: number };
type ListRow = Found & EdgeRow & { readonly is_out: boolean };
/** Of a page without edges. */
type EmptyRow = Found & { readonly id: null };

/** As `GraphStore.listEdges`. An edge is read under a limit, or the planner may read all of a tenant for each page. */
export async function listEdges(
  connection: Connection,
  view: View,
  requests: readonly EdgeListRequest[],
  where?: PageFilter,
): Promise<EdgeList[]> {
  if (requests.length === 0) return [];
  const { shape, values, ...pages } = filterPages(view, where);
  const others = othersOf(pages, view);
  const rows = await connection.query<ListRow | EmptyRow>({
    name: `edge_list_${shape}`,
    text: `
      select r.position, o.total + i.total as total, h.is_out, e.*
      from jsonb_to_recordset($${values.length + 1}::jsonb) as r(
        position int4, page_id uuid, kinds text[], direction text, first int4, with_total boolean,
        resolutions text[], only_current boolean, after_bare boolean, after_at int8, after_id uuid)
      cross join lateral (${onePage('r.page_id', pagesInView(view))}) near
      cross join lateral (${countOf('from_id', 'to_id', 'IN', others)}) o
      cross join lateral (${countOf('to_id', 'from_id', 'OUT', others)}) i
      left join lateral (
        select * from (${visibleEdges(LISTED, others)}) u
        order by u.bare, u.at desc, u.id
        limit r.first + 1
      ) h on true
      left join lateral (
        select ${EDGE_COLUMNS_AT} from edge e ${FORMER_STATE}
        where e.tenant = $1 and e.id = h.id limit 1
      ) e on true
      order by r.position, h.bare, h.at desc, h.id`,
    values: [...values, JSON.stringify(requests.map(toRow))],
  });

  const found = Map.groupBy(rows, ({ position }) => position);
  return requests.map(({ first }, position) => toList(found.get(position) ?? [], first));
}

/** Whether the state of a contradiction at the view's instant is one of those asked for. */
const HAS_RESOLUTION = `(r.resolutions is null or (
  select ${RESOLUTION_AT} from (select 1) one ${FORMER_STATE}
) = any(r.resolutions))`;

/** The pages at the other ends: asked before the limit, or edges that don't count would fill it. */
function othersOf({ pages, condition }: PageSource, { asOf }: View): PageSource {
  const isCurrent = asOf === null ? IS_CURRENT : WAS_CURRENT;
  return {
    pages,
    condition: `${condition} and case when r.only_current then ${isCurrent} else true end`,
  };
}

const LISTED = {
  page: 'r.page_id',
  kinds: 'r.kinds',
  direction: 'r.direction',
  limit: 'r.first + 1',
  // The bound on `at` is where the index starts; the rest cuts off ties.
  where: `${HAS_RESOLUTION} and e.at <= case
      when r.after_id is null then ${Number.MAX_SAFE_INTEGER}
      when (k.kind = 'REFERENCES') = r.after_bare then r.after_at
      when r.after_bare then ${Number.MIN_SAFE_INTEGER}
      else ${Number.MAX_SAFE_INTEGER} end
    and (r.after_id is null or (k.kind = 'REFERENCES') <> r.after_bare
      or e.at < r.after_at or e.id > r.after_id)`,
  // Lists go on until they are complete: a cursor must be able to reach what it stands before.
  scan: null,
};

function countOf(
  near: string,
  far: string,
  unwanted: string,
  { pages, condition }: PageSource,
): string {
  return `
    select count(*) as total from edge e
    cross join ${pages}
    where r.with_total and e.tenant = $1 and e.${near} = r.page_id and e.kind = any(r.kinds)
      and r.direction <> '${unwanted}' and ${IS_ACTIVE}
      and ${HAS_RESOLUTION} and p.tenant = $1 and p.id = e.${far} and ${condition}`;
}

function toRow(request: EdgeListRequest, position: number) {
  return {
    position,
    page_id: request.pageId,
    kinds: [...new Set(request.kinds)],
    direction: request.direction,
    first: request.first,
    resolutions: request.resolutions,
    only_current: request.onlyCurrent ?? false,
    with_total: request.withTotal ?? true,
    after_bare: request.after?.bare,
    after_at: request.after?.at,
    after_id: request.after?.id,
  };
}

function toList(rows: readonly (ListRow | EmptyRow)[], first: number): EdgeList {
  return {
    edges: rows
      .slice(0, first)
      .flatMap((row) =>
        row.id === null ? [] : [{ edge: toActiveEdge(row), direction: row.is_out ? 'OUT' : 'IN' }],
      ),
    hasMore: rows.length > first,
    total: rows[0]?.total ?? 0,
    served: BY_LEDGER,
  };
}

/** As `GraphStore.findManyEdges`. */
export async function findManyEdges(
  connection: Connection,
  view: View,
  ids: readonly EdgeId[],
): Promise<(Edge | null)[]> {
  if (ids.length === 0) return [];
  const pages = pagesInView(view);
  const rows = await connection.query<EdgeRow>({
    name: view.asOf === null ? 'edge_find_many' : 'edge_find_many_past',
    text: `
      select ${EDGE_COLUMNS_AT} from edge e ${FORMER_STATE}
      cross join lateral (${onePage('e.from_id', pages)}) origin
      cross join lateral (${onePage('e.to_id', pages)}) target
      where e.tenant = $1 and e.id = any($6::uuid[]) and ${IS_ACTIVE}`,
    values: [...viewValues(view), ids],
  });
  const edges = new Map<EdgeId, Edge>(rows.map((row) => [row.id, toActiveEdge(row)]));
  return ids.map((id) => edges.get(id) ?? null);
}
