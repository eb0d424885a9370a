import type { JsonObject } from './attributes.ts';
import type { BodyLink } from './body-links.ts';
import type { Direction, Edge, EdgeId, EdgeKind, Step } from './edge.ts';
import type { KeywordDocument } from './indexed-text.ts';
import type { Page, PageId, PageKind, PageVersion, Project, ProjectId } from './page.ts';
import type { View } from './view.ts';

/** Turns texts into unit vectors. Never called inside a transaction. */
export type Embedder = {
  /** Name and version; stored beside every vector. */
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in order; null where a text has nothing to embed. */
  embed(texts: readonly string[]): Promise<(Float32Array | null)[]>;
};

/** Namespaces of pages. */
export type ProjectStore = {
  /** The projects of a tenant by name, ascending; all of them, or those of `names`. */
  list(tenant: string, names: readonly string[] | 'ALL'): Promise<Project[]>;
  /** @throws {AlreadyExistsError} if the tenant has a project of that name */
  create(tenant: string, project: Project): Promise<Project>;
};

/** The natural key of a page. */
export type PageKey = { readonly projectId: ProjectId; readonly path: string };

/** Hard conditions on pages; an absent one does not restrict. All given ones must hold. */
export type PageFilter = {
  readonly projectIds?: readonly ProjectId[];
  readonly kinds?: readonly PageKind[];
  /** Pages that carry every one of these tags. */
  readonly tags?: readonly string[];
  /** Pages whose attributes contain this object (Postgres `@>`). */
  readonly attributes?: JsonObject;
  readonly includeIds?: readonly PageId[];
  readonly excludeIds?: readonly PageId[];
  /** 0 to 3: narrows the view's clearance, never widens it. */
  readonly sensitivityCeiling?: number;
  /** Pages under this path: itself, and all that starts with it and a slash. */
  readonly pathPrefix?: string;
  /** Leave out superseded pages. */
  readonly excludeSuperseded?: boolean;
  /** Leave out archived pages. */
  readonly excludeArchived?: boolean;
};

export type PageOrder = {
  readonly field: 'PATH' | 'TITLE' | 'RECORDED_AT' | 'CREATED_AT' | 'IMPORTANCE';
  readonly direction: 'ASC' | 'DESC';
};

/** The place of a page in an order: the value of the field, then the id; it holds while rows are added. */
export type PagePosition = { readonly value: string | number; readonly id: PageId };

export type PageReader = {
  /** Pages in the order of `ids`; null where there is none that the view sees. One statement. */
  findMany(view: View, ids: readonly PageId[]): Promise<(Page | null)[]>;
  /** As `findMany`, by natural key. One statement. */
  findManyByKey(view: View, keys: readonly PageKey[]): Promise<(Page | null)[]>;
  /** At most `first` pages after the position, and whether more follow. */
  list(
    view: View,
    query: {
      readonly filter: PageFilter;
      readonly order: PageOrder;
      readonly first: number;
      readonly after: PagePosition | null;
    },
  ): Promise<{ pages: Page[]; hasMore: boolean }>;
  count(view: View, filter: PageFilter): Promise<number>;
  /** Newest first; at most `first` versions older than `before`; for each page in order. One statement for all pages. */
  listVersions(
    view: View,
    requests: readonly { pageId: PageId; first: number; before: number | null }[],
  ): Promise<{ versions: PageVersion[]; hasMore: boolean; total: number }[]>;
  /** Numbers of evidence for each page, in order. One statement. */
  evidence(view: View, ids: readonly PageId[]): Promise<EvidenceSummary[]>;
};

/** What confidence is derived from. */
export type EvidenceSummary = {
  readonly count: number;
  readonly distinctSessions: number;
  readonly newestAt: number | null;
  /** Active, unresolved `CONTRADICTS` edges that point at the page, from current challengers that the view sees. */
  readonly unresolvedContradictions: number;
};

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

export type PurgeCounts = {
  readonly versions: number;
  readonly passages: number;
  readonly evidence: number;
  readonly hints: number;
  readonly edges: number;
  /** Links of other pages that wait for the path again. */
  readonly waitingLinks: number;
};

/** Every method is one transaction; it commits whole, with its outbox rows, or not at all. */
export type MemoryWriter = {
  /**
   * Writes pages in order; the number of statements does not grow with their number.
   *
   * @throws {VersionConflictError} if a page's current version is not the expected one
   * @throws {SupersessionCycleError} if a link would close a cycle of SUPERSEDES
   * @throws {IdempotencyConflictError} if the key was used for another request
   * @throws {NotFoundError} if a page is there but above the view's clearance
   */
  writePages(
    view: View,
    writes: readonly PageWrite[],
    idempotency: Idempotency | null,
  ): Promise<Committed<readonly WrittenPage[]>>;
  /** Asserts edges; one that is active already gets the new note, when there is one. */
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
  /** Removes a page for good; null when the view does not see it. */
  purgePage(view: View, pageId: PageId, principal: string): Promise<Committed<PurgeCounts | null>>;
};

/** The place of an edge in a page's list: typed before bare, newer before older, then id. */
export type EdgePosition = { readonly bare: boolean; readonly at: number; readonly id: EdgeId };

