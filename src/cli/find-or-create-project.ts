import { createProject, parseProjectName } from '../memory/create-project.ts';
import type { Project } from '../memory/page.ts';
import { LOCAL_PRINCIPAL } from '../memory/principal.ts';
import type { Stores } from '../memory/stores.ts';

/** The project of a name, made when it is not there. @throws {InvalidInputError} for a name that is none */
export async function findOrCreateProject(stores: Stores, given: string): Promise<Project> {
  const name = parseProjectName(given);
  const [found] = await stores.projects.list(LOCAL_PRINCIPAL.tenant, [name]);
  return found ?? createProject(stores, { principal: LOCAL_PRINCIPAL }, { name });
}
