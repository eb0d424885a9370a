import { METRICS, meanOf, type Scores, score } from './metrics.ts';
import type { RecallSet } from './neutral-format.ts';
import { bootstrapMean, type Interval, pairedTest } from './statistics.ts';

/** What was ranked for each query of each set, in order. */
export type Run = {
  readonly name: string;
  readonly ranked: readonly (readonly (readonly string[])[])[];
};

export type Row = {
  readonly name: string;
  readonly scores: Scores;
  /** 95 % of resamples; whole conversations are drawn where there are several. */
  readonly intervals: { readonly recallAt10: Interval; readonly ndcgAt10: Interval };
  /** The mean difference from the baseline, and how likely one as large comes by chance. */
  readonly againstBaseline: {
    readonly recallAt10: { readonly difference: number; readonly p: number };
    readonly ndcgAt10: { readonly difference: number; readonly p: number };
  };
  readonly byCategory: Readonly<Record<string, Scores & { readonly queries: number }>>;
};

/** @param baseline  name of the run that the others are compared with */
export function toRows(
  sets: readonly RecallSet[],
  runs: readonly Run[],
  baseline: string,
): readonly Row[] {
  const scored = runs.map(({ name, ranked }) => ({
    name,
    groups: sets.map(({ queries }, set) =>
      queries.map(({ relevant }, index) => score(ranked[set]?.[index] ?? [], relevant)),
    ),
  }));
  const base = scored.find(({ name }) => name === baseline)?.groups.flat();
  if (base === undefined) throw new Error(`Expected a run named ${baseline}, but found none.`);
  const categories = sets.flatMap(({ queries }) => queries.map(({ category = 'all' }) => category));

  return scored.map(({ name, groups }): Row => {
    const all = groups.flat();
    const interval = (metric: keyof Scores) =>
      bootstrapMean(groups.map((group) => group.map((each) => each[metric])));
    const against = (metric: keyof Scores) => {
      const differences = all.map((each, index) => each[metric] - (base[index]?.[metric] ?? 0));
      return {
        difference: meanOf(all)[metric] - meanOf(base)[metric],
        p: pairedTest(differences),
      };
    };
    return {
      name,
      scores: meanOf(all),
      intervals: { recallAt10: interval('recallAt10'), ndcgAt10: interval('ndcgAt10') },
      againstBaseline: { recallAt10: against('recallAt10'), ndcgAt10: against('ndcgAt10') },
      byCategory: Object.fromEntries(
        [...new Set(categories)].sort().map((category) => {
          const own = all.filter((_, index) => categories[index] === category);
          return [category, { queries: own.length, ...meanOf(own) }];
        }),
      ),
    };
  });
}

const COLUMNS = {
  recallAt1: 'recall@1',
  recallAt5: 'recall@5',
  recallAt10: 'recall@10',
  recallAt20: 'recall@20',
  anyAt10: 'any@10',
  allAt10: 'all@10',
  mrr: 'MRR',
  ndcgAt10: 'nDCG@10',
} as const satisfies Record<keyof Scores, string>;

/** A table for people: a line for each row, and one for each of its categories where there are several. */
export function toMarkdown(rows: readonly Row[]): string {
  const head = ['', ...METRICS.map((metric) => COLUMNS[metric]), 'recall@10, 95 %', 'p'];
  const lines = rows.flatMap(({ name, scores, intervals, againstBaseline, byCategory }) => {
    const { low, high } = intervals.recallAt10;
    const own = [
      `**${name}**`,
      ...cells(scores),
      `${shown(low)} to ${shown(high)}`,
      shown(againstBaseline.recallAt10.p),
    ];
    const categories = Object.entries(byCategory);
    if (categories.length < 2) return [own];
    return [
      own,
      ...categories.map(([category, each]) => [
        `${category} (${each.queries})`,
        ...cells(each),
        '',
        '',
      ]),
    ];
  });
  return [head, head.map(() => '---'), ...lines]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}

function cells(scores: Scores): readonly string[] {
  return METRICS.map((metric) => shown(scores[metric]));
}

function shown(value: number): string {
  return value.toFixed(3);
}
