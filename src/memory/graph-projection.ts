import type { EdgeId, EdgeKind, Resolution } from './edge.ts';
import type { GraphCounts } from './graph-counts.ts';
import type {
  EdgeList,
  EdgeListRequest,
  PathQuery,
  ShortestPaths,
  Walk,
  WalkQuery,
} from './graph-store.ts';
import type { PageId, PageKind, ProjectId } from './page.ts';
import type { Lag } from './served.ts';
import type { View } from './view.ts';

/** A page as a graph database holds it: what walks filter by. Times are milliseconds UTC, never null. */
export type ProjectedPage = {
  readonly id: PageId;
  readonly project: ProjectId;
  readonly path: string;
  readonly title: string;
  readonly kind: PageKind;
  /** 0 to 3, as `sensitivityRank`. */
  readonly sensitivity: number;
  readonly tags: readonly string[];
  readonly archived: boolean;
  readonly superseded: boolean;
  readonly validFrom: number;
  readonly validTo: number;
};

/** An active edge as a graph database holds it: the whole edge, so that no answer asks the ledger. */
export type ProjectedEdge = {
  readonly id: EdgeId;
  readonly kind: EdgeKind;
  /** The page it comes from, beside the relationship's own end: hubs are read by an index over it. */
  readonly src: PageId;
  readonly dst: PageId;
  readonly note: string | null;
  readonly validFrom: number;
  readonly validTo: number;
  readonly recordedAt: number;
  readonly at: number;
  readonly resolution: Resolution | null;
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly resolutionNote: string | null;
};

/** Where an edge that is no longer asserted lay. */
export type RetractedEdge = Pick<ProjectedEdge, 'id' | 'kind' | 'src' | 'dst'>;

/** Something that changed, as the outbox names it. */
export type ChangedSubject = {
  readonly sequence: number;
  readonly subject: 'PAGE' | 'EDGE';
  readonly subjectId: string;
};

/**
 * Changes of one tenant in order, and the state of what they name, all of one snapshot. States, not
 * steps: carrying them twice, late, or in a larger batch ends in the same graph.
 */
export type ChangeBatch = {
  readonly tenant: string;
  /** The sequence before the first of these changes. */
  readonly after: number;
  /** That of the last one; `after` when there are none. */
  readonly reached: number;
  readonly changes: readonly ChangedSubject[];
  readonly pages: readonly ProjectedPage[];
  readonly deletedPages: readonly PageId[];
  readonly edges: readonly ProjectedEdge[];
  readonly retractedEdges: readonly RetractedEdge[];
};

/** How far a tenant is projected. */
export type Watermark = { readonly tenant: string; readonly sequence: number };

/** A tenant whose newest change is not projected yet, and how often it could not be brought further. */
export type Behind = Watermark & { readonly setbacks: number };

/** What projection needs of the record: the outbox, and the ledger behind it. */
export type ChangeLog = {
  /** Tenants that are behind, without those that wait after a setback. */
  listBehind(): Promise<readonly Behind[]>;
  /** Takes the graph's word for how far every tenant is; one that it does not name is at 0. */
  alignProjected(watermarks: readonly Watermark[]): Promise<void>;
  /**
   * At most `limit` changes of a tenant after a sequence.
   *
   * @returns null when changes after it are gone from the outbox: only a rebuild helps
   */
  readChanges(tenant: string, after: number, limit: number): Promise<ChangeBatch | null>;
  /** Notes how far a tenant is projected, so that `listBehind` knows; forgets its setbacks. */
  noteProjected(tenant: string, sequence: number): Promise<void>;
  /** Counts a setback of a tenant and keeps it out of `listBehind` for `waitMs`. */
  noteSetback(tenant: string, message: string, waitMs: number): Promise<void>;
  /** Keeps in mind that a change could not be carried; the next success with its subject forgets it. */
  noteFailure(tenant: string, change: ChangedSubject, message: string): Promise<void>;
  /** Those of these subjects, once their state is carried. */
  forgetFailures(tenant: string, subjects: readonly ChangedSubject[]): Promise<void>;
  /** Those of all changes up to a sequence, once the graph is made anew from the ledger. */
  forgetFailuresUpTo(tenant: string, sequence: number): Promise<void>;
  /** The newest sequence of a tenant; 0 when it has none. */
  findNewest(tenant: string): Promise<number>;
  /** What lies after a sequence. */
  findLag(tenant: string, sequence: number): Promise<Lag>;
};

