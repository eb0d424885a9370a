import type { Edge } from './edge.ts';
import type { PageId, ProjectId } from './page.ts';
import type { View } from './view.ts';

/** A change of a page that the view may hear of; `PURGED` when it was removed for good. */
export type LoggedPageChange = {
  readonly sequence: number;
  readonly kind: 'WRITTEN' | 'PURGED';
  readonly pageId: PageId;
};

/** A change of an edge, and the edge as it is now. */
export type LoggedEdgeChange = {
  readonly sequence: number;
  readonly kind: 'ASSERTED' | 'RETRACTED';
  readonly edge: Edge;
};

/** Changes of one project after a place of the tenant's log. */
export type ChangeQuery = { readonly projectId: ProjectId; readonly after: number };

/** Some changes in the order of their commits. */
export type ChangeList<Change> = {
  readonly changes: readonly Change[];
  /** How far the log was read to find them: nothing up to here is left to tell. */
  readonly reached: number;
  /** Whether the log was not read to its end. */
  readonly hasMore: boolean;
};

/** The changes of a tenant, in the order of their commits, for those who want to hear of them. */
export type ChangeFeed = {
  /** The newest sequence of the tenant; 0 when it has none. */
  findNewest(tenant: string): Promise<number>;
  /**
   * Changes of pages of the project that the view sees; of removed ones, those that it would have
   * seen. One bounded statement.
   *
   * @returns null when the log does not hold all that came after the place
   */
  listPageChanges(view: View, query: ChangeQuery): Promise<ChangeList<LoggedPageChange> | null>;
  /** As `listPageChanges`, of edges with an end in the project, when the view sees both ends. */
  listEdgeChanges(view: View, query: ChangeQuery): Promise<ChangeList<LoggedEdgeChange> | null>;
  /**
   * Begins to wait for changes of a tenant; `stop` it in the end.
   *
   * @throws {StoreUnavailableError} if the store does not answer
   */
  watch(tenant: string): Promise<ChangeWatch>;
  /** How many watches are running. */
  readonly watches: number;
  /** Ends all watches, and every later one as soon as it begins. Safe to repeat. */
  close(): Promise<void>;
};

export type ChangeWatch = {
  /**
   * Waits for the first commit since the last call, but no longer than `timeoutMs`. It may wake
   * without one, and ends at once when the watch is over.
   */
  changed(timeoutMs: number): Promise<void>;
  /** Whether nothing more will be told. */
  readonly isOver: boolean;
  /** Safe to repeat. */
  stop(): void;
};
