/**
 * The words of a text as the WordPiece table knows them: lower case, accents and control characters
 * dropped, CJK characters and punctuation marks each a word of their own. Lazy, so that a reader may
 * stop early; only the first 64 Ki units of a text are ever looked at.
 *
 * Source: the basic tokenizer of BERT (Devlin et al. 2019, "uncased"), with Unicode classes.
 */
export function* basicTokens(text: string): Generator<string> {
  for (const part of parts(text.slice(0, MAX_UNITS))) {
    const plain = part.normalize('NFD').toLowerCase().replace(DROPPED, '');
    yield* plain.match(TOKEN) ?? [];
  }
}

/** Far more than the pieces that count take up in any writing; bounds the work on noise that has none. */
const MAX_UNITS = 64 * 1024;
/** Text is normalised in parts, since most of a long one is never looked at. */
const PART_UNITS = 2048;

/** What says nothing, and does not part words: controls, formats, accents, half surrogate pairs. */
const DROPPED = /[[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Mn}\uFFFD]--\s]/gv;
/** All punctuation, and the signs that ASCII has beside it. */
const MARK = '\\p{P}$+<=>\\^`\\|~';
const CJK =
  '\\u4E00-\\u9FFF\\u3400-\\u4DBF\\uF900-\\uFAFF\\u{20000}-\\u{2CEAF}\\u{2F800}-\\u{2FA1F}';
const TOKEN = new RegExp(`[${MARK}${CJK}]|[^\\s${MARK}${CJK}]+`, 'gu');

/** Parts that end before white space, where normalising apart and folding case apart change nothing. */
function* parts(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + PART_UNITS);
    const latest = Math.min(text.length, end + PART_UNITS);
    while (end < latest && !/\s/u.test(text.charAt(end))) end += 1;
    yield text.slice(start, end);
    start = end;
  }
}
