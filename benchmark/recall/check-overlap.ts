import { fileURLToPath } from 'node:url';
import { keywordQuery } from '../../src/memory/keyword-query.ts';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';
import { type Memory, type Query, type RecallSet, readRecallSet } from './neutral-format.ts';

const FOLDER = new URL('./data/', import.meta.url);

/** The data sets that were written for this project, one file each in `data/`. */
export const OWN_SETS = [
  'hints',
  'causal',
  'contradiction',
  'type-hints',
  'multilingual',
  'identifiers',
] as const;
export type OwnSet = (typeof OWN_SETS)[number];

/** @throws {DataFileError} naming the line and the field of the first fault */
export function readOwnSet(name: OwnSet): RecallSet {
  return readRecallSet(fileURLToPath(new URL(`${name}.json`, FOLDER)));
}

/** What the words of one query have in common with the pages that answer it. */
export type Overlap = {
  readonly query: Query;
  /** Terms of the query that count: stemmed, each once, stop words out. */
  readonly terms: readonly string[];
  /** Those of `terms` that stand in the title or body of an answer. */
  readonly inAnswer: readonly string[];
  /** Those of `terms` that stand in a hint of an answer. */
  readonly inHints: readonly string[];
  /** Whether it says what a hint says: the same words that count, in any order. */
  readonly isHint: boolean;
};

/** One entry for each query, in their order. Terms are made as recall makes them. */
export function measureOverlap({ memories, queries }: RecallSet): Overlap[] {
  const byKey = new Map(memories.map((each) => [each.key, each]));
  return queries.map((each) => {
    const answers = each.relevant.flatMap((key) => byKey.get(key) ?? []);
    const hints = answers.flatMap((answer) => answer.hints ?? []);
    const { terms } = keywordQuery(each.q);
    const shown = new Set(answers.flatMap((answer) => [...shownTerms(answer)]));
    const hinted = new Set(keywordTerms(hints.join('\n')));
    return {
      query: each,
      terms,
      inAnswer: terms.filter((term) => shown.has(term)),
      inHints: terms.filter((term) => hinted.has(term)),
      isHint: hints.some((hint) => sameTerms(terms, keywordQuery(hint).terms)),
    };
  });
}

/** The terms by which the keyword arm knows a page without its hints. */
export function shownTerms({ title = '', body }: Memory): ReadonlySet<string> {
  return new Set(keywordTerms(`${title}\n${body}`));
}

function sameTerms(left: readonly string[], right: readonly string[]): boolean {
  return new Set(left).symmetricDifference(new Set(right)).size === 0;
}

/**
 * The overlap of one set as lines of text: for each category the queries, those that share no word
 * with their answers, and the mean share of a query's words that stand in an answer and in a hint.
 */
export function overlapTable(name: string, overlaps: readonly Overlap[]): string {
  const groups = Map.groupBy(overlaps, ({ query }) => query.category ?? 'none');
  const rows = [...groups, ['all', overlaps] as const].map(([category, group]) => [
    category,
    String(group.length),
    String(group.filter(({ inAnswer }) => inAnswer.length === 0).length),
    meanShare(group, ({ inAnswer }) => inAnswer.length),
    meanShare(group, ({ inHints }) => inHints.length),
    String(group.filter(({ isHint }) => isHint).length),
  ]);
  const head = [name, 'queries', 'no word', 'in answer', 'in hints', 'copies'];
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => (column === 0 ? cell.padEnd(14) : cell.padStart(10))).join('');
  return `${[head, ...rows].map(line).join('\n')}\n`;
}

function meanShare(group: readonly Overlap[], count: (each: Overlap) => number): string {
  const shares = group.map((each) => count(each) / Math.max(1, each.terms.length));
  return `${((100 * shares.reduce((sum, share) => sum + share, 0)) / group.length).toFixed(1)} %`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of OWN_SETS) {
    process.stdout.write(`${overlapTable(name, measureOverlap(readOwnSet(name)))}\n`);
  }
}
