import { parseProjectCursor, toProjectCursor } from './cursor.ts';
import type { Project } from './page.ts';
import { parseFirst } from './paging.ts';
import type { ReadableProjects } from './readable-projects.ts';

/** Entries of a list of projects when the caller does not say how many. */
export const DEFAULT_PROJECTS = 50;
/** Most entries of one list; more come with the next cursor. */
export const MAX_PROJECTS = 1_000;

export type ProjectList = {
  readonly entries: readonly { readonly node: Project; readonly cursor: string }[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  readonly total: number;
};

/**
 * Projects by name, from after a cursor.
 *
 * @throws {InvalidInputError} unless `first` is whole and positive, and for a cursor of another list
 * @throws {LimitExceededError} if `first` is above 1,000
 */
export function listProjects(
  { byName }: ReadableProjects,
  query: { readonly first: number | null; readonly after: string | null },
): ProjectList {
  const first = parseFirst(query.first ?? DEFAULT_PROJECTS, { most: MAX_PROJECTS, field: 'first' });
  const last = query.after === null ? null : parseProjectCursor(query.after);
  const all = [...byName.values()];
  const rest = last === null ? all : all.filter(({ name }) => compareBytes(name, last) > 0);
  return {
    entries: rest
      .slice(0, first)
      .map((project) => ({ node: project, cursor: toProjectCursor(project.name) })),
    hasMore: rest.length > first,
    isFirst: last === null,
    total: all.length,
  };
}

/** By bytes of UTF-8, as the store orders names. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
