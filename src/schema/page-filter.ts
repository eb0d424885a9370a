import { InvalidInputError } from '../memory/errors.ts';
import { type ProjectId, sensitivityRank } from '../memory/page.ts';
import { parsePagePath } from '../memory/page-path.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { parsePageFilter } from '../memory/parse-page-filter.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { PageKindRef, SensitivityRef } from './enums.ts';
import { toPageId } from './global-id.ts';

export const PageFilterInputRef = builder.inputType('PageFilterInput', {
  description: 'Conditions on pages. All given ones must hold; one left out does not restrict.',
  fields: (t) => ({
    projects: t.stringList({
      description: 'Names of projects, each matched exactly. One that is not there is an error.',
    }),
    kinds: t.field({ type: [PageKindRef], description: 'Pages of one of these kinds.' }),
    tags: t.stringList({ description: 'Pages that carry every one of these tags.' }),
    attributes: t.field({
      type: 'JSONObject',
      description: 'Pages whose attributes contain this object.',
    }),
    pathPrefix: t.string({ description: 'The page of this path, and all pages under it.' }),
    includeIds: t.idList({ description: 'Only these pages.' }),
    excludeIds: t.idList({ description: 'None of these pages.' }),
    sensitivityCeiling: t.field({
      type: SensitivityRef,
      description: 'Pages up to this sensitivity. It narrows what the caller may read.',
    }),
    excludeSuperseded: t.boolean({ description: 'Leave out superseded pages; false by default.' }),
    excludeArchived: t.boolean({ description: 'Leave out archived pages; false by default.' }),
  }),
});

type FilterInput = Partial<typeof PageFilterInputRef.$inferInput>;

/** @throws {InvalidInputError} naming the field under `field` that does not fit */
export async function toPageFilter(
  input: FilterInput | null | undefined,
  field: string,
  context: RequestContext,
): Promise<PageFilter> {
  if (input == null) return {};
  const ids = (given: readonly string[], name: string) =>
    given.map((id, index) => toPageId(id, `${field}.${name}.${index}`));

  const filter: PageFilter = {
    ...(input.projects && {
      projectIds: await toProjectIds(input.projects, `${field}.projects`, context),
    }),
    ...(input.kinds && { kinds: input.kinds }),
    ...(input.tags && { tags: input.tags }),
    ...(input.attributes && { attributes: input.attributes }),
    ...(input.pathPrefix != null && {
      pathPrefix: parsePagePath(input.pathPrefix, `${field}.pathPrefix`),
    }),
    ...(input.includeIds && { includeIds: ids(input.includeIds, 'includeIds') }),
    ...(input.excludeIds && { excludeIds: ids(input.excludeIds, 'excludeIds') }),
    ...(input.sensitivityCeiling && {
      sensitivityCeiling: sensitivityRank(input.sensitivityCeiling),
    }),
    ...(input.excludeSuperseded && { excludeSuperseded: true }),
    ...(input.excludeArchived && { excludeArchived: true }),
  };
  return parsePageFilter(filter, field);
}

/** The ids of readable projects by exact name. @throws {InvalidInputError} for one that is not there */
export async function toProjectIds(
  names: readonly string[],
  field: string,
  { projects }: RequestContext,
): Promise<ProjectId[]> {
  const readable = [...(await projects()).values()];
  return names.map((name, index) => {
    const project = readable.find((candidate) => candidate.name === name);
    if (project !== undefined) return project.id;
    throw new InvalidInputError(`${field}.${index}`, 'the name of a project', name);
  });
}
