import type { Page } from '../memory/page.ts';
import type { PageFilter, PageOrder, PageReader } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { FIRST_OWN_PARAMETER, type FilteredPages, filterPages } from './page-filter.ts';
import {
  CURRENT_CONTENT,
  PAGE_COLUMNS,
  PAGE_COLUMNS_THEN,
  type PageRow,
  toPage,
} from './page-rows.ts';

/** What each order sorts by in the present, in the past, and the type of its value. Text sorts by bytes. */
const SORT_KEYS: {
  readonly [Field in PageOrder['field']]: readonly [string, string, 'text' | 'int8'];
} = {
  PATH: ['p.path', 'p.path', 'text'],
  TITLE: ['p.title collate "C"', 'v.title collate "C"', 'text'],
  RECORDED_AT: ['p.recorded_at', 'v.recorded_at', 'int8'],
  CREATED_AT: ['p.created_at', 'p.created_at', 'int8'],
  IMPORTANCE: ['p.importance', 'p.importance', 'int8'],
};

const [LIMIT, VALUE, ID] = [0, 1, 2].map((offset) => `$${FIRST_OWN_PARAMETER + offset}`);

/**
 * At most `first` pages after a position: a value and then an id, not a count, so that the place
 * holds while rows are added. The present reads the index of its order from there on, as far as it
 * takes to find enough that pass the filter; the past chooses a version of each page and sorts them,
 * about 100 ms for 20,000 in the embedded engine.
 */
export async function listPages(
  connection: Connection,
  view: View,
  { filter, order, first, after }: Parameters<PageReader['list']>[1],
): Promise<{ pages: Page[]; hasMore: boolean }> {
  const pages = filterPages(view, filter);
  const toText = view.asOf === null ? listPresent : listPast;
  const rows = await connection.query<PageRow>({
    // No name: the plan must know how few are asked for.
    text: toText(pages, order, after !== null),
    // One more than asked tells whether there are more.
    values: [...pages.values, first + 1, ...(after === null ? [] : [after.value, after.id])],
  });
  return {
    pages: rows.slice(0, first).map((row) => toPage(row, view)),
    hasMore: rows.length > first,
  };
}

export async function countListed(
  connection: Connection,
  view: View,
  filter: PageFilter,
): Promise<number> {
  const { pages, condition, values, shape } = filterPages(view, filter);
  const [row] = await connection.query<{ count: number }>({
    name: `page_count_${shape}`,
    text: `select count(*) as count from ${pages} where ${condition}`,
    values,
  });
  return row?.count ?? 0;
}

/** Joins the contents last: of the pages that are answered alone. */
function listPresent(
  { pages, condition }: FilteredPages,
  order: PageOrder,
  isLater: boolean,
): string {
  const [key] = SORT_KEYS[order.field];
  return `
    select ${PAGE_COLUMNS}
    from (
      select p.* from ${pages}
      where ${condition} ${isLater ? isAfter(order, key) : ''}
      ${sortBy(order, key)}
      limit ${LIMIT}::int8
    ) p ${CURRENT_CONTENT}
    ${sortBy(order, key)}
  `;
}

function listPast({ pages, condition }: FilteredPages, order: PageOrder, isLater: boolean): string {
  const [, key] = SORT_KEYS[order.field];
  return `
    select ${PAGE_COLUMNS_THEN}
    from ${pages}
    where ${condition} ${isLater ? isAfter(order, key) : ''}
    ${sortBy(order, key)}
    limit ${LIMIT}::int8
  `;
}

/** Said alone, not as one of two cases, or no index would begin there. */
function isAfter({ field, direction }: PageOrder, key: string): string {
  const [, , type] = SORT_KEYS[field];
  const comparison = direction === 'ASC' ? '>' : '<';
  return `and (${key}, p.id) ${comparison} (${VALUE}::${type}, ${ID}::uuid)`;
}

function sortBy({ direction }: PageOrder, key: string): string {
  const end = direction === 'ASC' ? 'asc' : 'desc';
  return `order by ${key} ${end}, p.id ${end}`;
}
