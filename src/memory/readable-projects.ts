import { InvalidInputError, NotFoundError } from './errors.ts';
import type { Project, ProjectId } from './page.ts';

/** Longer than any name, UTF-16 units: normalising takes the square of the marks on one letter. */
const MAX_LOOKED_UP = 1_000;

/** The projects that a caller may use; in both maps by name, ascending. */
export type ReadableProjects = {
  readonly byId: ReadonlyMap<ProjectId, Project>;
  readonly byName: ReadonlyMap<string, Project>;
};

/** @param projects  by name, ascending */
export function toReadableProjects(projects: readonly Project[]): ReadableProjects {
  return {
    byId: new Map(projects.map((project) => [project.id, project])),
    byName: new Map(projects.map((project) => [project.name, project])),
  };
}

/** Names are kept in NFC; one that is too long for a name is looked up as it is. */
function toName(name: string): string {
  return name.length > MAX_LOOKED_UP ? name : name.normalize('NFC');
}

/** The project of a name, matched exactly in NFC; null when it is not there. @throws {InvalidInputError} for no text */
export function findProject(
  { byName }: ReadableProjects,
  name: string,
  field: string,
): Project | null {
  if (name === '') throw new InvalidInputError(field, 'the name of a project', 'an empty text');
  return byName.get(toName(name)) ?? null;
}

/** The project that a write goes to. @throws {InvalidInputError} for no name; {NotFoundError} for an unknown one */
export function requireProject(
  projects: ReadableProjects,
  name: string | null | undefined,
  field: string,
): Project {
  if (name == null) throw new InvalidInputError(field, 'the name of a project', 'none');
  const found = findProject(projects, name, field);
  if (found === null) throw new NotFoundError(field, `a project named "${name}"`);
  return found;
}

/** The project of a page that the caller was shown. @throws {Error} for one that is not the caller's: a bug */
export function projectOf({ byId }: ReadableProjects, id: ProjectId): Project {
  const project = byId.get(id);
  if (project === undefined) throw new Error(`Expected a readable project, but got ${id}.`);
  return project;
}

/** The ids of projects by exact name. @throws {InvalidInputError} naming the first that is not there */
export function findProjectIds(
  { byName }: ReadableProjects,
  names: readonly string[],
  fieldOf: (index: number) => string,
): ProjectId[] {
  return names.map((name, index) => {
    const project = byName.get(toName(name));
    if (project !== undefined) return project.id;
    throw new InvalidInputError(fieldOf(index), 'the name of a project', name);
  });
}
