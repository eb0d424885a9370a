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

/**
 * Cuts a body into passages: at paragraphs where it can, else at sentences, else between words,
 * never inside a character. They do not overlap and leave out white space between them alone. An
 * empty body gives one passage of the title. Linear in the body.
 */
export function splitPassages(title: string, body: string): readonly Passage[] {
  const passages: Passage[] = [];
  let start = skipSpace(body, 0);
  while (start < body.length) {
    const end = findEnd(body, start);
    const last = trimEnd(body, start, end);
    passages.push({
      ordinal: passages.length,
      start,
      end: last,
      text: `${title}\n${body.slice(start, last)}`,
    });
    start = skipSpace(body, end);
  }
  return passages.length > 0 ? passages : [{ ordinal: 0, start: 0, end: 0, text: title }];
}

function findEnd(body: string, start: number): number {
  const latest = start + MAX_PASSAGE_UNITS;
  if (latest >= body.length) return body.length;
  const earliest = start + MIN_PASSAGE_UNITS;
  const window = body.slice(earliest, latest);

  const paragraph = window.lastIndexOf('\n\n');
  if (paragraph >= 0) return earliest + paragraph;
  const sentence = Math.max(
    ...['\n', '. ', '! ', '? ', '。', '！', '？'].map((mark) => {
      const at = window.lastIndexOf(mark);
      return at < 0 ? -1 : at + mark.length;
    }),
  );
  if (sentence > 0) return earliest + sentence;
  const space = window.search(/\s\S*$/u);
  if (space >= 0) return earliest + space;
  return characterBorder(body, latest);
}

/** The border of characters at or just before `at`: no surrogate pair and no combining mark is cut off. */
function characterBorder(body: string, at: number): number {
  let border = at;
  const earliest = at - 64;
  while (border > earliest && !isBorder(body, border)) border -= 1;
  return border > earliest ? border : at;
}

function isBorder(body: string, at: number): boolean {
  const unit = body.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return false;
  const next = body.codePointAt(at);
  const before = body.charCodeAt(at - 1);
  // A zero-width joiner glues both its neighbours.
  return (
    next === undefined || (before !== 0x200d && !/^[\p{M}\u200D]/u.test(String.fromCodePoint(next)))
  );
}

function skipSpace(body: string, from: number): number {
  let at = from;
  while (at < body.length && /\s/u.test(body.charAt(at))) at += 1;
  return at;
}

function trimEnd(body: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/u.test(body.charAt(at - 1))) at -= 1;
  return at;
}
