import type { Direction, Edge, EdgeId, EdgeKind, Resolution, Step } from './edge.ts';
import type { PageId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import type { Served } from './served.ts';
import type { View } from './view.ts';

/** The place of an edge in a page's list: typed before bare, newer before older, then id. */
export type EdgePosition = { readonly bare: boolean; readonly at: number; readonly id: EdgeId };

export type EdgeListRequest = {
  readonly pageId: PageId;
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly first: number;
  readonly after: EdgePosition | null;
  /** Only contradictions in one of these states, and no edge of another kind; all edges when left out. */
  readonly resolutions?: readonly Resolution[];
  /** Only edges whose other end is neither archived nor expired nor superseded; all when left out. */
  readonly onlyCurrent?: boolean;
  /** Whether to count, which reads every edge of the page, a hub's too; true when left out. */
  readonly withTotal?: boolean;
};

/** Edges of one page that the view sees, with the end that is not the page itself. */
export type EdgeList = {
  readonly edges: readonly Step[];
  readonly hasMore: boolean;
  /** All visible edges of the asked kinds and direction; 0 when the request said not to count. */
  readonly total: number;
  readonly served: Served;
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
  readonly served: Served;
};

export type PathQuery = {
  readonly from: PageId;
  readonly to: PageId;
  readonly kinds: readonly EdgeKind[];
  readonly direction: Direction;
  readonly maxDepth: number;
  readonly k: number;
};

export type ShortestPaths = {
  readonly paths: readonly (readonly Step[])[];
  readonly truncated: readonly Truncation[];
  readonly served: Served;
};

/** Whether a reader waits for writes that are still on their way into the graph, or has the record answer then. */
export type Patience = 'WAIT' | 'AT_ONCE';

export type GraphStore = {
  /**
   * Edges around pages, page by page in the order asked. One statement for all requests.
   *
   * @param where  only edges whose other end passes it, before any limit
   */
  listEdges(
    view: View,
    requests: readonly EdgeListRequest[],
    patience?: Patience,
    where?: PageFilter,
  ): Promise<EdgeList[]>;
  /** Edges by id; null where the view does not see both ends. */
  findManyEdges(view: View, ids: readonly EdgeId[]): Promise<(Edge | null)[]>;
  /** Breadth first; the work is bounded by depth × maxPages × fanOut. At most two statements. */
  walk(view: View, query: WalkQuery): Promise<Walk>;
  /** Up to `k` shortest paths as steps from `from` to `to`, in a fixed order; empty when there is none within `maxDepth`. */
  shortestPaths(view: View, query: PathQuery): Promise<ShortestPaths>;
};
