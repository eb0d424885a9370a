import {
  type ListResourcesResult,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Access } from '../../memory/access.ts';
import { decodePercent } from '../../memory/link-target.ts';
import { listPages } from '../../memory/list-pages.ts';
import type { Page } from '../../memory/page.ts';
import { readPagePath } from '../../memory/page-path.ts';
import { projectOf, type ReadableProjects } from '../../memory/readable-projects.ts';

/** Entries of one list; each is a page that is read whole. */
const LISTED = 50;
const MARKDOWN = 'text/markdown';

export const PAGE_TEMPLATE: ResourceTemplateType = {
  name: 'page',
  title: 'Page',
  uriTemplate: 'causeway://{project}/{+path}',
  description: 'One page of the memory, as it is now.',
  mimeType: MARKDOWN,
};

/** Pages by path, from after a cursor. @throws {InvalidInputError} for a cursor of another list */
export async function listResources(
  access: Access,
  cursor: string | null,
): Promise<ListResourcesResult> {
  const view = await access.viewAt(null);
  const projects = await access.projects();
  const { entries, hasMore } = await listPages(access.stores, view, {
    filter: { excludeArchived: true, excludeSuperseded: true },
    order: { field: 'PATH', direction: 'ASC' },
    first: LISTED,
    after: cursor,
  });
  const last = entries.at(-1);
  return {
    resources: entries.map(({ page }) => ({
      uri: toUri(page, projects),
      name: page.path,
      title: page.title,
      mimeType: MARKDOWN,
    })),
    ...(hasMore && last !== undefined && { nextCursor: last.cursor }),
  };
}

/** One page, its title as a heading. @throws {ResourceNotFoundError} for a page that is not there, or not for the caller */
export async function readResource(access: Access, uri: string): Promise<ReadResourceResult> {
  const view = await access.viewAt(null);
  const { byName } = await access.projects();
  const [, project = '', rest = ''] = /^causeway:\/\/([^/]*)\/(.*)$/su.exec(uri) ?? [];
  const projectId = byName.get(decodePercent(project).normalize('NFC'))?.id;
  const path = readPagePath(decodePercent(rest));
  const [page = null] =
    projectId === undefined || path === null
      ? []
      : await access.stores.pages.findManyByKey(view, [{ projectId, path }]);
  if (page === null) throw new ResourceNotFoundError(uri);
  return { contents: [{ uri, mimeType: MARKDOWN, text: `# ${page.title}\n\n${page.body}` }] };
}

function toUri({ projectId, path }: Page, projects: ReadableProjects): string {
  const segments = [projectOf(projects, projectId).name, ...path.split('/')];
  return `causeway://${segments.map(encodeURIComponent).join('/')}`;
}
