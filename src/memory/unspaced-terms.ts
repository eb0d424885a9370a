import type { VisitTerm } from './compound-terms.ts';

/** One language for all: which words a page has must not depend on where the server runs. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Units of a word looked at to count its characters. */
const LONGEST_COUNTED = 16;

/**
 * Gives the words and the overlapping pairs of characters of a run in a script
 * without spaces. The pairs find a part of what the dictionary takes for one
 * word (`适者生存`) and a word that it cuts in two (`止损`); they are also what
 * stays the same when another version of ICU brings another dictionary.
 *
 * A word of two characters is a pair and is given once. A character is a base
 * with its marks. A run of one character gives that character.
 */
export function visitUnspaced(run: string, visit: VisitTerm): void {
  const characters = run.match(/\P{M}\p{M}*/gu) ?? [];
  if (characters.length < 2) {
    visit(run, run, 0);
    return;
  }

  for (const { segment } of segmenter.segment(run)) {
    if (countCharacters(segment) !== 2) visit(segment, segment, 0);
  }
  for (let index = 1; index < characters.length; index++) {
    const pair = `${characters[index - 1] ?? ''}${characters[index] ?? ''}`;
    visit(pair, pair, 0);
  }
}

function countCharacters(word: string): number {
  return word.slice(0, LONGEST_COUNTED).match(/\P{M}\p{M}*/gu)?.length ?? 0;
}
