import type { QueryName } from './keyword-query.ts';
import type { PageId, PageKind } from './page.ts';
import type { PageFilter } from './page-store.ts';
import type { FeedbackCounts } from './salience.ts';
import type { View } from './view.ts';

/** A page found by words: true BM25 over title, body and hints. */
export type KeywordHit = {
  readonly pageId: PageId;
  readonly score: number;
  /** The query's terms that the page has, in the query's order. */
  readonly terms: readonly string[];
  readonly matchedIn: readonly ('TITLE' | 'BODY' | 'HINT' | 'DATE')[];
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
  /** Whether it is short and ends in a question; false where nobody wants to know. */
  readonly asks: boolean;
  readonly feedback: FeedbackCounts;
};

export type ArmQuery = { readonly filter: PageFilter; readonly window: number };

export type KeywordArmQuery = ArmQuery & {
  readonly terms: readonly string[];
  /** Identifiers among the terms, those that lie within others first. */
  readonly names?: readonly QueryName[];
};

/** The retrieval arms, read in one snapshot. */
export type RecallSession = {
  /**
   * Exact top `window` by BM25, ties by path then id. A page that has one of `names` as it is written
   * stands above all that have only its parts, of otherwise equal ones. Works in the past too.
   */
  searchByKeywords(query: KeywordArmQuery): Promise<KeywordHit[]>;
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
    marks: { readonly withAsks: boolean },
  ): Promise<ReadonlyMap<PageId, PageFacts>>;
  /**
   * The newest recorded time of a page that the view sees in the projects of the filter, milliseconds
   * UTC; null for none. One statement.
   */
  findCheckpoint(view: View, filter: Pick<PageFilter, 'projectIds'>): Promise<number | null>;
};
