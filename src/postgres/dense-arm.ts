import type { PageId } from '../memory/page.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { ArmQuery, DenseHit } from '../memory/recall-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { FIRST_OWN_PARAMETER, type FilteredPages, filterPages } from './page-filter.ts';

/** Up to this many passages in scope, all are compared: exact, and as fast as the graph index. */
export const MAX_EXACT_PASSAGES = 2_000;
/** Passages read for each wanted page, since several may be of one page. */
const PASSAGES_PER_PAGE = 3;

type Vector = { readonly vector: Float32Array; readonly model: string };

type HitRow = {
  readonly page_id: PageId;
  readonly distance: number;
  readonly ordinal: number;
  readonly start_offset: number;
  readonly end_offset: number;
};

/**
 * The pages whose best passage is nearest by cosine. The filters come first: where few passages pass
 * them all are compared; else the graph index is read on until enough pass, and all are compared
 * after all when it came back short.
 *
 * Costs one statement for many passages, two for few, one more where the first passages belong to
 * few pages. Needs a SEARCH transaction.
 */
export async function searchByVector(
  connection: Connection,
  view: View,
  { filter, window, vector, model }: ArmQuery & Vector,
  mostExact = MAX_EXACT_PASSAGES,
): Promise<DenseHit[]> {
  const query = { pages: filterPages(view, filter), filter, window, vector, model };
  const near = await connection.query<HitRow>(searchByIndex(query, mostExact));
  const hits = bestOfPages(near).slice(0, window);
  if (hits.length === window) return hits;

  if (near.length === 0) {
    const rows = await connection.query<HitRow>(searchExactly(query));
    const exact = bestOfPages(rows).slice(0, window);
    const wasCut = rows.length === window * PASSAGES_PER_PAGE;
    if (exact.length === window || !wasCut) return exact;
  }
  return bestOfPages(await connection.query<HitRow>(everyPage(query)));
}

/** The exact cosine of the best passage of each page, in order; null where a page has no vector. */
export async function similarities(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
  { vector, model }: Vector,
): Promise<(DenseHit | null)[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<HitRow>({
    name: 'passage_find_best_of_pages',
    text: `
      select distinct on (s.page_id) s.page_id, s.embedding <=> $5::vector as distance, s.ordinal,
        s.start_offset, s.end_offset
      from passage s
      where s.tenant = $1 and s.page_id = any($2::uuid[]) and s.project_id = any($3::uuid[])
        and s.model = $4 and s.embedding is not null
      order by s.page_id, distance, s.ordinal
    `,
    values: [view.tenant, ids, view.projectIds, model, toVectorBytes(vector)],
  });
  const found = new Map(bestOfPages(rows).map((hit) => [hit.pageId, hit]));
  return ids.map((id) => found.get(id) ?? null);
}

type Query = ArmQuery & Vector & { readonly pages: FilteredPages };

/** Whether a filter may leave few pages of its projects; others are not worth a look at the pages. */
function isSelective({ projectIds, excludeSuperseded, excludeArchived, ...rest }: PageFilter) {
  return Object.values(rest).some((condition) => condition !== undefined);
}

const [VECTOR, MODEL, LAST] = [0, 1, 2].map((offset) => `$${FIRST_OWN_PARAMETER + offset}`);

const COLUMNS = `s.page_id, s.embedding <=> ${VECTOR}::vector as distance, s.ordinal,
  s.start_offset, s.end_offset`;

const IS_SEARCHED = `s.tenant = $1 and s.project_id = any($6::uuid[]) and s.model = ${MODEL}
  and s.embedding is not null`;

/** The limit makes it a look-up for each passage: a plan for a new tenant would join all with all. */
function itsPage({ pages, condition }: FilteredPages): string {
  return `cross join lateral (
    select p.id, p.path from ${pages}
    where p.tenant = $1 and p.id = s.page_id and ${condition} limit 1
  ) p`;
}

function searched({ pages }: Query): string {
  return `passage s ${itsPage(pages)} where ${IS_SEARCHED}`;
}

/** Adding zero keeps the graph index out: every passage is compared. */
function searchExactly(query: Query) {
  return {
    name: `passage_search_exactly_${query.pages.shape}`,
    text: `
      select ${COLUMNS} from ${searched(query)}
      order by (s.embedding <=> ${VECTOR}::vector) + 0, p.path, p.id, s.ordinal
      limit ${LAST}
    `,
    values: [...valuesOf(query), query.window * PASSAGES_PER_PAGE],
  };
}

/**
 * Nothing where so few passages can be of use that comparing all is as fast: those that pass a filter
 * which may leave few, else all of the projects.
 *
 * Each page is looked up by itself, and the limit stands in the text: so the planner takes the graph
 * index without knowing the parameters, and plans once. Planning anew took a third of the time.
 */
function searchByIndex(query: Query, mostExact: number) {
  const { pages, filter, window } = query;
  const limit = window * PASSAGES_PER_PAGE;
  const useful = isSelective(filter)
    ? `passage s ${itsPage(pages)} where s.tenant = $1 and s.project_id = any($6::uuid[])`
    : `passage where tenant = $1 and project_id = any($6::uuid[])`;
  return {
    name: `passage_search_by_index_${limit}_${pages.shape}`,
    text: `
      select near.* from (
        select ${COLUMNS}, p.path
        from passage s
        ${itsPage(pages)}
        where ${IS_SEARCHED}
        order by s.embedding <=> ${VECTOR}::vector
        limit ${limit}
      ) near
      where (select count(*) from (select from ${useful} limit ${LAST}::int8 + 1) few) > ${LAST}::int8
      order by near.distance, near.path, near.page_id, near.ordinal
    `,
    values: [...valuesOf(query), mostExact],
  };
}

function everyPage(query: Query) {
  return {
    name: `passage_search_every_page_${query.pages.shape}`,
    text: `
      select best.* from (
        select distinct on (s.page_id) ${COLUMNS}, p.path from ${searched(query)}
        order by s.page_id, distance, s.ordinal
      ) best
      order by best.distance, best.path, best.page_id
      limit ${LAST}
    `,
    values: [...valuesOf(query), query.window],
  };
}

function valuesOf({ pages, vector, model }: Query): unknown[] {
  return [...pages.values, toVectorBytes(vector), model];
}

/** A vector as pgvector receives it in binary: four times faster to read than text. */
function toVectorBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.alloc(4 + 4 * vector.length);
  bytes.writeInt16BE(vector.length, 0);
  for (const [index, value] of vector.entries()) bytes.writeFloatBE(value, 4 + 4 * index);
  return bytes;
}

/** The first passage of each page, which is its best. */
function bestOfPages(rows: readonly HitRow[]): DenseHit[] {
  const hits = new Map<PageId, DenseHit>();
  for (const row of rows) {
    if (hits.has(row.page_id)) continue;
    hits.set(row.page_id, {
      pageId: row.page_id,
      similarity: Math.min(1, Math.max(-1, 1 - row.distance)),
      passage: { ordinal: row.ordinal, start: row.start_offset, end: row.end_offset },
    });
  }
  return [...hits.values()];
}
