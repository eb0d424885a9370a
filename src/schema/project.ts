import { InvalidInputError } from '../memory/errors.ts';
import type { Project } from '../memory/page.ts';
import { builder } from './builder.ts';
import { readGlobalId } from './global-id.ts';

export const ProjectRef = builder.objectRef<Project>('Project');

builder.node(ProjectRef, {
  description: 'A namespace of pages in the tenant.',
  id: { resolve: (project) => project.id },
  loadMany: async (ids, { projects }) => {
    const readable = await projects();
    return ids.map((id) => readable.get(id) ?? null);
  },
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Unique in the tenant; matched exactly, with no wildcards.',
    }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

builder.asEntity(ProjectRef, {
  key: [builder.selection<{ id: string }>('id'), builder.selection<{ name: string }>('name')],
  resolveReference: async (reference, { projects }) => findProject(reference, await projects()),
});

builder.queryField('project', (t) =>
  t.field({
    type: ProjectRef,
    nullable: true,
    description: 'One project by its exact name; null when it is not there, or not for the caller.',
    args: { name: t.arg.string({ required: true, description: 'Matched exactly.' }) },
    resolve: async (_root, { name }, { projects }) => {
      if (name === '')
        throw new InvalidInputError('name', 'the name of a project', 'an empty text');
      return findProject({ name }, await projects());
    },
  }),
);

/** A readable project by id or exact name; null when it is not there. */
export function findProject(
  reference: { readonly id?: string; readonly name?: string },
  readable: ReadonlyMap<string, Project>,
): Project | null {
  if (reference.id !== undefined) {
    const found = readGlobalId(reference.id);
    return found?.type === 'Project' ? (readable.get(found.id) ?? null) : null;
  }
  return [...readable.values()].find((project) => project.name === reference.name) ?? null;
}
