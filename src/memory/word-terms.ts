import { keywordTerms } from './keyword-terms.ts';

/** Words that are kept, about 3 MiB: a text's words are nearly all among the common ones. */
const MAX_KEPT = 16_384;
/** Longer runs of signs seldom come again. */
const LONGEST_KEPT = 40;

const kept = new Map<string, readonly string[]>();

/** The keyword terms of a run without spaces. Stemming is most of a snippet's cost, so they are kept. */
export function wordTerms(word: string): readonly string[] {
  const found = kept.get(word);
  if (found !== undefined) return found;
  const terms = keywordTerms(word);
  if (word.length > LONGEST_KEPT) return terms;
  const [oldest] = kept.size < MAX_KEPT ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(word, terms);
  return terms;
}
