import type { Caller } from '../../src/memory/caller.ts';
import { createProject } from '../../src/memory/create-project.ts';
import type { EdgeKind } from '../../src/memory/edge.ts';
import { linkPages } from '../../src/memory/link-pages.ts';
import type { Committed, WrittenPage } from '../../src/memory/memory-writer.ts';
import { type PageId, type Project, sensitivityRank } from '../../src/memory/page.ts';
import type { PageInput } from '../../src/memory/parse-page-input.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { type WriteRequest, writePages } from '../../src/memory/write-pages.ts';

/** What seeding needs of the stores; all of them will do. */
export type SeedStores = Pick<Stores, 'projects' | 'writer' | 'embedder' | 'redactor' | 'clock'>;

/** A page to seed: its body alone, or what differs from a note without one. */
export type SeedPage = string | Partial<Omit<PageInput, 'projectId' | 'path'>>;

/** A principal as an operation takes it, with the projects that are there now. */
export async function callerFor(
  { projects, clock }: Pick<SeedStores, 'projects' | 'clock'>,
  principal: Principal = LOCAL_PRINCIPAL,
): Promise<Caller> {
  const readable = await projects.list(principal.tenant, principal.projects);
  return {
    principal,
    view: {
      tenant: principal.tenant,
      projectIds: readable.map(({ id }) => id),
      clearance: sensitivityRank(principal.clearance),
      asOf: null,
      now: clock(),
    },
  };
}

/** Makes a project as the local principal, or as another. */
export async function seedProject(
  stores: SeedStores,
  name: string,
  principal: Principal = LOCAL_PRINCIPAL,
): Promise<Project> {
  return createProject(stores, { principal }, { name });
}

/** Writes pages of one project in one call and answers their ids by path. The title is the path when left out. */
export async function seedPages<Path extends string>(
  stores: SeedStores,
  project: Project,
  pages: Readonly<Record<Path, SeedPage>>,
  principal: Principal = LOCAL_PRINCIPAL,
): Promise<Record<Path, PageId>> {
  const entries = Object.entries<SeedPage>(pages);
  const { result } = await write(
    stores,
    {
      pages: entries.map(([path, page]) => ({
        projectId: project.id,
        path,
        title: path,
        ...(typeof page === 'string' ? { body: page } : page),
      })),
    },
    principal,
  );
  const ids = result.map(({ pageId }, index) => [entries[index]?.[0] ?? '', pageId]);
  return Object.fromEntries(ids) as Record<Path, PageId>;
}

/** Asserts edges in one call, each as `[from, kind, to]` with an optional note. */
export async function seedEdges(
  stores: SeedStores,
  edges: readonly (readonly [
    from: PageId,
    kind: EdgeKind,
    to: PageId,
    options?: { note?: string; validFrom?: string; validTo?: string },
  ])[],
  principal: Principal = LOCAL_PRINCIPAL,
): Promise<readonly PageId[]> {
  const { result } = await linkPages(stores, await callerFor(stores, principal), {
    edges: edges.map(([fromId, kind, toId, options]) => ({ fromId, kind, toId, ...options })),
  });
  return result.map(({ edge }) => edge.id);
}

/** Writes pages with all options open; for tests of the write itself. Hints are let in. */
export async function write(
  stores: SeedStores,
  request: WriteRequest,
  principal: Principal = LOCAL_PRINCIPAL,
  hintsEnabled: () => boolean = () => true,
): Promise<Committed<readonly WrittenPage[]>> {
  const readable = await stores.projects.list(principal.tenant, principal.projects);
  return writePages(stores, await callerFor(stores, principal), request, {
    projects: new Map(readable.map((project) => [project.id, project])),
    hintsEnabled,
    fieldOf: (index) => (request.pages.length === 1 ? '' : `pages.${index}.`),
  });
}