/** States that a batch holds, without the changes that led to them. */
export type GraphStates = Pick<ChangeBatch, 'pages' | 'deletedPages' | 'edges' | 'retractedEdges'>;

/** Changes up to the newest of all, and the counts of the same snapshot. */
export type RestOfChanges = { readonly batch: ChangeBatch; readonly counts: GraphCounts };

/** The ledger as a whole, to make a graph anew from and to compare one with. */
export type GraphRecord = {
  listTenants(): Promise<readonly string[]>;
  /** Pages of a tenant by id, at most `limit` after one. */
  listPages(tenant: string, after: PageId, limit: number): Promise<readonly ProjectedPage[]>;
  /** Active edges of a tenant by id, at most `limit` after one. */
  listEdges(tenant: string, after: EdgeId, limit: number): Promise<readonly ProjectedEdge[]>;
  /** Everything after a sequence, whatever its number; null when some of it is gone from the outbox. */
  readRest(tenant: string, after: number): Promise<RestOfChanges | null>;
  /** Pages with ids in (after, until], and the active edges that come from them, of one snapshot. */
  readSlice(tenant: string, after: PageId, until: PageId): Promise<GraphSlice>;
};

export type GraphSlice = {
  readonly pages: readonly ProjectedPage[];
  readonly edges: readonly ProjectedEdge[];
};

/** A second graph of a tenant, made beside the one that is read. */
export type GraphRebuilder = {
  /** @returns the number of the new generation; one that was begun before can't be finished any more */
  begin(tenant: string): Promise<number>;
  /** Puts states into a generation; an edge without both ends is left out: its page is still to come. */
  write(tenant: string, generation: number, states: GraphStates): Promise<void>;
  /**
   * Stops the projection of the tenant for a moment, adds the rest of the changes, and has readers
   * read this generation, if its counts are those of the record.
   *
   * @throws {GraphMismatchError} if they are not; the old generation stays
   * @throws {RebuildOvertakenError} if another rebuild was begun since
   */
  finish(
    tenant: string,
    generation: number,
    readRest: () => Promise<RestOfChanges>,
  ): Promise<GraphCounts>;
  /** Removes every generation that is neither read nor being made. */
  dropOthers(tenant: string): Promise<void>;
  readSlice(tenant: string, after: PageId, until: PageId): Promise<GraphSlice>;
};

/** One projector at a time, over all processes. */
export type ProjectorTurn = {
  /** Null when another process projects. */
  take(): Promise<{ readonly isHeld: () => boolean; readonly release: () => Promise<void> } | null>;
  /** Calls `onChange` after every commit that changes the graph. @returns stops that */
  listen(onChange: () => void): Promise<() => Promise<void>>;
};

/** What projection needs of the graph database. Every method is one transaction. */
export type GraphWriter = {
  listWatermarks(): Promise<readonly Watermark[]>;
  /**
   * Carries a batch into the generation that is read, unless the graph is not at `after`: then
   * nothing is written. So two writers at once cannot bring old states back.
   *
   * @returns the sequence that the graph is at now
   * @throws {StoreOverloadedError} if the batch took too long, or more memory than there is
   * @throws {StoreUnavailableError} if the graph database does not answer
   */
  apply(batch: ChangeBatch): Promise<number>;
};

/** An answer of the graph database, and how far the tenant was projected when its reading began. */
export type Projected<Answer> = { readonly sequence: number; readonly answer: Answer };

/**
 * Reads of the present from a graph database. As `GraphStore`, with an answer that may lag behind
 * the record.
 *
 * Every method throws a `StoreUnavailableError` of `neo4j` when the database does not answer.
 */
export type ProjectedGraph = {
  /** Has the database plan every query, which takes it seconds when it has just started. */
  prepare(): Promise<void>;
  /** How far a tenant is projected; 0 when it never was. */
  findSequence(tenant: string): Promise<number>;
  listEdges(
    view: View,
    requests: readonly EdgeListRequest[],
  ): Promise<Projected<readonly Omit<EdgeList, 'served'>[]>>;
  /**
   * @param alongside  is told the reached pages while the edges among them are still read, so that
   *                   two stores are asked at the same time
   */
  walk(
    view: View,
    query: WalkQuery,
    alongside: (ids: readonly PageId[]) => void,
  ): Promise<Projected<Omit<Walk, 'served'>>>;
  shortestPaths(view: View, query: PathQuery): Promise<Projected<Omit<ShortestPaths, 'served'>>>;
};
