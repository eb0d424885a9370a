import { characterStart, codePointStart } from './character-start.ts';

/** A slice of a body, the unit of dense retrieval. Offsets are UTF-16 units, `end` exclusive. */
export type Passage = {
  readonly ordinal: number;
  readonly start: number;
  readonly end: number;
  /** What is embedded: the title, a line break, and the slice. */
  readonly text: string;
};

/** Longest slice, UTF-16 units: about 250 words, well within what the embedder reads of a text. */
export const MAX_PASSAGE_UNITS = 1_200;
/** A slice is not cut shorter than this for the sake of a nicer border. */
const MIN_PASSAGE_UNITS = 600;
/** Long bodies have longer slices, so that a body of 1 MiB has no more than about so many. */
const PASSAGES_OF_LONGEST_BODY = 1_000;

/**
 * Cuts a body into passages: at paragraphs where it can, else at sentences or lines, else between
 * words, never inside a character. They do not overlap and leave out white space between them alone.
 * A blank body gives one passage of the title. Linear in the body; at most 1,024 for 1 MiB.
 */
export function splitPassages(title: string, body: string): readonly Passage[] {
  const passages: Passage[] = [];
  const shortest = Math.min(
    Math.max(MIN_PASSAGE_UNITS, Math.ceil(body.length / PASSAGES_OF_LONGEST_BODY)),
    MAX_PASSAGE_UNITS - 100,
  );
  let start = skipSpace(body, 0);
  while (start < body.length) {
    const cut = findCut(body, start, shortest);
    const end = trimEnd(body, start, cut);
    passages.push({
      ordinal: passages.length,
      start,
      end,
      text: `${title}\n${body.slice(start, end)}`,
    });
    start = skipSpace(body, cut);
  }
  return passages.length > 0 ? passages : [{ ordinal: 0, start: 0, end: 0, text: title }];
}

/** A line break, and a line with nothing on it. */
const PARAGRAPH = /\n[^\S\n]*\n/g;
/** The end of a sentence with its quotes, or of a line. The signs of CJK need no space. */
const SENTENCE = /[.!?…]["'”’»)\]]*\s|[。！？]["'”’」』）]*|\n/gu;
const SPACE = /\s/gu;

function findCut(body: string, start: number, shortest: number): number {
  const latest = start + MAX_PASSAGE_UNITS;
  if (latest >= body.length) return body.length;
  const earliest = start + shortest;
  const window = body.slice(earliest, latest);
  const nicest = lastEnd(window, PARAGRAPH) ?? lastEnd(window, SENTENCE) ?? lastEnd(window, SPACE);
  const wanted = nicest === null ? latest : earliest + nicest;
  const border = characterStart(body, start, wanted);
  // Farther back is but noise, a letter under hundreds of marks: only its code points stay whole.
  return border >= earliest ? border : codePointStart(body, wanted);
}

function lastEnd(window: string, border: RegExp): number | null {
  const last = [...window.matchAll(border)].at(-1);
  return last === undefined ? null : last.index + last[0].length;
}

/** Space that a mark stands on belongs to the mark. */
function skipSpace(body: string, from: number): number {
  let at = from;
  while (at < body.length && isSpace(body, at)) at += 1;
  return at > from ? characterStart(body, at - 1, at) : at;
}

/** Space that a sign before it reaches over belongs to the sign; Arabic has such. */
function trimEnd(body: string, start: number, cut: number): number {
  let at = cut;
  while (at > start && isSpace(body, at - 1)) at -= 1;
  const isBorder = at === cut || characterStart(body, Math.max(start, at - 2), at) === at;
  return isBorder ? at : at + 1;
}

function isSpace(body: string, at: number): boolean {
  return /\s/u.test(body.charAt(at));
}
