import { z } from 'zod';
import { InvalidInputError } from './errors.ts';
import type { Page } from './page.ts';
import { parseFirst } from './paging.ts';
import type { PageFilter, PageOrder, PagePosition, Stores } from './stores.ts';
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
 * and none is passed over while others are added.
 *
 * @throws {InvalidInputError} unless `first` is 1 to 1,000, and for a cursor of another list
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
  const { filter, order, after } = query;
  const first = parseFirst(query.first ?? DEFAULT_PAGES, {
    most: MAX_LISTED_PAGES,
    field: 'first',
  });
  const position = after === null ? null : parseCursor(after, order);
  const found = await pages.list(view, { filter, order, first, after: position });
  return {
    entries: found.pages.map((page) => ({ page, cursor: toCursor(page, order) })),
    hasMore: found.hasMore,
    isFirst: after === null,
  };
}

const CursorSchema = z.tuple([
  z.literal('l1'),
  z.string(),
  z.union([z.string(), z.int()]),
  z.uuid(),
]);

function toCursor(page: Page, order: PageOrder): string {
  const place = ['l1', nameOf(order), sortValue(page, order), page.id];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function parseCursor(cursor: string, order: PageOrder): PagePosition {
  const parsed = CursorSchema.safeParse(readJson(cursor));
  const isText = order.field === 'PATH' || order.field === 'TITLE';
  if (
    !parsed.success ||
    parsed.data[1] !== nameOf(order) ||
    (typeof parsed.data[2] === 'string') !== isText
  ) {
    throw new InvalidInputError('after', 'a cursor of this list in this order', cursor);
  }
  const [, , value, id] = parsed.data;
  return { value, id };
}

function nameOf({ field, direction }: PageOrder): string {
  return `${field} ${direction}`;
}

function sortValue(page: Page, { field }: PageOrder): string | number {
  switch (field) {
    case 'PATH':
      return page.path;
    case 'TITLE':
      return page.title;
    case 'RECORDED_AT':
      return page.recordedAt;
    case 'CREATED_AT':
      return page.createdAt;
    case 'IMPORTANCE':
      return page.importance;
  }
}

function readJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
