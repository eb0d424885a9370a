import type { Caller } from './caller.ts';
import type { Committed, WrittenPage } from './memory-writer.ts';
import { parseCount } from './parse-number.ts';
import type { PageInput } from './parse-page-input.ts';
import { type ReadableProjects, requireProject } from './readable-projects.ts';
import type { SessionId } from './session.ts';
import type { Stores } from './stores.ts';
import { MAX_PAGES_PER_WRITE, type WriteOptions, writePages } from './write-pages.ts';

/** A page whose project is named, where it is not that of the whole write. */
export type NamedPageInput = Omit<PageInput, 'projectId'> & {
  readonly project?: string | null | undefined;
};

/**
 * As `writePages`, for pages whose projects are told by name.
 *
 * @throws {LimitExceededError} for more than 1,000 pages
 * @throws {InvalidInputError} for a page without a project
 * @throws {NotFoundError} for a project that the caller does not see
 * @throws what `writePages` throws
 */
export async function writeNamedPages(
  stores: Pick<Stores, 'writer' | 'embedder' | 'redactor'>,
  caller: Caller,
  request: {
    readonly project: string | null | undefined;
    readonly pages: readonly NamedPageInput[];
    readonly idempotencyKey: string | null | undefined;
    readonly sessionId: SessionId | null;
  },
  {
    projects,
    ...options
  }: Omit<WriteOptions, 'projects'> & { readonly projects: ReadableProjects },
): Promise<Committed<readonly WrittenPage[]>> {
  parseCount('pages', request.pages.length, MAX_PAGES_PER_WRITE);
  const pages = request.pages.map(({ project, ...page }, index): PageInput => {
    const { id } =
      project == null
        ? requireProject(projects, request.project, 'project')
        : requireProject(projects, project, `${options.fieldOf(index)}project`);
    return { ...page, projectId: id };
  });
  const { idempotencyKey, sessionId } = request;
  const all = { ...options, projects: projects.byId };
  return writePages(stores, caller, { pages, idempotencyKey, sessionId }, all);
}
