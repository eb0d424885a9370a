/** How well one query was answered. All are from 0 to 1. */
export type Scores = {
  /** Share of the relevant that is among the first k. */
  readonly recallAt1: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly recallAt20: number;
  /** 1 when any relevant one is among the first 10, else 0. */
  readonly anyAt10: number;
  /** 1 when all relevant ones are among the first 10, else 0. */
  readonly allAt10: number;
  /** 1 / rank of the first relevant one; 0 when there is none. */
  readonly mrr: number;
  /** Gain of 1 for a relevant one, discounted by log2(rank + 1), over that of the best order. */
  readonly ndcgAt10: number;
};

export const METRICS = [
  'recallAt1',
  'recallAt5',
  'recallAt10',
  'recallAt20',
  'anyAt10',
  'allAt10',
  'mrr',
  'ndcgAt10',
] as const satisfies readonly (keyof Scores)[];

/** How many hits are looked at. */
export const DEPTH = 20;

/**
 * @param ranked    keys, best first, each once
 * @param relevant  keys that answer, at least one; the same twice counts once
 */
export function score(ranked: readonly string[], relevant: readonly string[]): Scores {
  const wanted = new Set(relevant);
  const isHit = ranked.map((key) => wanted.has(key));
  const share = (k: number) => isHit.slice(0, k).filter(Boolean).length / wanted.size;
  const first = isHit.indexOf(true);
  return {
    recallAt1: share(1),
    recallAt5: share(5),
    recallAt10: share(10),
    recallAt20: share(DEPTH),
    anyAt10: share(10) > 0 ? 1 : 0,
    allAt10: share(10) === 1 ? 1 : 0,
    mrr: first < 0 ? 0 : 1 / (first + 1),
    ndcgAt10: gain(isHit.slice(0, 10)) / gain(Array(Math.min(10, wanted.size)).fill(true)),
  };
}

function gain(isHit: readonly boolean[]): number {
  return isHit.reduce((sum, hit, index) => sum + (hit ? 1 / Math.log2(index + 2) : 0), 0);
}

/** The mean of each metric; zeros of none. */
export function meanOf(scores: readonly Scores[]): Scores {
  const mean = (metric: keyof Scores) =>
    scores.reduce((sum, each) => sum + each[metric], 0) / Math.max(1, scores.length);
  return {
    recallAt1: mean('recallAt1'),
    recallAt5: mean('recallAt5'),
    recallAt10: mean('recallAt10'),
    recallAt20: mean('recallAt20'),
    anyAt10: mean('anyAt10'),
    allAt10: mean('allAt10'),
    mrr: mean('mrr'),
    ndcgAt10: mean('ndcgAt10'),
  };
}
