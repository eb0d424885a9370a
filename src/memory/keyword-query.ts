import { dateTermOf } from './date-words.ts';
import { visitKeywordTerms } from './keyword-terms.ts';
import { STOP_WORDS } from './stop-words.ts';

/**
 * Most distinct terms of one query. Each costs a condition and a score in the
 * statement; a question of 30 words with a few identifiers in it has fewer.
 */
export const MAX_QUERY_TERMS = 64;

/** Most date terms of one query: two whole dates. */
const MAX_DATE_TERMS = 6;

/** Most UTF-16 units of a query that are read: far more than MAX_QUERY_TERMS ordinary words take. */
export const MAX_QUERY_UNITS = 8192;

/** How far back to look for a space, so that the cut makes no word that nobody wrote. */
const LONGEST_WORD_UNITS = 256;

/** An identifier of a query: `adr-016` with `adr` and `016`. */
export type QueryName = {
  readonly term: string;
  /** Terms inside of it, and of identifiers within it, that stand nowhere else in the query. */
  readonly parts: readonly string[];
};

export type KeywordQuery = {
  /** Distinct, in the order first written; at most MAX_QUERY_TERMS. */
  readonly terms: readonly string[];
  /** Terms of the dates that it names, each once; for rankings that ask for them. */
  readonly dates: readonly string[];
  /** Its identifiers, those that lie within others first. */
  readonly names: readonly QueryName[];
  /** Whether it has at least as many identifiers as other words: it looks something up by its name. */
  readonly isLookUp: boolean;
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
  const dates = new Set<string>();
  const met: Met[] = [];
  let truncated = /\S/.test(text.slice(read.length));

  visitKeywordTerms(read, (term, word, depth) => {
    if (STOP_WORDS.has(word)) return;
    const date = dateTermOf(word);
    if (date !== null && dates.size < MAX_DATE_TERMS) dates.add(date);
    if (!terms.has(term)) {
      if (terms.size === MAX_QUERY_TERMS) {
        truncated = true;
        return;
      }
      terms.add(term);
    }
    met.push({ term, depth });
  });

  return { terms: [...terms], dates: [...dates], ...toNames(met), truncated };
}

type Met = { readonly term: string; readonly depth: number };

/** Terms come after the identifier around them, and lie deeper. */
function toNames(met: readonly Met[]): Pick<KeywordQuery, 'names' | 'isLookUp'> {
  const all: (Met & { readonly inner: Set<string> })[] = [];
  let around: typeof all = [];
  for (const { term, depth } of met) {
    around = around.filter((outer) => outer.depth < depth);
    for (const { inner } of around) inner.add(term);
    const own = { term, depth, inner: new Set<string>() };
    around.push(own);
    all.push(own);
  }
  const isName = ({ inner }: (typeof all)[number]) => inner.size > 0;
  const alone = all.filter((each) => each.depth === 0 && !isName(each));
  const words = new Set(alone.map(({ term }) => term));
  const names = all.filter(isName).map(
    ({ term, inner }): QueryName => ({
      term,
      parts: [...inner].filter((part) => part !== term && !words.has(part)),
    }),
  );
  const outermost = all.filter((each) => each.depth === 0 && isName(each));
  const isLookUp = outermost.length > 0 && outermost.length >= words.size;
  return { names: names.reverse(), isLookUp };
}

function cutQuery(text: string): string {
  if (text.length <= MAX_QUERY_UNITS) return text;

  const cut = text.slice(0, MAX_QUERY_UNITS);
  if (/\s/.test(text[MAX_QUERY_UNITS] ?? ' ')) return cut;

  const partial = /\S*$/.exec(cut.slice(-LONGEST_WORD_UNITS))?.[0].length ?? 0;
  return partial === LONGEST_WORD_UNITS ? cut : cut.slice(0, cut.length - partial);
}
