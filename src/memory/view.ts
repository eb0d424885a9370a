import type { ProjectId } from './page.ts';

/**
 * A read at a point of both times, milliseconds UTC: what was true at `validAt` as Causeway knew it
 * at `recordedAt`.
 *
 * `validAt` null: whatever its valid time, the version that was newest at `recordedAt`; edges are
 * then those valid at `recordedAt`.
 */
export type AsOf = { readonly validAt: number | null; readonly recordedAt: number };

/**
 * What one caller can see at one instant. Every read takes it, and every statement carries it:
 * tenant first, then projects and clearance, before any limit.
 */
export type View = {
  readonly tenant: string;
  /** The projects that the caller may read, resolved to ids; empty means nothing is visible. */
  readonly projectIds: readonly ProjectId[];
  /** 0 to 3, as `sensitivityRank`. */
  readonly clearance: number;
  /** Null reads the present. */
  readonly asOf: AsOf | null;
  /** The caller's clock, milliseconds UTC: decides what is expired and which edges are valid. */
  readonly now: number;
};
