import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { percentile } from '../sampling.ts';

export const SEED = 20_260_101;
const RESAMPLES = 2_000;

export type Interval = { readonly low: number; readonly high: number };

/**
 * The interval that holds the mean in 95 of 100 resamples (percentile bootstrap). Whole groups are
 * drawn: queries of one conversation stand and fall together. Of a single group, its values are drawn.
 *
 * @param groups  values by conversation, at least one value in all
 *
 * Source: Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
 */
export function bootstrapMean(groups: readonly (readonly number[])[], seed = SEED): Interval {
  const [only] = groups;
  const units = groups.length === 1 && only !== undefined ? only.map((value) => [value]) : groups;
  const generator = xoroshiro128plus(seed);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    let count = 0;
    for (const _ of units) {
      for (const value of units[uniformInt(generator, 0, units.length - 1)] ?? []) {
        sum += value;
        count += 1;
      }
    }
    return sum / Math.max(1, count);
  });
  return { low: percentile(means, 0.025), high: percentile(means, 0.975) };
}

/**
 * How likely differences as large as these come by chance, were the two sides equal: the share of
 * sign flips whose mean is at least as far from 0, counting the one that was seen. 1 of no difference.
 *
 * @param differences  one side less the other, for each query
 *
 * Source: Smucker, Allan and Carterette, "A Comparison of Statistical Significance Tests for
 * Information Retrieval Evaluation", CIKM 2007 (Fisher's randomisation test).
 */
export function pairedTest(differences: readonly number[], seed = SEED): number {
  const seen = Math.abs(differences.reduce((sum, each) => sum + each, 0));
  const changed = differences.filter((each) => each !== 0);
  const generator = xoroshiro128plus(seed);
  let asFar = 1;
  for (let resample = 0; resample < RESAMPLES; resample++) {
    const flipped = changed.reduce(
      (sum, each) => sum + (uniformInt(generator, 0, 1) === 0 ? each : -each),
      0,
    );
    // Sums of the same values in another order may differ in the last bit.
    if (Math.abs(flipped) >= seen - 1e-9) asFar += 1;
  }
  return asFar / (RESAMPLES + 1);
}
