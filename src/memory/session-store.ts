import type { Changed, Committed, Idempotency, SessionPageWrite } from './memory-writer.ts';
import type { PageId, ProjectId } from './page.ts';
import type { Observation, ObservationKey, Session, SessionId } from './session.ts';
import type { View } from './view.ts';

export type NewSession = {
  readonly projectId: ProjectId;
  readonly agent: string;
  readonly task: string;
  /** 0 to 3. */
  readonly sensitivity: number;
};

/** A page of the session's project, by its id or by its path. */
export type ObservedPage =
  | { readonly id: PageId; readonly path: null }
  | { readonly id: null; readonly path: string };

export type NewObservation = {
  readonly sessionId: SessionId;
  readonly text: string;
  readonly importance: number;
  readonly about: readonly ObservedPage[];
};

/** A session as it was when it was read: what changes it, or what it tells of, changes the revision. */
export type SessionState = { readonly sessionId: SessionId; readonly revision: number };

/** All that the page of a session is made of, whoever may see it. */
export type SessionDraft = {
  readonly session: Session;
  /** Name of its project. */
  readonly project: string;
  /** 0 to 3: of the session, its observations and the pages that they are about, the highest. */
  readonly sensitivity: number;
  /** Most important first, ties by time; cut where the texts alone are more than a body holds. */
  readonly observations: readonly DraftObservation[];
  /** How many there are, also those that were cut. */
  readonly total: number;
  readonly revision: number;
};

export type DraftObservation = {
  readonly text: string;
  readonly importance: number;
  /** Paths of the pages that it is about, ascending. */
  readonly paths: readonly string[];
};

/** The place of a session in the list of its project. */
export type SessionPosition = { readonly startedAt: number; readonly id: SessionId };

/** The place of an observation among those of its session. */
export type ObservationPosition = { readonly importance: number; readonly position: number };

/** A page recorded shortly before or after another one in a session. */
export type SessionNeighbour = {
  readonly pageId: PageId;
  readonly sessionId: SessionId;
  readonly neighbourId: PageId;
  readonly direction: 'BEFORE' | 'AFTER';
  /** Places between them among the pages that the view sees, from 1 for the nearest. */
  readonly distance: number;
};

/**
 * Sessions and what was observed in them. A view sees a session in one of its projects up to its
 * clearance, and of its observations those about no page above it. Not versioned: `asOf` says
 * nothing here.
 */
export type SessionStore = {
  start(view: View, session: NewSession, idempotency: Idempotency | null): Promise<SessionId>;
  /**
   * Notes an observation, with one more piece of evidence for each page that it is about.
   *
   * @throws {NotFoundError} naming `session`, or the first of `about` that is not in its project
   * @throws {SessionEndedError} if the session is over
   */
  observe(
    view: View,
    observation: NewObservation,
    idempotency: Idempotency | null,
  ): Promise<ObservationKey>;
  /** What the end of a session that the view sees has to write; null where it sees none. */
  findDraft(view: View, id: SessionId): Promise<SessionDraft | null>;
  /**
   * The ended sessions that observed a page, whoever may see them, by id; null where the view does not
   * see the page.
   */
  listDerived(view: View, pageId: PageId): Promise<readonly SessionState[] | null>;
  /** What their pages say, as if nothing had been observed of a page. One of them that is gone is left out. */
  listDraftsWithout(view: View, pageId: PageId, ids: readonly SessionId[]): Promise<SessionDraft[]>;
  /**
   * Ends a session: its page with its edges, and evidence of the session for each page that was
   * observed, in one transaction. One that is over stays as it is.
   */
  end(view: View, write: SessionPageWrite): Promise<Committed<SessionId> | Changed>;
  /** Sessions in the order of `ids`; null where there is none that the view sees. One statement. */
  findMany(view: View, ids: readonly SessionId[]): Promise<(Session | null)[]>;
  /** As `findMany`. */
  findObservations(view: View, keys: readonly ObservationKey[]): Promise<(Observation | null)[]>;
  /** Newest first; for each project in order. One statement for all. */
  list(
    view: View,
    requests: readonly {
      readonly projectId: ProjectId;
      readonly first: number;
      readonly after: SessionPosition | null;
    }[],
  ): Promise<{ sessions: Session[]; hasMore: boolean; total: number }[]>;
  /** Most important first, ties by time; for each session in order. One statement for all. */
  listObservations(
    view: View,
    requests: readonly {
      readonly sessionId: SessionId;
      readonly first: number;
      readonly after: ObservationPosition | null;
    }[],
  ): Promise<{ observations: Observation[]; hasMore: boolean; total: number }[]>;
  /**
   * The pages that were recorded before and after each of the pages in the same session, as far as the
   * view sees them, at most `reach` each way. By page, session, then before and after, nearest first.
   * One statement.
   */
  listNeighbours(
    view: View,
    pageIds: readonly PageId[],
    reach: number,
  ): Promise<SessionNeighbour[]>;
};
