import { DepthLimitExceededError, InvalidInputError } from './errors.ts';

/** Hops of a walk when the caller names none: an incident, its cause, and what fixed that. */
export const DEFAULT_DEPTH = 2;

/** Most hops of a walk or path unless the server's setting says otherwise. */
export const DEFAULT_MAX_DEPTH = 4;

/** No setting passes this: past eight hops nearly everything is near everything. */
export const HARD_MAX_DEPTH = 8;

/** Pages that one walk may start from: what one page of hits can hand over. */
export const MAX_START_PAGES = 32;

/** Pages of a walk when the caller does not say: what a person or a model can still read. */
export const DEFAULT_MAX_PAGES = 100;

/** Most pages of a walk: about what a drawn graph can show. */
export const MAX_PAGES = 1_000;

/** Edges followed from one page when the caller does not say. */
export const DEFAULT_FAN_OUT = 50;

/** Most edges followed from one page; with `MAX_PAGES` and the depth it bounds the work of a walk. */
export const MAX_FAN_OUT = 200;

/**
 * Ledger rows examined for one page, kind and direction, whatever comes of them: a hub whose
 * neighbours are nearly all hidden would otherwise be read whole. 20,000 rows take about 50 ms.
 */
export const MAX_SCANNED_EDGES = 20_000;

/** Most entries in the list of what a walk left out; the first in order of discovery are kept. */
export const MAX_TRUNCATIONS = 100;

/** Most paths of one answer: the first, and a few to compare it with. */
export const MAX_PATHS = 5;

/** Edges followed from one page by a search for paths: wide, since a path may run through a hub. */
export const PATH_FAN_OUT = 1_000;

/** Pages that a search for paths expands from each end before it gives up. */
export const MAX_PATH_PAGES = 10_000;

/** Edges that one level of a search for paths reads at most; the rest of the level is left out. */
export const MAX_PATH_HOPS = 50_000;

/**
 * Hops of a walk from 1 to the server's cap, never above `HARD_MAX_DEPTH`.
 *
 * @throws {InvalidInputError} naming the field, unless it is a whole number from 1
 * @throws {DepthLimitExceededError} naming the field and the cap
 */
export function parseDepth(depth: number, maxDepth: number, field = 'depth'): number {
  const cap = Math.min(maxDepth, HARD_MAX_DEPTH);
  if (!Number.isInteger(depth) || depth < 1) {
    throw new InvalidInputError(field, `a whole number from 1 to ${cap}`, String(depth));
  }
  if (depth > cap) throw new DepthLimitExceededError(field, cap, depth);
  return depth;
}
