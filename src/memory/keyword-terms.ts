import { HUMP, jointLevel, type Part, type VisitTerm, visitCompound } from './compound-terms.ts';
import { composeText, foldText } from './fold-text.ts';
import { visitUnspaced } from './unspaced-terms.ts';

/**
 * Longest term, in bytes of UTF-8; a longer one is cut to its longest prefix of
 * whole characters that fits. Postgres refuses a lexeme of 2,047 bytes, and no
 * word or identifier that somebody types is this long.
 */
export const MAX_TERM_BYTES = 200;

/**
 * Normalising may make one character 18 (U+FDFA). Text that grows by more than this
 * factor, and by more than SPARE_UNITS beside it, is no writing: it is cut there.
 */
const MAX_GROWTH = 2;
const SPARE_UNITS = 1024;

/** Scripts whose words stand together without a space between them. */
const UNSPACED =
  '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Khmer}\\p{scx=Lao}\\p{scx=Myanmar}]';

/** Group 1: a word of letters and digits with their marks. Group 2: a run without spaces. */
const WORD_OR_RUN = `([[\\p{L}\\p{N}]--${UNSPACED}][[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]*)|([[\\p{L}\\p{N}]&&${UNSPACED}][[[\\p{L}\\p{N}]&&${UNSPACED}]\\p{M}]*)`;

/** Between `foo` and `Bar`, `HTTP` and `Server`, `utf8` and `Decoder`; not inside `APIs` or `0x1F`. */
const HUMP_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{N}])(?=\p{Lu}\p{Ll}\p{Ll})/gu;
const ASCII_HUMP_BOUNDARY = /(?<=[a-z])(?=[A-Z])|(?<=[A-Z0-9])(?=[A-Z][a-z][a-z])/g;

/**
 * The keyword terms of a text, in order and with repeats. Pages and queries go
 * through this one function, so a query finds what a page says.
 *
 * - Words are runs of Unicode letters and digits, folded (see `foldText`) and
 *   stemmed as English. Only the stem is a term: `pods` finds `pod`.
 * - Identifiers give themselves, whole and unstemmed, and their parts, level by
 *   level: `docs/ADR-016.md` gives `docs/adr-016.md`, `doc`, `adr-016.md`,
 *   `adr-016`, `adr`, `016`, `md`; `fooBar` gives `foobar`, `foo`, `bar`; `utf8`
 *   gives `utf8`, `utf`, `8`. A sign that belongs to a name gives one term more:
 *   `.net`, `c++`, `c#`, `/help`, `@name`, `#tag`, `$home`, `--force`.
 * - Runs of scripts without spaces give words and pairs of characters.
 * - `'s` and its like go; other apostrophes are dropped: `don't` gives `dont`,
 *   `l'homme` gives `lhomme`, `l`, `homme`.
 *
 * No term is empty, longer than MAX_TERM_BYTES, or has in it a space, a control
 * character or half a surrogate pair. Never throws; linear in the text's length.
 */
export function keywordTerms(text: string): string[] {
  const terms: string[] = [];
  visitKeywordTerms(text, (term) => terms.push(term));
  return terms;
}

/** `keywordTerms` for a caller that needs the words too, or counts as it goes. */
export function visitKeywordTerms(text: string, visit: VisitTerm): void {
  const prepared = foldText(markHumps(text));
  const visitCut: VisitTerm = (term, word, depth) => visit(cutTerm(term), word, depth);
  const wordOrRun = new RegExp(WORD_OR_RUN, 'vg');

  let compound: Part[] = [];
  let compoundEnd = 0;
  for (let match = wordOrRun.exec(prepared); match !== null; match = wordOrRun.exec(prepared)) {
    const [, word, run] = match;
    const joint = compound.length === 0 ? 0 : jointLevel(prepared, compoundEnd, match.index);
    if (compound.length > 0 && (word === undefined || joint === 0)) {
      visitCompound(prepared, compound, visitCut);
      compound = [];
    }
    if (word !== undefined) {
      compound.push({ joint, start: match.index, end: wordOrRun.lastIndex });
      compoundEnd = wordOrRun.lastIndex;
    } else if (run !== undefined) {
      visitUnspaced(run, visitCut);
    }
  }
  if (compound.length > 0) visitCompound(prepared, compound, visitCut);
}

/** Puts HUMP between the words of camelCase, before folding takes the capitals away. */
function markHumps(text: string): string {
  const longest = text.length * MAX_GROWTH + SPARE_UNITS;
  const composed = composeText(text).slice(0, longest).replaceAll(HUMP, ' ');
  const isAscii = !/[^\0-\x7f]/.test(composed);
  return composed.replace(isAscii ? ASCII_HUMP_BOUNDARY : HUMP_BOUNDARY, HUMP);
}

const encoder = new TextEncoder();
const cutBytes = new Uint8Array(MAX_TERM_BYTES);

function cutTerm(term: string): string {
  // No UTF-16 unit takes more than three bytes.
  if (term.length * 3 <= MAX_TERM_BYTES) return term;
  const { read } = encoder.encodeInto(term, cutBytes);
  return term.slice(0, read);
}
