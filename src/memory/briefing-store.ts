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

/** Problems that are looked at for open ones, newest first: 15 ms when all of them are fixed. */
export const MAX_PROBLEMS_LOOKED_AT = 1_000;
/** Up to as many settled pages, all are weighed. */
export const FEW_SETTLED = 1_000;
/** Of more settled pages, as many as have the most sessions are weighed. */
export const MOST_BELIEVED = 200;

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
   * first, among the newest `MAX_PROBLEMS_LOOKED_AT`.
   */
  readonly problems: readonly BriefedPage[];
};

/** A page with all its evidence: contradictions, and content that was replaced meanwhile, are not looked at. */
export type SettledPage = { readonly id: PageId; readonly evidence: EvidenceSummary };

/** How much of each list is read; of none, no statement is made. */
export type BriefingLimits = { readonly [List in keyof BriefedPages]: number } & {
  readonly contradictions: number;
  readonly withSettled: boolean;
};

export type Briefed = BriefedPages & {
  /** Unresolved ones between current pages; newest first. */
  readonly contradictions: readonly BriefedContradiction[];
  /**
   * Active pages of the settled kinds; standing answers aside. All of them up to `FEW_SETTLED` in the
   * project; of more, the `MOST_BELIEVED` with the most sessions.
   */
  readonly settled: readonly SettledPage[];
};

/** What a briefing asks of the record. */
export type BriefingStore = {
  /** All of one instant. Two statements, or three, whose time does not grow with the pages of the project. */
  read(view: View, projectId: ProjectId, limits: BriefingLimits): Promise<Briefed>;
  /** Pages in the order of `ids`; null where there is none that the view sees. One statement. */
  findMany(view: View, ids: readonly PageId[]): Promise<readonly (BriefedPage | null)[]>;
};
