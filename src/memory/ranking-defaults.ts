/** A row of a report: how one ranking of one data set scored. */
type Row = string;

/** A value of ranking with the measurement that it rests on; `npm run check` reads it there. */
export type Cited<Value> = {
  readonly value: Value;
  /** File in `benchmark/recall/reports`, without `.json`. */
  readonly report: string;
  /** With the value, and without it. */
  readonly better: Row;
  readonly than: Row;
  readonly metric: 'recallAt1' | 'recallAt10' | 'ndcgAt10';
};

/**
 * What rankings are made of. A value that no report favours has no place here, and what does not help
 * is off.
 */
export const RANKING_DEFAULTS = {
  /** Scores are added, ranks are not. */
  fusion: cite('CONVEX', {
    report: 'locomo',
    better: 'baseline',
    than: 'rrf',
    metric: 'recallAt10',
  }),
  /** Share of the words and of the meaning in a convex score. */
  convexWeights: cite(
    { KEYWORD: 0.45, DENSE: 0.55 },
    { report: 'locomo', better: 'baseline', than: 'keyword arm', metric: 'recallAt10' },
  ),
  /** Share of a seed's score that the graph lends, before the weight of the edge's kind. */
  graphShare: cite(0.3, {
    report: 'causal',
    better: 'baseline',
    than: 'keyword arm',
    metric: 'recallAt10',
  }),
  /** Other pages are found by their valid date too. */
  dateWords: cite(true, {
    report: 'locomo',
    better: 'dialogue',
    than: 'dialogue without dateWords',
    metric: 'ndcgAt10',
  }),
  /** Falling with the distance: a tenth less for each place further. */
  sessionShares: cite([0.8, 0.72, 0.65, 0.58], {
    report: 'locomo',
    better: 'dialogue',
    than: 'dialogue without sessionNeighbours',
    metric: 'recallAt10',
  }),
  /** A turn that asks is seldom the answer; what follows it may be. */
  askingTerm: cite(-0.1, {
    report: 'locomo',
    better: 'dialogue',
    than: 'dialogue without askingTerm',
    metric: 'ndcgAt10',
  }),
  /**
   * Times `graphShare`. A question for a cause or a fix has the words of the problem, and the answer
   * may have none of them: an edge lends nine tenths.
   */
  chainWeight: cite(3, {
    report: 'causal',
    better: 'chain',
    than: 'chain without edgeWeights',
    metric: 'recallAt10',
  }),
  /** Part of what the first hop of a chain lends that the second one does. */
  secondHopShare: cite(0.9, {
    report: 'causal',
    better: 'chain',
    than: 'chain without chain',
    metric: 'recallAt10',
  }),
} as const satisfies Readonly<Record<string, Cited<unknown>>>;

function cite<const Value>(value: Value, source: Omit<Cited<Value>, 'value'>): Cited<Value> {
  return { value, ...source };
}
