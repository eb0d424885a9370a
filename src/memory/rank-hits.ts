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

/** The challenged page stands below its challenger, the replaced one below its successor. */
export type Below = { readonly lower: PageId; readonly upper: PageId };

/**
 * Gives each page its score and sorts: (fused + type hint) × authority, best first, ties by path,
 * then id. A page that another one disputes or replaces is held just below it when both are there,
 * whatever their own scores; pages that dispute each other, in a pair or in a circle, are not ordered
 * by it.
 */
export function rankHits(weighed: readonly Weighed[], below: readonly Below[] = []): Ranked[] {
  const hits = new Map(weighed.map((hit) => [hit.facts.id, hit]));
  const holders = findHolders(
    below.filter(({ lower, upper }) => hits.has(lower) && hits.has(upper)),
  );
  const ranked = new Map<PageId, Ranked>();

  // Those above first: their scores are what the page is held by.
  function rank(hit: Weighed): Ranked {
    const { id } = hit.facts;
    const known = ranked.get(id);
    if (known !== undefined) return known;
    const own = (hit.fused.score + hit.typeHint.value) * hit.authority.value;
    const above = (holders.get(id) ?? []).flatMap((holder) => hits.get(holder) ?? []).map(rank);
    const [lowest] = above.toSorted((a, b) => compareRanked(b, a));
    const result =
      lowest === undefined || own < lowest.score
        ? { ...hit, score: own, heldBelow: null }
        : {
            ...hit,
            score: justBelow(lowest.score),
            heldBelow: { pageId: lowest.facts.id, score: lowest.score },
          };
    ranked.set(id, result);
    return result;
  }

  return weighed.map(rank).sort(compareRanked);
}

/** The pages that each page belongs below, without the links that lie on a circle. */
function findHolders(below: readonly Below[]): ReadonlyMap<PageId, readonly PageId[]> {
  const all = holdersOf(below);
  return holdersOf(below.filter(({ lower, upper }) => !isBelow(upper, lower, all)));
}

function holdersOf(below: readonly Below[]): Map<PageId, readonly PageId[]> {
  const groups = Map.groupBy(below, ({ lower }) => lower);
  return new Map([...groups].map(([lower, own]) => [lower, own.map(({ upper }) => upper)]));
}

/** Whether links lead from one page up to another. */
function isBelow(
  page: PageId,
  other: PageId,
  holders: ReadonlyMap<PageId, readonly PageId[]>,
): boolean {
  const seen = new Set([page]);
  for (const each of seen) {
    if (each === other) return true;
    for (const holder of holders.get(each) ?? []) seen.add(holder);
  }
  return false;
}

/** What is left of a score for the page below it. */
const BELOW_SHARE = 1 - 2 ** -20;

/**
 * A score strictly below another: what `score` is for a page that was held. A share of it; at 0 and
 * below, and where a share would round to the same, the step to the next number there is.
 */
export function justBelow(score: number): number {
  const share = score * BELOW_SHARE;
  if (share < score) return share;
  return score - Math.max(Math.abs(score) * 2 ** -20, Number.MIN_VALUE);
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
 * takes the place of the last that is not itself the first of an arm. The best of all keeps its
 * place, so of a limit of 3 the first of the graph may give way to it.
 */
export function cutToLimit(ranked: readonly Ranked[], limit: number): readonly Ranked[] {
  if (ranked.length <= limit || limit < MIN_PROTECTING_LIMIT) return ranked.slice(0, limit);
  const firsts = ARMS.flatMap((arm) => ranked.find((hit) => isFirstOf(arm, hit)) ?? []);
  const byClaim = new Set([...ranked.slice(0, 1), ...firsts, ...ranked]);
  const kept = new Set([...byClaim].slice(0, limit));
  return ranked.filter((hit) => kept.has(hit));
}

function isFirstOf(arm: Arm, { fused }: Ranked): boolean {
  return fused.contributions.some((each) => each.arm === arm && each.rank === 1);
}