export type EdgeListRequest = {
  readonly pageId: PageId;
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly first: number;
  readonly after: EdgePosition | null;
  /** Whether to count, which reads every edge of the page, a hub's too; true when left out. */
  readonly withTotal?: boolean;
};

/** Edges of one page that the view sees, with the end that is not the page itself. */
export type EdgeList = {
  readonly edges: readonly Step[];
  readonly hasMore: boolean;
  /** All visible edges of the asked kinds and direction; 0 when the request said not to count. */
  readonly total: number;
};

/** Why a walk left something out, and where. */
export type Truncation = {
  /** `FAN_OUT`: a page has more edges; `MAX_PAGES`: the walk is full; `SCAN`: too many hidden neighbours to look at. */
  readonly reason: 'FAN_OUT' | 'MAX_PAGES' | 'SCAN';
  readonly at: PageId | null;
};

export type WalkQuery = {
  readonly from: readonly PageId[];
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly depth: number;
  readonly maxPages: number;
  readonly fanOut: number;
  /** Pages that fail it are neither reached nor walked through. */
  readonly where: PageFilter;
};

/** A page reached by a walk; `parentId` and `via` are null for the pages it started from. */
export type Reached = {
  readonly pageId: PageId;
  readonly depth: number;
  readonly parentId: PageId | null;
  readonly via: Step | null;
};

export type Walk = {
  /** In order of discovery. */
  readonly reached: readonly Reached[];
  /** All visible edges of the asked kinds among the reached pages. */
  readonly edges: readonly Edge[];
  readonly truncated: readonly Truncation[];
};

/** Where graph answers come from, for the explanation of an answer. */
export type ServedBy = 'LEDGER' | 'NEO4J';

export type GraphStore = {
  readonly servedBy: ServedBy;
  /** Edges around pages, page by page in the order asked. One statement for all requests. */
  listEdges(view: View, requests: readonly EdgeListRequest[]): Promise<EdgeList[]>;
  /** Edges by id; null where the view does not see both ends. */
  findManyEdges(view: View, ids: readonly EdgeId[]): Promise<(Edge | null)[]>;
  /** Breadth first; the work is bounded by depth × maxPages × fanOut. At most two statements. */
  walk(view: View, query: WalkQuery): Promise<Walk>;
  /** Up to `k` shortest paths as steps from `from` to `to`, in a fixed order; empty when there is none within `maxDepth`. */
  shortestPaths(
    view: View,
    query: {
      readonly from: PageId;
      readonly to: PageId;
      readonly kinds: readonly EdgeKind[];
      readonly direction: Direction;
      readonly maxDepth: number;
      readonly k: number;
    },
  ): Promise<{ paths: readonly (readonly Step[])[]; truncated: readonly Truncation[] }>;
};

/** A page found by words: true BM25 over title, body and hints. */
export type KeywordHit = {
  readonly pageId: PageId;
  readonly score: number;
  /** The query's terms that the page has, in the query's order. */
  readonly terms: readonly string[];
  readonly matchedIn: readonly ('TITLE' | 'BODY' | 'HINT')[];
};

/** A page found by meaning: the cosine of its best passage. */
export type DenseHit = {
  readonly pageId: PageId;
  /** -1 to 1. */
  readonly similarity: number;
  readonly passage: { readonly ordinal: number; readonly start: number; readonly end: number };
};

/** What a page is ranked by, beside what the arms found. */
export type PageFacts = {
  readonly id: PageId;
  readonly path: string;
  readonly kind: PageKind;
  readonly tags: readonly string[];
  readonly isSuperseded: boolean;
};

export type ArmQuery = { readonly filter: PageFilter; readonly window: number };

/** The retrieval arms, read in one snapshot. */
export type RecallSession = {
  /** Exact top `window` by BM25, ties by path then id. Works in the past too. */
  searchByKeywords(query: ArmQuery & { readonly terms: readonly string[] }): Promise<KeywordHit[]>;
  /** Top `window` by cosine, ties by path then id. Only of the present. */
  searchByVector(
    query: ArmQuery & { readonly vector: Float32Array; readonly model: string },
  ): Promise<DenseHit[]>;
  /** The exact cosine of the best passage of each page, null where it has none; in order. */
  similarities(
    ids: readonly PageId[],
    query: { readonly vector: Float32Array; readonly model: string },
  ): Promise<(DenseHit | null)[]>;
};

export type RecallStore = {
  /** Runs the arms of one recall over one snapshot. */
  session<T>(view: View, work: (session: RecallSession) => Promise<T>): Promise<T>;
  /** Those of `ids` that pass the filter now, with what ranks them. One statement; not within a session. */
  findMatching(
    view: View,
    ids: readonly PageId[],
    filter: PageFilter,
  ): Promise<ReadonlyMap<PageId, PageFacts>>;
};

/** Everything memory needs from outside; one object for the whole process. */
export type Stores = {
  readonly projects: ProjectStore;
  readonly pages: PageReader;
  readonly writer: MemoryWriter;
  readonly graph: GraphStore;
  readonly recall: RecallStore;
  readonly embedder: Embedder;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
};
