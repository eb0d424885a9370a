import { NotFoundError } from '../memory/errors.ts';
import type { Project } from '../memory/page.ts';
import { parseFirst } from '../memory/paging.ts';
import { MAX_OBSERVED_PAGES } from '../memory/record-observation.ts';
import type { Observation, Session } from '../memory/session.ts';
import {
  parseObservationCursor,
  parseSessionCursor,
  toObservationCursor,
  toSessionCursor,
} from '../memory/session-cursor.ts';
import { builder } from './builder.ts';
import { connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import type { RequestContext } from './context.ts';
import { SensitivityRef } from './enums.ts';
import { PageRef } from './page.ts';
import { pageAt, pagesAt } from './page-at.ts';
import { ProjectRef } from './project.ts';

const DEFAULT_ENTRIES = 20;
const MAX_ENTRIES = 100;

export const SessionRef = builder.objectRef<Session>('Session');

builder.node(SessionRef, {
  description:
    'One stretch of work of an agent in a project. What it observed is evidence; its end writes a page.',
  id: { resolve: (session) => session.id },
  loadManyWithoutCache: async (ids, { loadersAt }) => {
    const found = await loadersAt(null).session.loadMany(ids);
    return found.map((session) => (session instanceof Error ? raise(session) : session));
  },
  fields: (t) => ({
    project: t.field({ type: ProjectRef, description: 'Where it belongs.', resolve: projectOf }),
    agent: t.exposeString('agent', { description: 'Who works; at most 128 characters.' }),
    task: t.exposeString('task', {
      description: 'What for, at most 300 characters; the title of the page that it ends in.',
    }),
    sensitivity: t.expose('sensitivity', {
      type: SensitivityRef,
      description: 'Who may read of it. An observation may be more sensitive, and so may the page.',
    }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When it began.' }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it goes on.',
    }),
    page: t.field({
      type: PageRef,
      nullable: true,
      description:
        'What it came to: its observations, most important first. As sensitive as the most sensitive of them; null while it goes on, and where the page is not for you.',
      resolve: ({ pageId }, _args, context) =>
        pageId === null ? null : pageAt(context, pageId, null),
    }),
  }),
});

export const ObservationRef = builder.objectRef<Observation>('Observation').implement({
  description:
    'What an agent noted in a session. It is for those alone who may read every page that it is about.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'At most 4,000 characters.' }),
    importance: t.exposeInt('importance', { description: '1 to 10.' }),
    about: t.field({
      type: [PageRef],
      extensions: { size: () => MAX_OBSERVED_PAGES },
      description: `The pages that it is about, by path; at most ${MAX_OBSERVED_PAGES}.`,
      resolve: ({ pageIds }, _args, context) => pagesAt(context, pageIds, null),
    }),
    recordedAt: t.expose('recordedAt', { type: 'DateTime', description: 'When it was noted.' }),
  }),
});

const ObservationEdgeRef = entryOf('ObservationEdge', ObservationRef, {
  description: 'An entry of a list of observations.',
  noun: 'observation',
});

const ObservationConnectionRef = builder
  .objectRef<Listed<Entry<Observation>>>('ObservationConnection')
  .implement({
    description: 'Observations of a session, most important first, of equal ones the earlier.',
    fields: (t) =>
      connectionFields(t, {
        edge: ObservationEdgeRef,
        node: ObservationRef,
        nodes: 'The observations, in the same order.',
        totalCount: 'All of them that you may read.',
      }),
  });

const SessionEdgeRef = entryOf('SessionEdge', SessionRef, {
  description: 'An entry of a list of sessions.',
  noun: 'session',
});

const SessionConnectionRef = builder
  .objectRef<Listed<Entry<Session>>>('SessionConnection')
  .implement({
    description: 'Sessions of a project, newest first.',
    fields: (t) =>
      connectionFields(t, {
        edge: SessionEdgeRef,
        node: SessionRef,
        nodes: 'The sessions, in the same order.',
        totalCount: 'All of them that you may read.',
      }),
  });

const SIZE = { size: ({ first }: { first?: number | null }) => toCount(first) };
const FIRST = { description: `How many, 1 to ${MAX_ENTRIES}; ${DEFAULT_ENTRIES} when left out.` };
const AFTER = { description: 'A cursor of this connection.' };

builder.objectField(SessionRef, 'observations', (t) =>
  t.field({
    type: ObservationConnectionRef,
    description: 'What was observed in it, most important first.',
    extensions: SIZE,
    args: { first: t.arg.int(FIRST), after: t.arg.string(AFTER) },
    resolve: async ({ id: sessionId }, { first, after }, { loadersAt }) => {
      const { observations, hasMore, total } = await loadersAt(null).observations.load({
        sessionId,
        first: toCount(first),
        after: after == null ? null : parseObservationCursor(after, sessionId),
      });
      return {
        entries: observations.map((node) => ({ node, cursor: toObservationCursor(node) })),
        hasMore,
        isFirst: after == null,
        total: () => total,
      };
    },
  }),
);

builder.objectField(ProjectRef, 'sessions', (t) =>
  t.field({
    type: SessionConnectionRef,
    description: 'Sessions of agents in the project, newest first.',
    extensions: SIZE,
    args: { first: t.arg.int(FIRST), after: t.arg.string(AFTER) },
    resolve: async ({ id: projectId }, { first, after }, { loadersAt }) => {
      const { sessions, hasMore, total } = await loadersAt(null).sessions.load({
        projectId,
        first: toCount(first),
        after: after == null ? null : parseSessionCursor(after, projectId),
      });
      return {
        entries: sessions.map((node) => ({ node, cursor: toSessionCursor(node) })),
        hasMore,
        isFirst: after == null,
        total: () => total,
      };
    },
  }),
);

function toCount(first: number | null | undefined): number {
  return parseFirst(first ?? DEFAULT_ENTRIES, { most: MAX_ENTRIES, field: 'first' });
}

async function projectOf(
  { projectId }: Session,
  _args: object,
  { projects }: RequestContext,
): Promise<Project> {
  const project = (await projects()).byId.get(projectId);
  if (project === undefined) throw new NotFoundError('project', 'the project of a session');
  return project;
}

function raise(error: Error): never {
  throw error;
}
