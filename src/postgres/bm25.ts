/** Saturation of term frequency and weight of length: measured best for short texts of this kind. */
export const K1 = 0.9;
export const B = 0.4;

/** Frequencies are told apart up to this many; beyond, a term has at most 1.5 % left to add. */
const MAX_FREQUENCY = 64;

/**
 * Rarity of a term: ln(1 + (N - df + 0.5) / (df + 0.5)), above 0. Also the most that the term can
 * add to a score.
 *
 * Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
 * in the form that cannot fall below zero.
 */
export function inverseDocumentFrequency(pages: number, pagesWithTerm: number): number {
  return Math.log(1 + (pages - pagesWithTerm + 0.5) / (pagesWithTerm + 0.5));
}

/**
 * Borders between the values of `ts_rank('{1,1,1,1}', tsv, one term)` for each frequency: it is
 * Σ 1/i² over the positions, divided by π²/6, so it grows with every position and tells their number.
 */
export const FREQUENCY_BORDERS: readonly number[] = Array.from(
  { length: MAX_FREQUENCY },
  (_, index) => (harmonic(index + 1) - 0.5 / (index + 1) ** 2) / 1.644_934_066_85,
);

function harmonic(count: number): number {
  let sum = 0;
  for (let i = 1; i <= count; i++) sum += 1 / i ** 2;
  return sum;
}
