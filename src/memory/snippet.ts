import { characterStart, codePointStart } from './character-start.ts';

/** A part of a body that shows why it was found. Offsets are UTF-16 units, `end` exclusive. */
export type Snippet = { readonly text: string; readonly start: number; readonly end: number };

/** Longest snippet, UTF-16 units. */
export const MAX_SNIPPET_UNITS = 320;
/** Units of a range that are looked at; a passage is far shorter, a whole body may be longer. */
const MAX_LOOKED_AT = 64 * 1024;
/** Longer runs without a space are parted: a page of Chinese is one such run. */
const MAX_RUN_UNITS = 80;

type Word = { readonly start: number; readonly end: number };
type Found = Word & { readonly terms: ReadonlySet<string> };

/**
 * The window of a body that shows the most different terms of a query, of equal ones the first, with
 * what stands around them. It begins and ends between words; only a word that is longer than a snippet
 * is cut, between characters. `body.slice(start, end)` is its text. Linear in the range; of a range
 * without spaces, the words that `Intl.Segmenter` knows count.
 *
 * @param range    where to look first: the passage that was found, or null for the whole body. A
 *                 passage without any of the terms gives way to a place of the body that has some
 * @param terms    the query's terms; with none, or none found, the snippet is the range's beginning
 * @param termsOf  the terms of a run without spaces
 */
export function snippet(
  body: string,
  range: { readonly start: number; readonly end: number } | null,
  terms: ReadonlySet<string>,
  termsOf: (word: string) => readonly string[],
): Snippet {
  const whole = { start: 0, end: body.length };
  const near = lookInto(body, range ?? whole, terms, termsOf);
  const far = range !== null && near.best === null ? lookInto(body, whole, terms, termsOf) : near;
  const { from, words, best } = far.best === null ? near : far;
  const chosen = best ?? words[0];
  if (chosen === undefined) return { text: '', start: from, end: from };

  const { start, end } = widen(words, chosen);
  const begin = start > from ? characterStart(body, start - 1, start) : start;
  const finish = cutAt(body, begin, Math.min(end, begin + MAX_SNIPPET_UNITS));
  return { text: body.slice(begin, finish), start: begin, end: finish };
}

/** The words of a range, and the window over them that has the most terms; null when none has any. */
function lookInto(
  body: string,
  range: { readonly start: number; readonly end: number },
  terms: ReadonlySet<string>,
  termsOf: (word: string) => readonly string[],
) {
  const from = range.start;
  const words = wordsOf(body, from, Math.min(range.end, from + MAX_LOOKED_AT));
  return { from, words, best: densest(findTerms(body, words, terms, termsOf), terms.size) };
}

const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/** Runs without a space; a long one in overlapping pairs of words, since a term may be of two. */
function wordsOf(body: string, from: number, to: number): Word[] {
  return [...body.slice(from, to).matchAll(/\S+/gu)].flatMap(({ 0: run, index }): Word[] => {
    const start = from + index;
    if (run.length <= MAX_RUN_UNITS) return [{ start, end: start + run.length }];
    const borders = [...WORDS.segment(run)].map((segment) => start + segment.index);
    const end = start + run.length;
    return borders.map((border, at) => ({
      start: border,
      end: reach(border, borders[at + 1] ?? end, borders[at + 2] ?? end),
    }));
  });
}

/** The end of the next word, unless that one is too long to be part of a term. */
function reach(start: number, own: number, next: number): number {
  return next - start > MAX_RUN_UNITS ? own : next;
}

/** The words that have terms of the query, in order. */
function findTerms(
  body: string,
  words: readonly Word[],
  terms: ReadonlySet<string>,
  termsOf: (word: string) => readonly string[],
): Found[] {
  if (terms.size === 0) return [];
  return words.flatMap((word): Found[] => {
    const own = termsOf(body.slice(word.start, word.end)).filter((term) => terms.has(term));
    return own.length === 0 ? [] : [{ ...word, terms: new Set(own) }];
  });
}

/** The first window over found words that has the most different terms, begun late; null when none is found. */
function densest(found: readonly Found[], wanted: number): Word | null {
  let best: Word | null = null;
  let most = 0;
  let first = 0;
  const inside = new Map<string, number>();
  for (const word of found) {
    for (const term of word.terms) inside.set(term, (inside.get(term) ?? 0) + 1);
    for (let out = found[first]; out !== undefined && out !== word; out = found[first]) {
      const isSpare = [...out.terms].every((term) => (inside.get(term) ?? 0) > 1);
      if (!isSpare && word.end - out.start <= MAX_SNIPPET_UNITS) break;
      for (const term of out.terms) {
        const left = (inside.get(term) ?? 0) - 1;
        if (left > 0) inside.set(term, left);
        else inside.delete(term);
      }
      first += 1;
    }
    if (inside.size > most) {
      most = inside.size;
      best = { start: found[first]?.start ?? word.start, end: word.end };
      if (most === wanted) break;
    }
  }
  return best;
}

/** Takes in words around a window while they fit: a third of the room before it, the rest behind. */
function widen(words: readonly Word[], window: Word): Word {
  const room = MAX_SNIPPET_UNITS - (window.end - window.start);
  const before = firstStart(words, window.start - Math.max(0, Math.floor(room / 3)), window.start);
  const end = lastEnd(words, before + MAX_SNIPPET_UNITS, window.end);
  return { start: firstStart(words, end - MAX_SNIPPET_UNITS, before), end };
}

/** The first start of a word at or behind `earliest`, at most `latest`. */
function firstStart(words: readonly Word[], earliest: number, latest: number): number {
  return Math.min(words.find(({ start }) => start >= earliest)?.start ?? latest, latest);
}

/** The last end of a word at or before `latest`, at least `earliest`. */
function lastEnd(words: readonly Word[], latest: number, earliest: number): number {
  return Math.max(words.findLast(({ end }) => end <= latest)?.end ?? earliest, earliest);
}

/** A word that is too long for a snippet is cut between characters; noise, between code points. */
function cutAt(body: string, start: number, wanted: number): number {
  const end = characterStart(body, start, wanted);
  return end > start ? end : codePointStart(body, wanted);
}
