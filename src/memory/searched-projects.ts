import type { ProjectId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import type { View } from './view.ts';

/** Those projects of the view that the filter asks for; all when it names none. */
export function searchedProjects(view: View, { projectIds }: PageFilter): readonly ProjectId[] {
  return projectIds === undefined
    ? view.projectIds
    : view.projectIds.filter((id) => projectIds.includes(id));
}
