import { sensitivityRank } from '../memory/page.ts';
import { parsePagePath } from '../memory/page-path.ts';
import type { PageFilter } from '../memory/page-store.ts';
import { MAX_FILTER_IDS, parsePageFilter } from '../memory/parse-page-filter.ts';
import { findProjectIds } from '../memory/readable-projects.ts';
import { type BuilderTypes, builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { PageKindRef, SensitivityRef } from './enums.ts';
import { toPageId, toPersonId } from './global-id.ts';

/** The conditions that every search of pages takes. */
export function conditions(t: PothosSchemaTypes.InputFieldBuilder<BuilderTypes, 'InputObject'>) {
  return {
    tags: t.stringList({ description: 'Pages that carry every one of these tags.' }),
    attributes: t.field({
      type: 'JSONObject',
      description: 'Pages whose attributes contain this object.',
    }),
    people: t.idList({
      description: `Pages that one of these people is assigned to, \`RESOLVED\`; at most ${MAX_FILTER_IDS}. With \`includeIds\`, pages that meet both.`,
    }),
    includeIds: t.idList({ description: `Only these pages, at most ${MAX_FILTER_IDS}.` }),
    excludeIds: t.idList({ description: `None of these pages, at most ${MAX_FILTER_IDS}.` }),
    subjects: t.idList({
      description: `Pages about one of these: one of them itself, or joined to one by an active edge of any kind, either way. At most ${MAX_FILTER_IDS}.`,
    }),
    sensitivityCeiling: t.field({
      type: SensitivityRef,
      description: 'Pages up to this sensitivity. It narrows what the caller may read.',
    }),
  };
}

export const PageFilterInputRef = builder.inputType('PageFilterInput', {
  description: 'Conditions on pages. All given ones must hold; one left out does not restrict.',
  fields: (t) => ({
    projects: t.stringList({
      description: 'Names of projects, each matched exactly. One that is not there is an error.',
    }),
    kinds: t.field({ type: [PageKindRef], description: 'Pages of one of these kinds.' }),
    ...conditions(t),
    pathPrefix: t.string({ description: 'The page of this path, and all pages under it.' }),
    excludeSuperseded: t.boolean({ description: 'Leave out superseded pages; false by default.' }),
    excludeArchived: t.boolean({ description: 'Leave out archived pages; false by default.' }),
  }),
});

type FilterInput = Partial<typeof PageFilterInputRef.$inferInput>;

/** @throws {InvalidInputError} naming the condition that does not fit, inside `within` when it is given */
export async function toPageFilter(
  input: FilterInput | null | undefined,
  within: string | null,
  context: RequestContext,
): Promise<PageFilter> {
  if (input == null) return {};
  const named = (name: string) => (within === null ? name : `${within}.${name}`);
  const ids = (given: readonly string[], name: string) =>
    given.map((id, index) => toPageId(id, named(`${name}.${index}`)));

  const filter: PageFilter = {
    ...(input.projects && {
      projectIds: findProjectIds(await context.projects(), input.projects, (index) =>
        named(`projects.${index}`),
      ),
    }),
    ...(input.kinds && { kinds: input.kinds }),
    ...(input.tags && { tags: input.tags }),
    ...(input.attributes && { attributes: input.attributes }),
    ...(input.pathPrefix != null && {
      pathPrefix: parsePagePath(input.pathPrefix, named('pathPrefix')),
    }),
    ...(input.people && {
      people: input.people.map((id, index) => toPersonId(id, named(`people.${index}`))),
    }),
    ...(input.includeIds && { includeIds: ids(input.includeIds, 'includeIds') }),
    ...(input.excludeIds && { excludeIds: ids(input.excludeIds, 'excludeIds') }),
    ...(input.subjects && { subjects: ids(input.subjects, 'subjects') }),
    ...(input.sensitivityCeiling && {
      sensitivityCeiling: sensitivityRank(input.sensitivityCeiling),
    }),
    ...(input.excludeSuperseded && { excludeSuperseded: true }),
    ...(input.excludeArchived && { excludeArchived: true }),
  };
  return parsePageFilter(filter, named);
}
