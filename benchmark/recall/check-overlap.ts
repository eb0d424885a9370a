import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EDGE_KINDS, RESOLUTIONS } from '../../src/memory/edge.ts';
import { keywordQuery } from '../../src/memory/keyword-query.ts';
import { keywordTerms } from '../../src/memory/keyword-terms.ts';
import { PAGE_KINDS } from '../../src/memory/page.ts';

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

const edge = z.strictObject({
  kind: z.enum(EDGE_KINDS),
  to: z.string().min(1),
  resolution: z.enum(RESOLUTIONS).optional(),
});
const memory = z.strictObject({
  key: z.string().min(1),
  title: z.string().min(1).optional(),
  body: z.string().min(1),
  hints: z.array(z.string().min(1)).optional(),
  kind: z.enum(PAGE_KINDS).optional(),
  edges: z.array(edge).optional(),
});
const query = z.strictObject({
  q: z.string().min(1),
  relevant: z.array(z.string().min(1)).min(1),
  category: z.string().min(1),
  typeHints: z.array(z.enum(PAGE_KINDS)).min(1).optional(),
});
const ownData = z.strictObject({ memories: z.array(memory), queries: z.array(query) });

export type OwnData = z.infer<typeof ownData>;
export type OwnMemory = OwnData['memories'][number];
export type OwnQuery = OwnData['queries'][number];

/**
 * Reads one of the project's own sets. They use less of the neutral format than a file from outside
 * may: every query has a category, and a field that no set has is a typing error.
 */
export function readOwnSet(name: OwnSet): OwnData {
  return ownData.parse(JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')));
}

/** What the words of one query have in common with the pages that answer it. */
export type Overlap = {
  readonly query: OwnQuery;
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
export function measureOverlap({ memories, queries }: OwnData): Overlap[] {
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
export function shownTerms({ title = '', body }: OwnMemory): ReadonlySet<string> {
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
  const groups = Map.groupBy(overlaps, ({ query: { category } }) => category);
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
