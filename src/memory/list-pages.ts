import { parsePageCursor, toPageCursor } from './cursor.ts';
import type { Page } from './page.ts';
import type { PageFilter, PageOrder } from './page-store.ts';
import { parseFirst } from './paging.ts';
import { parsePageFilter } from './parse-page-filter.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** Entries of a list of pages when the caller does not say how many. */
export const DEFAULT_PAGES = 20;
/** Most entries of one list; more come with the next cursor. */
export const MAX_LISTED_PAGES = 1_000;

export type PageList = {
  readonly entries: readonly { readonly page: Page; readonly cursor: string }[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
};

/**
 * Pages in an order, from after a cursor. The cursor is the place of a page, so no page comes twice
 * and none is passed over while others are added; one that changes its own place meanwhile may.
 *
 * @throws {InvalidInputError} unless `first` is whole and positive, for a cursor of another order, and
 * for text in the filter that no page can hold
 * @throws {LimitExceededError} if `first` is above 1,000
 */
export async function listPages(
  { pages }: Pick<Stores, 'pages'>,
  view: View,
  query: {
    readonly filter: PageFilter;
    readonly order: PageOrder;
    readonly first: number | null;
    readonly after: string | null;
  },
): Promise<PageList> {
  const { order, after } = query;
  const filter = parsePageFilter(query.filter);
  const first = parseFirst(query.first ?? DEFAULT_PAGES, {
    most: MAX_LISTED_PAGES,
    field: 'first',
  });
  const position = after === null ? null : parsePageCursor(after, order);
  const found = await pages.list(view, { filter, order, first, after: position });
  return {
    entries: found.pages.map((page) => ({ page, cursor: toPageCursor(page, order) })),
    hasMore: found.hasMore,
    isFirst: after === null,
  };
}
