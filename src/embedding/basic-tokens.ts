/**
 * The words of a text as the WordPiece table knows them: lower case, accents and control characters
 * dropped, CJK characters and punctuation marks each a word of their own. Lazy, so that a reader may
 * stop early.
 */
export function* basicTokens(text: string): Generator<string> {
  let word = '';
  for (const part of slices(text)) {
    for (const character of part.normalize('NFD').toLowerCase()) {
      if (PLAIN.test(character)) {
        // Most of any text: spared the slower questions below.
        if (word.length <= MAX_WORD_UNITS) word += character;
      } else if (SPACE.test(character)) {
        if (word !== '') yield word;
        word = '';
      } else if (DROPPED.test(character)) {
        // Says nothing, and does not part words.
      } else if (MARK.test(character) || CJK.test(character)) {
        if (word !== '') yield word;
        word = '';
        yield character;
      } else if (word.length <= MAX_WORD_UNITS) {
        word += character;
      }
    }
  }
  if (word !== '') yield word;
}

/** A longer word has no piece however it goes on. */
const MAX_WORD_UNITS = 256;
/** Text is normalised in parts, since most of a long one is never looked at. */
const PART_UNITS = 4096;

const PLAIN = /^[a-z0-9]$/;
const SPACE = /\s/u;
const DROPPED = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Mn}\uFFFD]/u;
const MARK = /[\p{P}$+<=>^`|~]/u;
const CJK = /[\u4E00-\u9FFF\u3400-\u4DBF\uF900-\uFAFF\u{20000}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/u;

/** Parts that end before a character that is no mark, so that normalising them apart changes nothing. */
function* slices(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PART_UNITS);
    const latest = Math.min(text.length, end + PART_UNITS);
    while (end < latest && !SPACE.test(text.charAt(end))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
