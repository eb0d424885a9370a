import { RRF_DAMPING } from './fuse-rankings.ts';
import type { PageKind } from './page.ts';
import type { FusionMethod } from './ranking-profiles.ts';

/**
 * What a hinted kind adds to a fused score, at most: under RRF what one better rank gives at the
 * top, under CONVEX 0.02 of a score that reaches 1. So little that a wrong hint can turn near equals
 * and never hide an answer.
 */
export const TYPE_HINT_BONUS: { readonly [Method in FusionMethod]: number } = {
  CONVEX: 0.02,
  RRF: 1 / (RRF_DAMPING + 1) - 1 / (RRF_DAMPING + 2),
};

export type TypeHint = {
  readonly matched: boolean;
  /** Added to the fused score. */
  readonly value: number;
};

export function typeHint(
  kind: PageKind,
  hinted: readonly PageKind[],
  method: FusionMethod,
): TypeHint {
  const matched = hinted.includes(kind);
  return { matched, value: matched ? TYPE_HINT_BONUS[method] : 0 };
}
