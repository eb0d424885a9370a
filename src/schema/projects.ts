import { DEFAULT_PROJECTS, listProjects, MAX_PROJECTS } from '../memory/list-projects.ts';
import type { Project } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import { builder } from './builder.ts';
import { connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import { ProjectRef } from './project.ts';

const ProjectEdgeRef = entryOf('ProjectEdge', ProjectRef, {
  description: 'An entry of a list of projects.',
  noun: 'project',
});

const ProjectConnectionRef = builder
  .objectRef<Listed<Entry<Project>>>('ProjectConnection')
  .implement({
    description: 'Projects by name.',
    fields: (t) =>
      connectionFields(t, {
        edge: ProjectEdgeRef,
        node: ProjectRef,
        nodes: 'The projects, in the same order.',
        totalCount: 'All projects that you may read.',
      }),
  });

builder.queryField('projects', (t) =>
  t.field({
    type: ProjectConnectionRef,
    nullable: true,
    description: 'The projects that you may read, by name.',
    extensions: {
      size: ({ first }: { first?: number | null }) =>
        parseFirst(first ?? DEFAULT_PROJECTS, { most: MAX_PROJECTS, field: 'first' }),
    },
    args: {
      first: t.arg.int({
        description: `How many, 1 to ${MAX_PROJECTS}; ${DEFAULT_PROJECTS} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection.' }),
    },
    resolve: async (_root, { first, after }, { projects }) => {
      const { total, ...list } = listProjects(await projects(), {
        first: first ?? null,
        after: after ?? null,
      });
      return { ...list, total: () => total };
    },
  }),
);
