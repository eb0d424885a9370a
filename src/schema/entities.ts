import { printSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLSchema } from 'graphql';
import { z } from 'zod';
import type { Page, Project } from '../memory/page.ts';
import { readPagePath } from '../memory/page-path.ts';
import { builder } from './builder.ts';
import { toComposedSdl } from './composed-sdl.ts';
import type { RequestContext } from './context.ts';
import { readGlobalId } from './global-id.ts';
import { countNodes, findEntityNode, markPage, markProject } from './nodes.ts';
import { PageRef } from './page.ts';
import { ProjectRef } from './project.ts';

/** What a gateway may name something by; an id goes before a natural key. */
const ReferenceSchema = z.union([
  z.object({ __typename: z.enum(['Page', 'Project']), id: z.string() }),
  z.object({
    __typename: z.literal('Page'),
    project: z.object({ name: z.string() }),
    path: z.string(),
  }),
  z.object({ __typename: z.literal('Project'), name: z.string() }),
]);

builder.asEntity(PageRef, {
  key: [
    builder.selection<{ id: string }>('id'),
    builder.selection<{ project: { name: string }; path: string }>('project { name } path'),
  ],
  resolveReference: unused,
});

builder.asEntity(ProjectRef, {
  key: [builder.selection<{ id: string }>('id'), builder.selection<{ name: string }>('name')],
  resolveReference: unused,
});

const AnyRef = builder.scalarType('_Any', { serialize: (value) => value });

const EntityRef = builder.unionType('_Entity', { types: [PageRef, ProjectRef] });

// In place of the plugin's field, in which one reference that is none ends all of them.
builder.queryField('_entities', (t) =>
  t.field({
    type: [EntityRef],
    nullable: { list: false, items: true },
    extensions: {
      size: ({ representations }: { representations: readonly unknown[] }) =>
        countNodes(representations, 'representations'),
    },
    args: { representations: t.arg({ type: [AnyRef], required: true }) },
    resolve: (_root, { representations }, context) =>
      representations.map((reference) => findEntity(reference, context)),
  }),
);

/** What a reference names; null for what is not there, malformed, or not for the caller. */
async function findEntity(
  reference: unknown,
  context: RequestContext,
): Promise<Page | Project | null> {
  const parsed = ReferenceSchema.safeParse(reference);
  if (!parsed.success) return null;
  if ('id' in parsed.data) {
    const { __typename: type, id } = parsed.data;
    const node = readGlobalId(id);
    return node?.type === type ? findEntityNode({ type, id: node.id }, context) : null;
  }

  const { byName } = await context.projects();
  if (parsed.data.__typename === 'Project') {
    return markProject(byName.get(parsed.data.name));
  }
  const project = byName.get(parsed.data.project.name);
  const path = readPagePath(parsed.data.path);
  if (project === undefined || path === null) return null;
  const key = { projectId: project.id, path };
  return markPage(await context.loadersAt(null).pageByKey.load(key));
}

/** The plugin asks for it; only its own `_entities` would call it. */
function unused(): never {
  throw new Error('Expected _entities to find what a reference names.');
}

const ServiceRef = builder.objectRef<{ readonly sdl: string }>('_Service').implement({
  fields: (t) => ({
    sdl: t.exposeString('sdl', {
      description: 'This subgraph as a gateway composes it, federation directives included.',
    }),
  }),
});

/** The text that gateways ask for takes a while to print, and never changes. */
const printed = new WeakMap<GraphQLSchema, string>();

builder.queryField('_service', (t) =>
  t.field({
    type: ServiceRef,
    resolve: (_root, _args, _context, { schema }) => {
      const sdl = printed.get(schema) ?? toComposedSdl(printSubgraphSchema(schema));
      printed.set(schema, sdl);
      return { sdl };
    },
  }),
);
