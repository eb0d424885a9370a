import { NotFoundError } from '../memory/errors.ts';
import type { Page, Project } from '../memory/page.ts';
import { builder } from './builder.ts';
import type { RequestContext } from './context.ts';
import { PageKindRef, PageStatusRef, SensitivityRef } from './enums.ts';
import { ProjectRef } from './project.ts';

export const PageRef = builder.objectRef<Page>('Page');

builder.node(PageRef, {
  description:
    'Something that an agent learned. Its natural key is the project and the path; each changed write of it makes a new version.',
  id: { resolve: (page) => page.id },
  loadManyWithoutCache: async (ids, { loadersAt }) => {
    const found = await loadersAt(null).page.loadMany(ids);
    return found.map((page) => (page instanceof Error ? raise(page) : page));
  },
  fields: (t) => ({
    project: t.field({
      type: ProjectRef,
      description: 'Where it belongs.',
      resolve: projectOf,
    }),
    path: t.exposeString('path', {
      description: 'Segments joined by `/`, Unicode NFC, at most 512 bytes; unique in the project.',
    }),
    title: t.exposeString('title', { description: 'At most 300 characters.' }),
    body: t.exposeString('body', { description: 'Markdown, at most 1 MiB; may be empty.' }),
    kind: t.expose('kind', { type: PageKindRef, description: 'What kind of belief it holds.' }),
    tags: t.exposeStringList('tags', {
      description: 'As last written; they belong to the page, not to a version.',
    }),
    attributes: t.expose('attributes', {
      type: 'JSONObject',
      description: 'Free data of the writer, at most 16 KiB; not versioned.',
    }),
    sensitivity: t.expose('sensitivity', { type: SensitivityRef, description: 'Who may read it.' }),
    hints: t.exposeStringList('hints', {
      description:
        'Questions that the page answers, given by its writer for keyword recall; at most 3. Empty in every `asOf` read.',
    }),
    importance: t.exposeInt('importance', {
      description: '1 to 10; 5 when the writer names none.',
    }),
    status: t.expose('status', { type: PageStatusRef, description: 'Whether it still stands.' }),
    version: t.exposeInt('version', { description: 'From 1; the newest recorded one is current.' }),
    validFrom: t.expose('validFrom', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it is true, inclusive; null: since ever.',
    }),
    validTo: t.expose('validTo', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when it is true, exclusive; null: open.',
    }),
    recordedAt: t.expose('recordedAt', {
      type: 'DateTime',
      description: 'When this version was written.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the page was first written.',
    }),
    evidenceCount: t.int({
      description:
        'How many times something spoke for it, since it says what it says: see `Confidence.evidenceCountsSince`.',
      resolve: async (page, _args, { loadersAt }) =>
        (await loadersAt(page.readAt).evidence.load(page.id)).count,
    }),
  }),
});

async function projectOf(
  page: Page,
  _args: object,
  { projects }: RequestContext,
): Promise<Project> {
  const project = (await projects()).byId.get(page.projectId);
  if (project === undefined) throw new NotFoundError('project', 'the project of a page');
  return project;
}

function raise(error: Error): never {
  throw error;
}
