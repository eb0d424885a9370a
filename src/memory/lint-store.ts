import type { EdgeId, EdgeKind } from './edge.ts';
import type { PageId, PageStatus, Project } from './page.ts';
import type { View } from './view.ts';

/** A page as a finding names it. */
export type LintedPage = {
  readonly id: PageId;
  /** The name of its project. */
  readonly project: string;
  readonly path: string;
};

/**
 * What one rule found. `key` is its place among the findings of the rule, which holds while others
 * come and go; `pages` are the first of those concerned, and `total` says how many there are.
 */
export type Found<Facts> = {
  readonly key: readonly string[];
  readonly pages: readonly LintedPage[];
  readonly total: number;
  readonly facts: Facts;
};

/** Most pages that a finding names; the rest is counted. */
export const MAX_LINTED_PAGES = 20;

/** The findings of one rule in the pages of a project, from after a key on. */
export type LintQuery = {
  readonly project: Project;
  readonly first: number;
  readonly after: readonly string[] | null;
};

/** Pages: the challenged, its challenger. */
export type OpenContradiction = { readonly edgeId: EdgeId };

/** A link to a page that is not there, or not for the caller. Pages: the one that links. */
export type DanglingLink = {
  readonly kind: EdgeKind;
  readonly to: { readonly project: string; readonly path: string };
  /** Whether the body says it; else a caller asserted it. */
  readonly inBody: boolean;
  /** Whether the page is there by now and the caller sees it. */
  readonly isThere: boolean;
};

/** Pages: the replaced one, then those that replace it. */
export type RivalSuccessors = Record<never, never>;

/** Pages: the fix, and the problem where there is one. */
export type LoneFix = {
  /** Why the problem is gone; null where the fix leads to none. */
  readonly status: Exclude<PageStatus, 'ACTIVE'> | null;
  /** Whether a body says the edge; else it can be taken back. */
  readonly inBody: boolean;
};

/** Pages: the expired one, then those that refer to it. */
export type ExpiredPage = { readonly validTo: number };

/** One active `CAUSES` edge. */
export type CauseEdge = { readonly id: EdgeId; readonly fromId: PageId; readonly toId: PageId };

type List<Facts> = (view: View, query: LintQuery) => Promise<readonly Found<Facts>[]>;

/**
 * What lint asks of the record. Each list is in the order of its keys and of the present; what the
 * view does not see is not there: neither pages, nor edges to them. Pages that are archived or
 * superseded are past mending, and only named where a rule is about them.
 */
export type LintStore = {
  /** Unresolved contradictions between pages that are current, with an end in the project. */
  readonly listContradictions: List<OpenContradiction>;
  readonly listDanglingLinks: List<DanglingLink>;
  /** Superseded pages with two or more current successors. */
  readonly listRivals: List<RivalSuccessors>;
  /** Fixes of problems in the project that are not active any more; pages of kind `FIX` that fix nothing. */
  readonly listLoneFixes: List<LoneFix>;
  /** Expired pages that a current page references. */
  readonly listExpired: List<ExpiredPage>;
  /** Pages that no edge touches and that say no link. */
  readonly listOrphans: List<object>;
  /** Groups of pages with titles of the same words; sessions, which recur, aside. */
  readonly listSimilarTitles: List<object>;
  /** All `CAUSES` edges with both ends in sight, of any project, by id; at most `first` after one. */
  listCauses(view: View, after: EdgeId | null, first: number): Promise<readonly CauseEdge[]>;
  /** Those of the pages that the view sees. */
  listPlaces(view: View, ids: readonly PageId[]): Promise<readonly LintedPage[]>;
};
