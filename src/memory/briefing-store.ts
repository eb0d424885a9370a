import type { Edge } from './edge.ts';
import type { PageId, PageKind, ProjectId } from './page.ts';
import type { EvidenceSummary } from './page-store.ts';
import type { View } from './view.ts';

/** Where the standing answers of a project are: pages under this path. */
export const STANDING_PATH = 'standing';

/** The kinds of pages that settle something. */
export const SETTLED_KINDS: readonly PageKind[] = ['RULE', 'DECISION', 'PREFERENCE', 'PROCEDURE'];

/** A page as a briefing tells of it. Times are milliseconds UTC. */
export type BriefedPage = {
  readonly id: PageId;
  readonly path: string;
  readonly kind: PageKind;
  readonly title: string;
  /** How the body begins, at most `MAX_EXCERPT_CHARACTERS`. */
  readonly excerpt: string;
  readonly isWhole: boolean;
  readonly recordedAt: number;
};

/** What a briefing reads of a body: more of one page is too much for a beginning. */
export const MAX_EXCERPT_CHARACTERS = 1_200;

/** A dispute between two pages that the view sees, of which the project has one. */
export type BriefedContradiction = {
  readonly edge: Edge;
  readonly challenged: BriefedPage;
  readonly challenger: BriefedPage;
};

/** The first of each list; all of them are active and of the present. */
export type BriefedPages = {
  /** Pages under `STANDING_PATH`, by path. */
  readonly standing: readonly BriefedPage[];
  /** Newest first. */
  readonly sessions: readonly BriefedPage[];
  /**
   * Pages of kind `PROBLEM` without an active `FIXES` edge from a page that the view sees; newest
   * first, among the newest 1,000 problems.
   */
  readonly problems: readonly BriefedPage[];
};

/** A page with all its evidence: contradictions, and content that was replaced meanwhile, are not looked at. */
export type SettledPage = { readonly id: PageId; readonly evidence: EvidenceSummary };

/**
 * What a briefing asks of the record. Each is one statement, whose time does not grow with the pages
 * of the project.
 */
export type BriefingStore = {
  listPages(
    view: View,
    projectId: ProjectId,
    limits: { readonly [List in keyof BriefedPages]: number },
  ): Promise<BriefedPages>;
  /** Unresolved ones between pages that are neither archived nor superseded; newest first. */
  listContradictions(
    view: View,
    projectId: ProjectId,
    first: number,
  ): Promise<readonly BriefedContradiction[]>;
  /**
   * Active pages of the settled kinds; standing answers aside. All of them up to 1,000 in the project; of more, the
   * 200 with the most sessions.
   */
  listSettled(view: View, projectId: ProjectId): Promise<readonly SettledPage[]>;
  /** Those of the pages that the view sees, in the order of `ids`. */
  findMany(view: View, ids: readonly PageId[]): Promise<readonly BriefedPage[]>;
};
