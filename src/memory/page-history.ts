import { parseVersionCursor } from './cursor.ts';
import type { PageId } from './page.ts';
import { parseFirst } from './paging.ts';
import type { PageReader } from './stores.ts';

/** Versions of a history when the caller does not say how many. */
export const DEFAULT_VERSIONS = 10;

/** Most versions of one answer: each may carry a body of 1 MiB. */
export const MAX_VERSIONS = 100;

export type VersionRequest = Parameters<PageReader['listVersions']>[1][number];

/**
 * What to ask `PageReader.listVersions` for one page; a loader gathers the requests of many.
 *
 * @throws {InvalidInputError} naming `first` or `after`
 */
export function parseVersionRequest(
  pageId: PageId,
  paging: {
    readonly first?: number | null | undefined;
    readonly after?: string | null | undefined;
  },
): VersionRequest {
  return {
    pageId,
    first: parseFirst(paging.first ?? DEFAULT_VERSIONS, { most: MAX_VERSIONS, field: 'first' }),
    before: paging.after == null ? null : parseVersionCursor(paging.after),
  };
}
