import { visitKeywordTerms } from './keyword-terms.ts';

/** What the keyword index reads of a page. `hints` are its prospective query hints, often none. */
export type KeywordSource = {
  readonly title: string;
  readonly body: string;
  readonly hints: readonly string[];
};

/** How often one term stands in each piece of a page. */
export type TermCounts = { readonly title: number; readonly body: number; readonly hint: number };

/** The terms of a page, in the form that a keyword index stores. */
export type KeywordDocument = {
  /** In the order first seen: title, then hints, then body. */
  readonly terms: ReadonlyMap<string, TermCounts>;
  /** Sum of all counts: the length that BM25 divides by. */
  readonly length: number;
  /** True when the page had more terms than an index entry holds. */
  readonly truncated: boolean;
};

/** Most positions kept for a term; a term seen more often counts as seen this often. */
export const MAX_POSITIONS = 64;

/**
 * Most bytes one page may take in the index. Postgres refuses a tsvector of
 * 1,048,576 bytes (lexemes and positions); the rest is a margin.
 */
export const MAX_DOCUMENT_BYTES = 1_000_000;

/** A lexeme's position count, two bytes, and up to one byte that aligns it. */
const TERM_OVERHEAD_BYTES = 3;
const POSITION_BYTES = 2;

/**
 * Counts the terms of a page, and says where each stands. A line end parts terms, so
 * counting piece by piece gives what the pieces would give as lines of one text.
 *
 * A page with more terms than MAX_DOCUMENT_BYTES is indexed up to the term that no
 * longer fits: its title and its hints always, then its body from the start.
 */
export function keywordDocument(source: KeywordSource): KeywordDocument {
  const terms = new Map<string, { title: number; body: number; hint: number }>();
  let length = 0;
  let bytes = 0;
  let truncated = false;

  for (const [kind, text] of piecesOf(source)) {
    visitKeywordTerms(text, (term) => {
      if (truncated) return;

      const counts = terms.get(term);
      const seen = counts === undefined ? 0 : counts.title + counts.body + counts.hint;
      bytes += seen < MAX_POSITIONS ? POSITION_BYTES : 0;
      bytes += counts === undefined ? Buffer.byteLength(term) + TERM_OVERHEAD_BYTES : 0;
      if (bytes > MAX_DOCUMENT_BYTES) {
        truncated = true;
        return;
      }

      if (counts === undefined) terms.set(term, { title: 0, body: 0, hint: 0, [kind]: 1 });
      else counts[kind] += 1;
      length += 1;
    });
  }

  return { terms, length, truncated };
}

/** The title and the hints go before the body, of which there may be too much. */
function piecesOf({ title, body, hints }: KeywordSource): (readonly [keyof TermCounts, string])[] {
  return [['title', title], ...hints.map((hint) => ['hint', hint] as const), ['body', body]];
}
