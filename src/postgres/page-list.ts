import type { Page } from '../memory/page.ts';
import type { PageFilter, PageOrder, PageReader } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import type { Database } from './connect.ts';
import {
  FIRST_OWN_PARAMETER,
  PAGE_FILTER,
  PAGE_FILTER_THEN,
  PAGES_THEN,
  pageFilterValues,
} from './page-filter.ts';
import {
  CURRENT_CONTENT,
  PAGE_COLUMNS,
  PAGE_COLUMNS_THEN,
  type PageRow,
  toPage,
} from './page-rows.ts';

/** What each order sorts by, with the type of its value. Text sorts by bytes. */
const SORT_KEYS: { readonly [Field in PageOrder['field']]: readonly [string, 'text' | 'int8'] } = {
  PATH: ['p.path', 'text'],
  TITLE: ['v.title collate "C"', 'text'],
  RECORDED_AT: ['v.recorded_at', 'int8'],
  CREATED_AT: ['p.created_at', 'int8'],
  IMPORTANCE: ['p.importance', 'int8'],
};

/** At most `first` pages after a position, by value and then id, so that the place holds while rows are added. */
export async function listPages(
  database: Database,
  view: View,
  { filter, order, first, after }: Parameters<PageReader['list']>[1],
): Promise<{ pages: Page[]; hasMore: boolean }> {
  const isPast = view.asOf !== null;
  const [key, type] = SORT_KEYS[order.field];
  const [comparison, direction] = order.direction === 'ASC' ? ['>', 'asc'] : ['<', 'desc'];
  const [value, id, limit] = [0, 1, 2].map((offset) => `$${FIRST_OWN_PARAMETER + offset}`);
  const rows = await database.query<PageRow>({
    name: `page_list_${isPast ? 'then' : 'now'}_${order.field}_${direction}`.toLowerCase(),
    text: `
      select ${isPast ? PAGE_COLUMNS_THEN : PAGE_COLUMNS}
      from ${isPast ? PAGES_THEN : `page p ${CURRENT_CONTENT}`}
      where ${isPast ? PAGE_FILTER_THEN : PAGE_FILTER}
        and (${id}::uuid is null or (${key}, p.id) ${comparison} (${value}::${type}, ${id}::uuid))
      order by ${key} ${direction}, p.id ${direction}
      limit ${limit}
    `,
    values: [...pageFilterValues(view, filter), after?.value ?? null, after?.id ?? null, first + 1],
  });
  return {
    pages: rows.slice(0, first).map((row) => toPage(row, view)),
    hasMore: rows.length > first,
  };
}

export async function countPages(
  database: Database,
  view: View,
  filter: PageFilter,
): Promise<number> {
  const isPast = view.asOf !== null;
  const [row] = await database.query<{ count: number }>({
    name: `page_count_${isPast ? 'then' : 'now'}`,
    text: `
      select count(*) as count from ${isPast ? PAGES_THEN : 'page p'}
      where ${isPast ? PAGE_FILTER_THEN : PAGE_FILTER}
    `,
    values: pageFilterValues(view, filter),
  });
  return row?.count ?? 0;
}
