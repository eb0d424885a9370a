import type { JsonObject } from './attributes.ts';
import type { FeedbackCounts } from './salience.ts';
import type { AsOf } from './view.ts';

/** What kind of belief a page holds; `NOTE` when the writer names none. */
export const PAGE_KINDS = [
  'FACT',
  'DECISION',
  'RULE',
  'PREFERENCE',
  'PROCEDURE',
  'PROCEDURE_POINTER',
  'PROBLEM',
  'FIX',
  'EVENT',
  'SESSION',
  'NOTE',
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Who may read a page, from everyone to the few. A clearance reads its own level and all below. */
export const SENSITIVITIES = ['PUBLIC', 'INTERNAL', 'CONFIDENTIAL', 'RESTRICTED'] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

/** The order of sensitivities as a number, 0 (`PUBLIC`) to 3 (`RESTRICTED`): what the stores compare. */
export function sensitivityRank(sensitivity: Sensitivity): number {
  return SENSITIVITIES.indexOf(sensitivity);
}

/**
 * Derived, but for `ARCHIVED`: `SUPERSEDED` when an active `SUPERSEDES` edge from a page that the
 * caller can see points at it, `EXPIRED` when its valid time is over. The first that holds of
 * ARCHIVED, SUPERSEDED, EXPIRED, ACTIVE.
 */
export const PAGE_STATUSES = ['ACTIVE', 'SUPERSEDED', 'EXPIRED', 'ARCHIVED'] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

export type PageId = string;
export type ProjectId = string;

/** A namespace of pages in a tenant. */
export type Project = {
  readonly id: ProjectId;
  readonly name: string;
  readonly description: string;
  readonly createdAt: number;
};

/**
 * A page as one read saw it: its identity, and the content of one version. Times are milliseconds
 * UTC. Tags, attributes, importance, hints and feedback belong to the page, not to a version.
 */
export type Page = {
  readonly id: PageId;
  readonly projectId: ProjectId;
  readonly path: string;
  /** From 1; the newest recorded one is current. */
  readonly version: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly attributes: JsonObject;
  readonly sensitivity: Sensitivity;
  /** 1 to 10. */
  readonly importance: number;
  /** Empty in history and in every `asOf` read. */
  readonly hints: readonly string[];
  /** None in history and in every `asOf` read. */
  readonly feedback: FeedbackCounts;
  readonly status: PageStatus;
  /** Inclusive; null when it was true since ever. */
  readonly validFrom: number | null;
  /** Exclusive; null when open. */
  readonly validTo: number | null;
  readonly recordedAt: number;
  readonly createdAt: number;
  /** The instant that the read named; null for a read of the present. What hangs on the page is read at the same instant. */
  readonly readAt: AsOf | null;
};

/** One content of a page. Never edited; `recordedTo` is when a later version took its place, null while none has. */
export type PageVersion = {
  readonly pageId: PageId;
  readonly version: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly sensitivity: Sensitivity;
  readonly validFrom: number | null;
  readonly validTo: number | null;
  readonly recordedAt: number;
  readonly recordedTo: number | null;
};
