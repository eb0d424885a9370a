import { InvalidInputError } from '../memory/errors.ts';
import type { Project } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import { builder } from './builder.ts';
import { ProjectRef } from './project.ts';

const DEFAULT_PROJECTS = 50;
const MAX_PROJECTS = 1_000;

type ProjectList = {
  readonly projects: readonly Project[];
  readonly hasMore: boolean;
  readonly isFirst: boolean;
  readonly total: number;
};

const ProjectEdgeRef = builder.objectRef<Project>('ProjectEdge').implement({
  description: 'An entry of a list of projects.',
  fields: (t) => ({
    cursor: t.string({
      description: 'Opaque; pass it as `after` to go on from here.',
      resolve: toCursor,
    }),
    node: t.field({ type: ProjectRef, description: 'The project.', resolve: (project) => project }),
  }),
});

const ProjectConnectionRef = builder.objectRef<ProjectList>('ProjectConnection').implement({
  description: 'Projects by name.',
  fields: (t) => ({
    edges: t.field({
      type: [ProjectEdgeRef],
      description: 'The entries, each with its cursor.',
      resolve: ({ projects }) => projects,
    }),
    nodes: t.field({
      type: [ProjectRef],
      description: 'The projects, in the same order.',
      resolve: ({ projects }) => projects,
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'How to go on.',
      resolve: ({ projects, hasMore, isFirst }) => ({
        hasNextPage: hasMore,
        hasPreviousPage: !isFirst,
        startCursor: projects.map(toCursor).at(0) ?? null,
        endCursor: projects.map(toCursor).at(-1) ?? null,
      }),
    }),
    totalCount: t.exposeInt('total', { description: 'All projects that you may read.' }),
  }),
});

builder.queryField('projects', (t) =>
  t.field({
    type: ProjectConnectionRef,
    description: 'The projects that you may read, by name.',
    extensions: {
      size: ({ first }: { first?: number | null }) => first ?? DEFAULT_PROJECTS,
    },
    args: {
      first: t.arg.int({
        description: `How many, 1 to ${MAX_PROJECTS}; ${DEFAULT_PROJECTS} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection.' }),
    },
    resolve: async (_root, { first, after }, context) => {
      const all = [...(await context.projects()).values()];
      const count = parseFirst(first ?? DEFAULT_PROJECTS, { most: MAX_PROJECTS, field: 'first' });
      const last = after == null ? null : parseCursor(after);
      const rest = last === null ? all : all.filter(({ name }) => compare(name, last) > 0);
      return {
        projects: rest.slice(0, count),
        hasMore: rest.length > count,
        isFirst: last === null,
        total: all.length,
      };
    },
  }),
);

function toCursor({ name }: Project): string {
  return Buffer.from(`p1:${name}`).toString('base64url');
}

function parseCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith('p1:')) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  return text.slice(3);
}

/** By bytes of UTF-8, as the store orders names. */
function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
