import { visitKeywordTerms } from './keyword-terms.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Most distinct terms of one query. Each costs a condition and a score in the
 * statement; a question of 30 words with a few identifiers in it has fewer.
 */
export const MAX_QUERY_TERMS = 64;

/** Most UTF-16 units of a query that are read: far more than MAX_QUERY_TERMS ordinary words take. */
export const MAX_QUERY_UNITS = 8192;

/** How far back to look for a space, so that the cut makes no word that nobody wrote. */
const LONGEST_WORD_UNITS = 256;

export type KeywordQuery = {
  /** Distinct, in the order first written; at most MAX_QUERY_TERMS. */
  readonly terms: readonly string[];
  /** True when the query was longer, or had more terms, than is searched for. */
  readonly truncated: boolean;
};

/**
 * The terms that a query is searched by: those of `keywordTerms`, each once,
 * without stop words. There is no syntax: `a & b`, `NOT x`, quotes, hyphens and
 * brackets are text like any other.
 *
 * No terms (for `???`, or for stop words alone) means that nothing matches, never
 * that everything does. Where there is too much, the first terms count: whoever
 * pastes a log asks in its first lines. Never throws, whatever the text.
 */
export function keywordQuery(text: string): KeywordQuery {
  const read = cutQuery(text);
  const terms = new Set<string>();
  let truncated = /\S/.test(text.slice(read.length));

  visitKeywordTerms(read, (term, word) => {
    if (STOP_WORDS.has(word) || terms.has(term)) return;
    if (terms.size === MAX_QUERY_TERMS) truncated = true;
    else terms.add(term);
  });

  return { terms: [...terms], truncated };
}

function cutQuery(text: string): string {
  if (text.length <= MAX_QUERY_UNITS) return text;

  const cut = text.slice(0, MAX_QUERY_UNITS);
  if (/\s/.test(text[MAX_QUERY_UNITS] ?? ' ')) return cut;

  const partial = /\S*$/.exec(cut.slice(-LONGEST_WORD_UNITS))?.[0].length ?? 0;
  return partial === LONGEST_WORD_UNITS ? cut : cut.slice(0, cut.length - partial);
}
