import type { PageId } from './page.ts';

/** What one page claims about another, read from `from` to `to`. `REFERENCES` is the one untyped, bare kind. */
export const EDGE_KINDS = ['CAUSES', 'FIXES', 'CONTRADICTS', 'SUPERSEDES', 'REFERENCES'] as const;
export type EdgeKind = (typeof EDGE_KINDS)[number];

/** The kinds that a walk follows when the caller names none. */
export const TYPED_EDGE_KINDS: readonly EdgeKind[] = [
  'CAUSES',
  'FIXES',
  'CONTRADICTS',
  'SUPERSEDES',
];

/** `OUT` follows an edge from its `from` end, `IN` from its `to` end, `BOTH` either way. */
export const DIRECTIONS = ['OUT', 'IN', 'BOTH'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** The way a step was taken along its edge. */
export type StepDirection = 'OUT' | 'IN';

/**
 * The state of a contradiction. `UPHELD`: the challenger holds. `DISMISSED`: the challenged
 * holds. `RECONCILED`: both stand.
 */
export const RESOLUTIONS = ['UNRESOLVED', 'UPHELD', 'DISMISSED', 'RECONCILED'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export type EdgeId = string;

/** One typed, directed claim between two pages. Times are milliseconds UTC. */
export type Edge = {
  readonly id: EdgeId;
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly note: string | null;
  /** Inclusive; null when it was true since ever. */
  readonly validFrom: number | null;
  /** Exclusive; null when open. */
  readonly validTo: number | null;
  readonly recordedAt: number;
  /** When it was retracted; null while it is asserted. */
  readonly retractedAt: number | null;
  /** When the claim began, for ordering: `validFrom`, else `recordedAt`. Newer comes first. */
  readonly at: number;
  /** Null for every kind but `CONTRADICTS`. */
  readonly resolution: Resolution | null;
  /** The principal who settled or reopened it last; null while nobody has. As are the next two. */
  readonly resolvedBy: string | null;
  readonly resolvedAt: number | null;
  readonly resolutionNote: string | null;
};

/** One step of a path: an edge and the way it was taken. */
export type Step = { readonly edge: Edge; readonly direction: StepDirection };
