import type { JsonObject } from './attributes.ts';
import type { BodyLink } from './body-links.ts';
import type { Edge, EdgeId, EdgeKind, Resolution } from './edge.ts';
import type { KeywordDocument } from './indexed-text.ts';
import type { PageId, PageKind, ProjectId } from './page.ts';
import type { Verdict } from './salience.ts';
import type { SessionId } from './session.ts';
import type { View } from './view.ts';

/** A slice of a version with its vector; null when there is nothing to embed. */
export type EmbeddedPassage = {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  readonly vector: Float32Array | null;
};

/** A checked write of one page, with all that can be made before the transaction. */
export type PageWrite = {
  /** Prefix of field names in errors: empty, or `pages.3.`. */
  readonly field: string;
  readonly projectId: ProjectId;
  readonly path: string;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly attributes: JsonObject;
  readonly sensitivity: number;
  /** Whether the caller gave it; a page that is there keeps its own otherwise. */
  readonly hasSensitivity: boolean;
  readonly importance: number;
  readonly hints: readonly string[];
  readonly archived: boolean;
  readonly validFrom: number | null;
  readonly validTo: number | null;
  /** Whether the caller gave a valid time; identical content without one is a reconsolidation. */
  readonly hasValidTime: boolean;
  /** The version that the caller has seen; 0 for 'must not exist'; null when they do not say. */
  readonly expectedVersion: number | null;
  /** Names the source of a reconsolidation; unique for each write. */
  readonly evidenceId: string;
  readonly keyword: KeywordDocument;
  /** As `keyword`, without hints: what history is searched by. */
  readonly versionKeyword: KeywordDocument;
  readonly passages: readonly EmbeddedPassage[];
  /** What made the vectors. */
  readonly model: string;
  readonly links: readonly BodyLink[];
};

/**
 * `CREATED`: a new page. `REVISED`: a new version. `RECONSOLIDATED`: the same content again: no new
 * version, one more evidence row; tags, attributes, importance, hints and sensitivity are replaced.
 */
export type WriteOutcome = 'CREATED' | 'REVISED' | 'RECONSOLIDATED';

export type WrittenPage = {
  readonly pageId: PageId;
  readonly version: number;
  readonly outcome: WriteOutcome;
};

/** A written page with the path that it is kept at. */
export type PlacedPage = WrittenPage & { readonly path: string };

/** What a retry is recognised by. */
export type Idempotency = {
  readonly principal: string;
  readonly key: string;
  readonly operation: string;
  readonly requestSha256: string;
};

/** The answer to a write: what happened, and the newest graph change of the tenant that it made or saw. */
export type Committed<T> = { readonly result: T; readonly graphSequence: number };

/** An edge as a caller asserts it. */
export type EdgeAssertion = {
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly note: string | null;
  readonly validFrom: number | null;
  readonly validTo: number | null;
};

/** An edge by natural keys, whose ends need not be there yet (import). Projects by name. */
export type WaitingAssertion = {
  readonly kind: EdgeKind;
  readonly from: { readonly project: string; readonly path: string };
  readonly to: { readonly project: string; readonly path: string };
  readonly note: string | null;
  readonly validFrom: number | null;
  readonly validTo: number | null;
};

/** The page of a session as it is to be, made of a state of the session that must still hold. */
export type SessionPageWrite = {
  readonly sessionId: SessionId;
  readonly revision: number;
  readonly write: PageWrite;
};

/** Something happened in a session since its page was prepared: nothing was done. */
export type Changed = 'CHANGED';

/** A state that a contradiction is put into, and the principal who does. */
export type ResolutionChange = {
  readonly edgeId: EdgeId;
  readonly outcome: Resolution;
  readonly note: string | null;
  readonly by: string;
};

/** A contradiction as it is now; `changed` false where it was so before. */
export type ResolvedEdge = { readonly edge: Edge; readonly changed: boolean };

export type PurgeCounts = {
  readonly versions: number;
  readonly passages: number;
  readonly evidence: number;
  readonly hints: number;
  readonly edges: number;
  /** Links of other pages that wait for the path again. */
  readonly waitingLinks: number;
  /** Observations about the page; of the page of a session, all of that session. */
  readonly observations: number;
  /** Assignments of people; hidden ones only in the trace. */
  readonly people: number;
  /** Pages of sessions that were made anew without them. */
  readonly sessionPages: number;
};

/** Every method is one transaction; it commits whole, with its outbox rows, or not at all. */
export type MemoryWriter = {
  /**
   * Writes pages in order; the number of statements does not grow with their number.
   *
   * @throws {VersionConflictError} if a page's current version is not the expected one
   * @throws {SupersessionCycleError} if a link of their bodies would close a cycle of SUPERSEDES
   * @throws {IdempotencyConflictError} if the key was used for another request
   * @throws {AnswerPurgedError} if the key was used, and a page of its answer was purged since
   * @throws {NotFoundError} if a page is there but above the view's clearance, or the view sees no
   * such session
   * @throws {SessionEndedError} if the session is over
   *
   * @param sessionId  the session that records the pages: each gets a place in its order, and one
   * session more as evidence; null for none
   */
  writePages(
    view: View,
    writes: readonly PageWrite[],
    idempotency: Idempotency | null,
    sessionId: SessionId | null,
  ): Promise<Committed<readonly WrittenPage[]>>;
  /**
   * Asserts edges; one that is active already gets the new note, when there is one, and gives way to
   * a new row of itself where another valid time is said. Of one named twice, the first made it.
   */
  linkPages(
    view: View,
    edges: readonly EdgeAssertion[],
    idempotency: Idempotency | null,
  ): Promise<Committed<readonly { edge: Edge; created: boolean }[]>>;
  /** Asserts edges by natural key; those with an end that is missing or hidden wait. */
  linkWhenPresent(
    view: View,
    edges: readonly WaitingAssertion[],
  ): Promise<Committed<{ linked: number; existing: number; waiting: number }>>;
  /**
   * Retracts the assertion of edges. One that a body still says stays active.
   *
   * @returns for each, in order: the edge as it is now, or null where none was asserted
   */
  unlinkPages(
    view: View,
    edges: readonly { kind: EdgeKind; fromId: PageId; toId: PageId }[],
  ): Promise<Committed<readonly (Edge | null)[]>>;
  /** Counts a verdict on a page. @throws {NotFoundError} naming `page` if the view sees none */
  giveFeedback(
    view: View,
    feedback: { readonly pageId: PageId; readonly verdict: Verdict },
    idempotency: Idempotency | null,
  ): Promise<void>;
  /**
   * Puts a contradiction into a state. The state before is kept for reads of the past.
   *
   * @throws {NotFoundError} if the view does not see both ends of such an edge
   * @throws {InvalidInputError} if the edge is of another kind
   * @throws {EdgeRetractedError} if the edge is not asserted any more
   */
  resolveContradiction(
    view: View,
    change: ResolutionChange,
    idempotency: Idempotency | null,
  ): Promise<Committed<ResolvedEdge>>;
  /**
   * Removes a page for good and counts what the view saw of it; null when it does not see the page.
   * Observations about it go too, and the pages of sessions that told them are written anew.
   *
   * @param derived  those pages as they are to be: see `SessionStore.listDraftsWithout`. They keep
   * importance and whether they are archived; all else that people gave them goes
   */
  purgePage(
    view: View,
    pageId: PageId,
    principal: string,
    derived: readonly SessionPageWrite[],
  ): Promise<Committed<PurgeCounts | null> | Changed>;
};
