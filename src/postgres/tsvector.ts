import { dateTerms } from '../memory/date-words.ts';
import { type KeywordDocument, MAX_POSITIONS, type TermCounts } from '../memory/indexed-text.ts';

/**
 * A document as a literal for `$1::tsvector`. No parser of Postgres sees the text:
 * the lexemes are our terms, quoted, on every version and configuration.
 *
 * Positions say nothing about places. A term of frequency tf has the positions 1 to
 * min(tf, MAX_POSITIONS), so that `ts_rank('{1,1,1,1}', tsv, term)`, which is
 * Σ 1/i² over the positions divided by 1.64493406685, gives tf back. Their labels
 * say where the term stands: A in the title, C in a hint, D (written as nothing) in
 * the body, in this order where there are more than MAX_POSITIONS. Terms of the date
 * have B, and do not count to the document's length.
 *
 * @param validFrom  since when it is true, milliseconds UTC; null: since ever
 */
export function toTsvector(document: KeywordDocument, validFrom: number | null = null): string {
  const words = Array.from(
    document.terms,
    ([term, counts]) => `${quoteLexeme(term)}:${toPositions(counts)}`,
  );
  const dates = dateTerms(validFrom).map((term) => `${quoteLexeme(term)}:1B`);
  return [...words, ...dates].join(' ');
}

/**
 * One term as a literal for `$1::tsquery`. Quoted, so nothing in it is an operator;
 * such literals may be joined by `&`, `|` and brackets.
 */
export function toTsquery(term: string): string {
  return quoteLexeme(term);
}

function toPositions({ title, hint, body }: TermCounts): string {
  const count = Math.min(title + hint + body, MAX_POSITIONS);
  return Array.from({ length: count }, (_, index) => {
    if (index < title) return `${index + 1}A`;
    return index < title + hint ? `${index + 1}C` : `${index + 1}`;
  }).join(',');
}

function quoteLexeme(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`;
}
