import type { Authority } from './authority.ts';
import { ARMS, type Arm, type Fused } from './fuse-rankings.ts';
import type { PageId } from './page.ts';
import type { PageFacts } from './recall-store.ts';
import type { TypeHint } from './type-hints.ts';

/** A page with all that its place is decided by. */
export type Weighed = {
  readonly facts: PageFacts;
  readonly fused: Fused;
  readonly authority: Authority;
  readonly typeHint: TypeHint;
};

export type Ranked = Weighed & {
  readonly score: number;
  /** The page that the score was held below, and that page's score; null when nothing held it. */
  readonly heldBelow: { readonly pageId: PageId; readonly score: number } | null;
};

/** The challenged page stands below its challenger; `from` the challenger, or the successor. */
export type Below = { readonly lower: PageId; readonly upper: PageId };

/**
 * Gives each page its score and sorts: (fused + type hint) × authority, best first, ties by path,
 * then id. A page that another one disputes or replaces is held just below it when both are there,
 * whatever their own scores; two that dispute each other are not ordered by it.
 */
export function rankHits(weighed: readonly Weighed[], below: readonly Below[] = []): Ranked[] {
  const ranked = new Map<PageId, Ranked>(
    weighed.map((hit) => [
      hit.facts.id,
      {
        ...hit,
        score: (hit.fused.score + hit.typeHint.value) * hit.authority.value,
        heldBelow: null,
      },
    ]),
  );
  const oneWay = below.filter(
    ({ lower, upper }) => !below.some((other) => other.lower === upper && other.upper === lower),
  );
  // Each round settles one more link of a chain of pages that stand below each other.
  for (let round = 0; round < oneWay.length; round++) {
    let isSettled = true;
    for (const { lower, upper } of oneWay) {
      const held = ranked.get(lower);
      const holder = ranked.get(upper);
      if (held === undefined || holder === undefined || held.score < holder.score) continue;
      const score = justBelow(holder.score);
      ranked.set(lower, { ...held, score, heldBelow: { pageId: upper, score: holder.score } });
      isSettled = false;
    }
    if (isSettled) break;
  }
  return [...ranked.values()].sort(compareRanked);
}

/** What is left of a score for the page below it. */
const BELOW_SHARE = 1 - 2 ** -20;

/** A score just below another: what `score` is for a page that was held. */
export function justBelow(score: number): number {
  return score * BELOW_SHARE;
}

function compareRanked(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.facts.path !== b.facts.path) return a.facts.path < b.facts.path ? -1 : 1;
  return a.facts.id < b.facts.id ? -1 : 1;
}

/** From this limit on, the first of each arm has a place. */
const MIN_PROTECTING_LIMIT = 3;

/**
 * The first `limit`, in order. No arm's first hit is lost: where it would fall behind the limit it
 * takes the place of the last that is not itself the first of an arm.
 */
export function cutToLimit(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
  if (ranked.length <= limit || limit < MIN_PROTECTING_LIMIT) return ranked.slice(0, limit);
  const isFirst = (hit: Ranked, arm: Arm) =>
    hit.fused.contributions.some((each) => each.arm === arm && each.rank === 1);
  const firsts = new Set(ranked.filter((hit) => ARMS.some((arm) => isFirst(hit, arm))));
  const kept = new Set(firsts);
  for (const hit of ranked) {
    if (kept.size >= limit) break;
    kept.add(hit);
  }
  return ranked.filter((hit) => kept.has(hit)).slice(0, limit);
}
