import type { Edge } from './edge.ts';
import { MemoryError } from './errors.ts';
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
   * @throws {SubscriptionLimitError} if MAX_WATCHES are running
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

/**
 * Watches of one process at a time. Each holds a socket and one batch of changes, and asks the store
 * about three statements for each commit of its tenant and every five seconds.
 */
export const MAX_WATCHES = 1_000;

/** This process tells as many as it can. Another may have room, or this one later. */
export class SubscriptionLimitError extends MemoryError {
  override readonly name = 'SubscriptionLimitError';
  readonly code = 'SUBSCRIPTION_LIMIT_REACHED';
  override readonly retryable = true;
  readonly limit = MAX_WATCHES;

  constructor() {
    super(
      `Expected at most ${MAX_WATCHES} subscriptions at a time, but as many are open. Try again later.`,
    );
  }
}
