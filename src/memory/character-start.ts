/**
 * Where the character that `at` is in begins: `at` itself, when it is a border between characters.
 * A character is what a reader sees as one: surrogate pairs, accents, flags and joined emoji are whole.
 *
 * Costs time linear in `at - from`.
 *
 * @param from  a known border at or before `at`; UTF-16 units, as all offsets here
 * @returns from `from` to `at`
 */
export function characterStart(text: string, from: number, at: number): number {
  if (at <= from || at >= text.length) return at;
  // Whether `at` is a border depends on what is before it, and on the one code point behind it.
  const character = CHARACTERS.segment(text.slice(from, at + 2)).containing(at - from);
  return character === undefined ? at : from + character.index;
}

/** Where the code point that `at` is in begins: `at - 1` between the halves of a surrogate pair, else `at`. */
export function codePointStart(text: string, at: number): number {
  const isInsidePair = at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff;
  return isInsidePair ? at - 1 : at;
}

const CHARACTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });
