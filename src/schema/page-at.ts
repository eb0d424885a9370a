import { NotFoundError } from '../memory/errors.ts';
import type { Page, PageId } from '../memory/page.ts';
import type { AsOf } from '../memory/view.ts';
import type { RequestContext } from './context.ts';

/**
 * The page at an instant, through the request's loader.
 *
 * @throws {NotFoundError} when it went away between two statements of this request
 */
export async function pageAt(
  { loadersAt }: RequestContext,
  id: PageId,
  readAt: AsOf | null,
): Promise<Page> {
  const page = await loadersAt(readAt).page.load(id);
  if (page === null) throw new NotFoundError('page', 'a page that was there a moment ago');
  return page;
}
