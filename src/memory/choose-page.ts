import { InvalidInputError } from './errors.ts';
import type { PageId } from './page.ts';
import { parsePagePath } from './page-path.ts';
import type { PageKey } from './page-store.ts';
import { findProject, type ReadableProjects } from './readable-projects.ts';

/** Which page is asked for. */
export type PageChoice =
  | { readonly kind: 'ID'; readonly id: PageId }
  | { readonly kind: 'KEY'; readonly key: PageKey };

/**
 * One page, chosen by its id, or by its project and path.
 *
 * @returns null when the project is not there
 * @throws {InvalidInputError} for both choices at once or for none, for a project without a name and
 * for a text that is no path
 */
export function choosePage(
  projects: ReadableProjects,
  {
    id,
    project,
    path,
  }: {
    readonly id: PageId | null;
    readonly project: string | null;
    readonly path: string | null;
  },
): PageChoice | null {
  if (id !== null && project === null && path === null) return { kind: 'ID', id };
  if (id !== null || project === null || path === null) {
    throw new InvalidInputError('page', 'either id, or project and path', 'another choice');
  }
  const key = parsePagePath(path);
  const found = findProject(projects, project, 'project');
  return found && { kind: 'KEY', key: { projectId: found.id, path: key } };
}
