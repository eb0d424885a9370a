import type { Page, PageId } from '../memory/page.ts';
import type { AsOf } from '../memory/view.ts';
import type { RequestContext } from './context.ts';

/** What was read at an instant; null for the present. */
export type ReadAt<T> = T & { readonly readAt: AsOf | null };

/**
 * The page at an instant, through the request's loader; null when it went away between two
 * statements of this request.
 */
export function pageAt(
  { loadersAt }: RequestContext,
  id: PageId,
  readAt: AsOf | null,
): Promise<Page | null> {
  return loadersAt(readAt).page.load(id);
}

/** As `pageAt`, for many; those that went away are left out. */
export async function pagesAt(
  context: RequestContext,
  ids: readonly PageId[],
  readAt: AsOf | null,
): Promise<Page[]> {
  const found = await Promise.all(ids.map((id) => pageAt(context, id, readAt)));
  return found.filter((page) => page !== null);
}
