/** What those who used a page said of it. */
export const VERDICTS = ['USEFUL', 'NOT_USEFUL', 'WRONG'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How often each was said of a page. */
export type FeedbackCounts = {
  readonly useful: number;
  readonly notUseful: number;
  readonly wrong: number;
};

export const NO_FEEDBACK: FeedbackCounts = { useful: 0, notUseful: 0, wrong: 0 };

/** What feedback adds to authority at most, and takes from it. */
export const MAX_SALIENCE = 0.1;
/** A wrong page does harm where one that is not useful does nothing: it weighs as three of those. */
const WRONG_WEIGHT = 3;
/** As if so many had said nothing either way: the first voices move little, many move much. */
const SILENT = 5;

/**
 * What feedback adds to the authority of a page: with `u` useful, `n` not useful and `w` wrong,
 *
 *     salience = 0.10 · (u − n − 3w) / (u + n + 3w + 5)
 *
 * Counts alone decide it, so the order in which they came does not matter and nothing has to be kept
 * beside them. Always within −0.10 and +0.10, and never at either end; rises with each `u`, falls with
 * each `n` and more with each `w`; 0 where nothing was said. It can turn the order of near equals.
 *
 * Source: additive smoothing, as of a proportion that starts from a prior of equal counts.
 */
export function salience({ useful, notUseful, wrong }: FeedbackCounts): number {
  const against = notUseful + WRONG_WEIGHT * wrong;
  return (MAX_SALIENCE * (useful - against)) / (useful + against + SILENT);
}
