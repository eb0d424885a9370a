import { CursorExpiredError, parseChangeCursor, toChangeCursor } from './change-cursor.ts';
import type { ChangeList, LoggedEdgeChange, LoggedPageChange } from './change-feed.ts';
import type { ProjectId } from './page.ts';
import { type ReadableProjects, requireProject } from './readable-projects.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** A notification may be lost with its connection; then the next look finds the change. */
const LOOK_EVERY_MS = 5_000;

/**
 * Longest time from reading changes to telling the last of them. A reader slower than that gets the
 * rest read anew, so that nobody is told what was hidden from them in the meantime.
 */
const MAX_AGE_MS = 5_000;

/** Something that was told, and where in the log it stands. */
export type Told<Change> = Change & { readonly cursor: string };

export type Watching<Change> = {
  /** Name of the project. */
  readonly project: string;
  /** Cursor of the last change that was told already; null begins with those that come from now on. */
  readonly after: string | null;
  /** What the caller sees now; asked anew before each batch. */
  readonly look: () => Promise<{ readonly view: View; readonly projects: ReadableProjects }>;
  /** Reads what is told beside a batch, before any of it is; gives those to tell. */
  readonly prepare?: (changes: readonly Change[]) => Promise<readonly Change[]>;
};

type Feed = Pick<Stores, 'changes' | 'clock'>;

/**
 * Tells every change of pages in a project that the caller may see, in the order of their commits,
 * for as long as it is read. What is told of a page is how it is when told: a page that was hidden
 * from the caller since is passed over.
 *
 * It holds one batch and no queue: nothing is read before the reader asks for more.
 *
 * @returns ends when it is returned, and when the feed is closed. Its `next` throws a
 * `CursorExpiredError` once changes that were not told are gone, a `StoreUnavailableError` if the
 * store does not answer, and the first one a `SubscriptionLimitError` if this process tells as many
 * as it can
 * @throws {InvalidInputError} if `after` is no cursor, or the project has no name
 * @throws {NotFoundError} if the project is not there, or not for the caller
 */
export function watchPages(
  feed: Feed,
  watching: Watching<LoggedPageChange>,
): Promise<AsyncIterableIterator<Told<LoggedPageChange>>> {
  return watch(feed, watching, (view, query) => feed.changes.listPageChanges(view, query));
}

/**
 * As `watchPages`, for edges with an end in the project, while the caller sees both ends. Edges that
 * go with a page that is removed are not told one by one.
 */
export function watchEdges(
  feed: Feed,
  watching: Watching<LoggedEdgeChange>,
): Promise<AsyncIterableIterator<Told<LoggedEdgeChange>>> {
  return watch(feed, watching, (view, query) => feed.changes.listEdgeChanges(view, query));
}

type ListChanges<Change> = (
  view: View,
  query: { readonly projectId: ProjectId; readonly after: number },
) => Promise<ChangeList<Change> | null>;

async function watch<Change extends { readonly sequence: number }>(
  feed: Feed,
  watching: Watching<Change>,
  list: ListChanges<Change>,
): Promise<AsyncIterableIterator<Told<Change>>> {
  const after = watching.after === null ? null : parseChangeCursor(watching.after);
  const { view, projects } = await watching.look();
  const { id: projectId } = requireProject(projects, watching.project, 'project');
  if (after !== null && (await list(view, { projectId, after })) === null) {
    throw new CursorExpiredError();
  }
  const start = after ?? (await feed.changes.findNewest(view.tenant));
  return leavable((leaving) => tell(feed, watching, list, view.tenant, start, leaving));
}

async function* tell<Change extends { readonly sequence: number }>(
  { changes: feed, clock }: Feed,
  { project, look, prepare }: Watching<Change>,
  list: ListChanges<Change>,
  tenant: string,
  start: number,
  leaving: AbortSignal,
): AsyncGenerator<Told<Change>, void> {
  // From before the first look, so that no commit falls between looking and waiting.
  const watched = await feed.watch(tenant);
  const stop = () => watched.stop();
  leaving.addEventListener('abort', stop);
  try {
    let after = start;
    while (!watched.isOver && !leaving.aborted) {
      const { view, projects } = await look();
      const { id: projectId } = requireProject(projects, project, 'project');
      const found = await list(view, { projectId, after });
      if (found === null) throw new CursorExpiredError();
      const ready = prepare ? await prepare(found.changes) : found.changes;

      const readAt = clock();
      let isOld = false;
      for (const change of ready) {
        yield { ...change, cursor: toChangeCursor(change.sequence) };
        if (watched.isOver) return;
        after = change.sequence;
        isOld = clock() - readAt > MAX_AGE_MS;
        if (isOld) break;
      }
      if (isOld) continue;
      after = found.reached;
      if (!found.hasMore) await watched.changed(LOOK_EVERY_MS);
    }
  } finally {
    leaving.removeEventListener('abort', stop);
    watched.stop();
  }
}

/**
 * A generator that can be left while it waits: its own `return` would wait as long as it does.
 *
 * @param begin  takes the signal to end every wait
 */
function leavable<T>(
  begin: (leaving: AbortSignal) => AsyncGenerator<T, void>,
): AsyncIterableIterator<T> {
  const leaving = new AbortController();
  const told = begin(leaving.signal);
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => told.next(),
    return() {
      leaving.abort();
      return told.return();
    },
    throw(error: unknown) {
      leaving.abort();
      return told.throw(error);
    },
  };
}
