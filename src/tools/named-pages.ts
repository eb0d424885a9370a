import type { Access } from '../memory/access.ts';
import { InvalidInputError, NotFoundError } from '../memory/errors.ts';
import type { Page, Project } from '../memory/page.ts';
import { parsePagePath } from '../memory/page-path.ts';
import type { PageKey } from '../memory/page-store.ts';
import { projectOf, type ReadableProjects, requireProject } from '../memory/readable-projects.ts';
import { quoteText } from '../memory/shown-text.ts';
import type { View } from '../memory/view.ts';
import type { ToolSettings } from './tool.ts';

/** Projects that a refusal names; a caller may have thousands. */
const MAX_PROJECTS_SHOWN = 20;

/** A page as a tool names it, `project:path` or a path alone, and the argument that it stood in. */
export type PageName = { readonly name: string; readonly field: string };

/** Where paths lead that name no project: what the call names, else what the server does. */
export type HomeProject = {
  readonly given: string | undefined;
  readonly settings: Pick<ToolSettings, 'defaultProject'>;
};

/**
 * The project of paths that name none: the given one, else the server's default, else the only one
 * that the caller has.
 *
 * @throws {NotFoundError} for one that is not there
 * @throws {InvalidInputError} naming the projects, where it could be several
 */
export function requireHome(projects: ReadableProjects, home: HomeProject): Project {
  const name = home.given ?? home.settings.defaultProject;
  if (name !== null) return requireProject(projects, name, 'project');
  const [only, another] = projects.byName.values();
  if (only === undefined) {
    throw new InvalidInputError('project', 'a project, and `createProject` makes one', 'none');
  }
  if (another === undefined) return only;
  const names = [...projects.byName.keys()];
  const known = names.slice(0, MAX_PROJECTS_SHOWN).map(quoteText).join(', ');
  const rest = names.length > MAX_PROJECTS_SHOWN ? `, or one of ${names.length} in all` : '';
  throw new InvalidInputError('project', `one of the projects ${known}${rest}`, 'none');
}

/**
 * The pages of names, in order. One statement.
 *
 * @throws {InvalidInputError} naming the argument that holds no path
 * @throws {NotFoundError} naming the first argument whose page is not there
 */
export async function findNamed(
  { stores }: Pick<Access, 'stores'>,
  view: View,
  names: readonly PageName[],
  where: { readonly projects: ReadableProjects; readonly home: HomeProject },
): Promise<Page[]> {
  const keys = names.map((name) => toKey(name, where));
  const found = await stores.pages.findManyByKey(view, keys);
  return names.map(({ name, field }, index) => {
    const page = found[index] ?? null;
    if (page === null) throw new NotFoundError(field, `a page ${quoteText(name)}`);
    return page;
  });
}

/** What stands before the first colon is a project where the caller has one of that name. */
function toKey(
  { name, field }: PageName,
  { projects, home }: { readonly projects: ReadableProjects; readonly home: HomeProject },
): PageKey {
  const colon = name.indexOf(':');
  const project =
    colon < 1 ? undefined : projects.byName.get(name.slice(0, colon).normalize('NFC'));
  return project === undefined
    ? { projectId: requireHome(projects, home).id, path: parsePagePath(name, field) }
    : { projectId: project.id, path: parsePagePath(name.slice(colon + 1), field) };
}

/** A page as tools name it in what they answer: `project:path`, which they take again. */
export function nameOf(
  { projectId, path }: Pick<Page, 'projectId' | 'path'>,
  projects: ReadableProjects,
): string {
  return `${projectOf(projects, projectId).name}:${path}`;
}
