import { brandWithType } from '@pothos/core';
import { InvalidInputError, LimitExceededError } from '../memory/errors.ts';
import type { Page, Project } from '../memory/page.ts';
import type { Person } from '../memory/person.ts';
import type { Session } from '../memory/session.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { type NodeId, readGlobalId } from './global-id.ts';
import { PageRef } from './page.ts';
import { PersonRef } from './person.ts';
import { ProjectRef } from './project.ts';
import { SessionRef } from './session.ts';

/** Most ids, or references of a gateway, of one call. */
export const MAX_NODES = 1_000;

builder.queryField('nodes', (t) =>
  t.field({
    type: [builder.nodeInterfaceRef()],
    nullable: { list: false, items: true },
    description:
      'As `node`, for many ids at once, in the order asked; null in the place of each that is not there. A malformed one is an error in its own place.',
    extensions: {
      size: ({ ids }: { ids: readonly string[] }) => countNodes(ids, 'ids'),
    },
    args: {
      ids: t.arg.idList({
        required: true,
        description: 'Ids of pages, projects, sessions and people, at most 1,000.',
      }),
    },
    resolve: (_root, { ids }, context) =>
      ids.map(async (id, index) => {
        const found = readGlobalId(id);
        if (found !== null) return findNode(found, context);
        throw new InvalidInputError(`ids.${index}`, 'an id that this server gave', id);
      }),
  }),
);

/** How many are asked for. @throws {LimitExceededError} for more than `MAX_NODES` */
export function countNodes({ length }: { readonly length: number }, field: string): number {
  if (length > MAX_NODES) throw new LimitExceededError(field, MAX_NODES, length);
  return length;
}

/** What has an id, marked with its type; null when it is not there, or not for the caller. */
export async function findNode(
  { type, id }: NodeId,
  context: RequestContext,
): Promise<Page | Project | Session | Person | null> {
  if (type === 'Page' || type === 'Project') return findEntityNode({ type, id }, context);
  const { session, person } = context.loadersAt(null);
  const found = type === 'Session' ? await session.load(id) : await person.load(id);
  brandWithType(found, type === 'Session' ? SessionRef : PersonRef);
  return found;
}

/** As `findNode`, of what a gateway may refer to. */
export async function findEntityNode(
  { type, id }: { readonly type: 'Page' | 'Project'; readonly id: string },
  { loadersAt, projects }: RequestContext,
): Promise<Page | Project | null> {
  return type === 'Page'
    ? markPage(await loadersAt(null).page.load(id))
    : markProject((await projects()).byId.get(id));
}

/** A page that an interface or a union can tell from other things. */
export function markPage(page: Page | null | undefined): Page | null {
  brandWithType(page, PageRef);
  return page ?? null;
}

/** As `markPage`. */
export function markProject(project: Project | null | undefined): Project | null {
  brandWithType(project, ProjectRef);
  return project ?? null;
}
