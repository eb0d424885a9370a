/** Marks kept in a row; Unicode's stream-safe format allows 30 and no known word has more than 8. */
const MAX_MARKS_IN_A_ROW = 30;

/**
 * Letters that compatibility normalisation leaves alone although people type
 * them with their plain neighbours.
 */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);

/**
 * One spelling for texts that a reader takes for the same: compatibility forms,
 * upper and lower case, and the accents of Latin and Greek letters. Marks of
 * other scripts stay, because there they make another letter (か and が, и and й).
 * Invisible characters (soft hyphen, joiners, variation selectors, keycaps) go; a zero
 * width space becomes a space, which is what Thai and Khmer use it for.
 * Typographic apostrophes and hyphens become the plain ones.
 *
 * Folding a folded text changes nothing. Linear in the length of the text.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();

  return composeText(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, '$1')
    .replace(/[ßæœøđðþłħŧıς]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter)
    .normalize('NFKC');
}

/**
 * The part of folding that leaves upper and lower case as they are: NFKC, plain
 * apostrophes and hyphens, no invisible characters.
 *
 * Runs of more than 30 marks are cut before they are normalised: putting marks
 * in canonical order takes time in the square of the run.
 */
export function composeText(text: string): string {
  if (isAscii(text)) return text;

  return text
    .replace(/\u200b/g, ' ')
    .replace(/\p{Default_Ignorable_Code_Point}|\u20e3/gu, '')
    .replace(MARK_RUNS, '$1')
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u2010\u2212]/g, '-');
}

const MARK_RUNS = new RegExp(`(\\p{M}{${MAX_MARKS_IN_A_ROW}})\\p{M}+`, 'gu');

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
