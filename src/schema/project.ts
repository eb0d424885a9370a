import type { Project } from '../memory/page.ts';
import { findProject } from '../memory/readable-projects.ts';
import { builder } from './builder.ts';

export const ProjectRef = builder.objectRef<Project>('Project');

builder.node(ProjectRef, {
  description: 'A namespace of pages in the tenant.',
  id: { resolve: (project) => project.id },
  loadManyWithoutCache: async (ids, { projects }) => {
    const { byId } = await projects();
    return ids.map((id) => byId.get(id) ?? null);
  },
  fields: (t) => ({
    name: t.exposeString('name', {
      description: 'Unique in the tenant; matched exactly, with no wildcards.',
    }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  }),
});

builder.queryField('project', (t) =>
  t.field({
    type: ProjectRef,
    nullable: true,
    description: 'One project by its exact name; null when it is not there, or not for the caller.',
    args: { name: t.arg.string({ required: true, description: 'Matched exactly.' }) },
    resolve: async (_root, { name }, { projects }) => findProject(await projects(), name, 'name'),
  }),
);
