import type { QueryName } from '../memory/keyword-query.ts';
import type { ScoredTerm } from './keyword-search.ts';

/**
 * What the parts of an identifier may add together, of what the identifier itself may. One mention of
 * it adds more than half of its bound however long the page is, so this leaves it twice as much as
 * any number of mentions of its parts.
 */
const PARTS_SHARE = 0.25;

/**
 * Lets a page that says `ADR-016` stand above those that say `ADR` and `016` apart, however often and
 * in however few words: the parts are weighted down where some page has the whole, and the length of
 * a page does not count against the whole. Where no page has it, the parts find what there is.
 *
 * @param names  those that lie within others first, so that the outer ones scale what is scaled already
 * @returns names first, then the largest bound
 */
export function outweighParts(
  terms: readonly ScoredTerm[],
  names: readonly QueryName[],
): ScoredTerm[] {
  const scored = new Map(terms.map((term) => [term.lexeme, term]));
  for (const { term, parts } of names) {
    const whole = scored.get(term);
    if (whole === undefined) continue;
    scored.set(term, { ...whole, isName: true });
    const known = parts.flatMap((part) => scored.get(part) ?? []);
    const together = known.reduce((sum, { bound }) => sum + bound, 0);
    const share = Math.min(1, (PARTS_SHARE * whole.bound) / together);
    for (const part of known) scored.set(part.lexeme, { ...part, bound: part.bound * share });
  }
  return [...scored.values()].sort(
    (a, b) =>
      Number(b.isName) - Number(a.isName) || b.bound - a.bound || (a.lexeme < b.lexeme ? -1 : 1),
  );
}
