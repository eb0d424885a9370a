import { randomUUID } from 'node:crypto';
import { parseBodyLinks } from './body-links.ts';
import { type Caller, requireScope } from './caller.ts';
import { InvalidInputError, NotFoundError } from './errors.ts';
import { toIdempotency } from './idempotency.ts';
import type { Committed, PlacedPage } from './memory-writer.ts';
import type { Project, ProjectId } from './page.ts';
import { parseCount } from './parse-number.ts';
import { type PageInput, type ParsedPage, parsePageInput } from './parse-page-input.ts';
import { prepareWrites } from './prepare-writes.ts';
import type { SessionId } from './session.ts';
import type { Stores } from './stores.ts';

/** Most pages of one call. */
export const MAX_PAGES_PER_WRITE = 1_000;

export type WriteRequest = {
  readonly pages: readonly PageInput[];
  readonly idempotencyKey?: string | null | undefined;
  /** The session that records the pages, if any. */
  readonly sessionId?: SessionId | null | undefined;
  /** Names the source of reconsolidations; one of its own for each call when left out. */
  readonly evidenceId?: string;
};

export type WriteOptions = {
  readonly projects: ReadonlyMap<ProjectId, Project>;
  readonly hintsEnabled: () => boolean;
  /** Prefix of field names in errors for the page at an index. */
  readonly fieldOf: (index: number) => string;
};

/**
 * Writes pages in one transaction, and answers in their order. Everything that can be made before is: checks, words,
 * links, passages and their vectors.
 *
 * Costs one embedding for each passage, and a number of statements that does not grow with the pages.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; nothing is stored
 * @throws {LimitExceededError} for more than 1,000 pages
 * @throws {NotFoundError} for a project or a session that the caller does not see
 * @throws {SessionEndedError} for a session that is over
 * @throws what `MemoryWriter.writePages` throws
 */
export async function writePages(
  { writer, embedder, redactor }: Pick<Stores, 'writer' | 'embedder' | 'redactor'>,
  caller: Caller,
  request: WriteRequest,
  options: WriteOptions,
): Promise<Committed<readonly PlacedPage[]>> {
  requireScope(caller, 'memory:write');
  parseCount('pages', request.pages.length, MAX_PAGES_PER_WRITE);
  refuseHiddenProjects(request.pages, caller, options);
  const { clearance } = caller.view;
  const pages = request.pages.map((page, index) =>
    parsePageInput(page, {
      field: options.fieldOf(index),
      clearance,
      hintsEnabled: options.hintsEnabled,
      redactor,
    }),
  );
  refuseRepeats(pages, options);
  const sessionId = request.sessionId ?? null;
  const asked = sessionId === null ? pages : { pages, sessionId };
  const idempotency = toIdempotency(caller, 'writePages', request.idempotencyKey, asked);

  const links = pages.map(({ projectId, path, body }, index) => {
    const project = options.projects.get(projectId)?.name ?? '';
    return parseBodyLinks(body, { project, path }, `${options.fieldOf(index)}body`);
  });
  const evidenceId = request.evidenceId ?? randomUUID();
  const writes = await prepareWrites(
    embedder,
    pages.map((page, index) => ({
      ...page,
      field: options.fieldOf(index),
      evidenceId,
      links: links[index] ?? [],
    })),
  );
  const written = await writer.writePages(caller.view, writes, idempotency, sessionId);
  const result = written.result.map((page, index) => {
    const path = pages[index]?.path;
    if (path === undefined) throw new Error('Expected an outcome for each page.');
    return { ...page, path };
  });
  return { ...written, result };
}

function refuseHiddenProjects(
  pages: readonly PageInput[],
  { view }: Caller,
  { fieldOf }: WriteOptions,
): void {
  const hidden = pages.findIndex(({ projectId }) => !view.projectIds.includes(projectId));
  if (hidden >= 0) throw new NotFoundError(`${fieldOf(hidden)}project`, 'a project');
}

/** Two contents of one page in one call would leave it to chance which is the newer. */
function refuseRepeats(pages: readonly ParsedPage[], { fieldOf }: WriteOptions): void {
  const seen = new Set<string>();
  for (const [index, { projectId, path }] of pages.entries()) {
    const key = `${projectId}/${path}`;
    if (seen.has(key)) {
      throw new InvalidInputError(`${fieldOf(index)}path`, 'each page once in a call', path);
    }
    seen.add(key);
  }
}
