import { keywordTerms } from './keyword-terms.ts';

/** Words that are kept, about 3 MiB: a text's words are nearly all among the common ones. */
const MAX_KEPT = 16_384;
/** Longer runs of signs seldom come again. */
const LONGEST_KEPT = 40;

/** The keyword terms of single words, for snippets. */
export type WordTerms = {
  /** The terms of a run without spaces, as `keywordTerms` gives them. */
  readonly termsOf: (word: string) => readonly string[];
};

/** Keeps the terms of the last words: stemming is most of what a snippet costs. */
export function createWordTerms(): WordTerms {
  const kept = new Map<string, readonly string[]>();

  return {
    termsOf(word) {
      const found = kept.get(word);
      if (found !== undefined) return found;
      const terms = keywordTerms(word);
      if (word.length > LONGEST_KEPT) return terms;
      const [oldest] = kept.size < MAX_KEPT ? [] : kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(word, terms);
      return terms;
    },
  };
}
