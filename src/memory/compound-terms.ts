import { stemEnglish } from './stem-english.ts';

/**
 * Receives one term, the folded word it came from (what the term was before
 * stemming, or the term itself where nothing was stemmed), and how deep it lies in
 * an identifier: 0 for what stands by itself, and one more for each identifier
 * around it, which came before it.
 */
export type VisitTerm = (term: string, word: string, depth: number) => void;

/** Stands between the words of camelCase once the capitals are folded. */
export const HUMP = '\u0001';

/**
 * One word inside a compound: its place in the text, and how it hangs on the
 * word before it (0 for the first, else what `jointLevel` said).
 */
export type Part = { readonly joint: number; readonly start: number; readonly end: number };

const SAME_WORD = 1;
const HYPHEN = 2;
const DOT = 3;
const PATH = 4;

/** `://`, `:\\` and `/.` join; a longer row of signs is punctuation. */
const LONGEST_PATH_JOINT = 3;
const LONGEST_UNDERSCORES = 8;

/** Units looked at of a whole compound: enough for the longest term when every second one is a HUMP. */
const LONGEST_WHOLE = 400;

/** After an apostrophe, letters that belong to grammar and not to the word. */
const CLITICS = new Set(['s', 'd', 'm', 'll', 're', 've']);

/** What may stand before a sign that opens a name, as in `(.Net`. */
const BEFORE_OPENING_SIGN = /[\s([{<>"'`,;=|]/;

/**
 * How strongly the signs between two words join them: 0 not at all, then camel
 * case and apostrophe, hyphen and underscore, dot, path signs (`/ \ : @ #`). A
 * compound is cut at the weakest joints, the highest level, first.
 */
export function jointLevel(text: string, start: number, end: number): number {
  const length = end - start;
  if (length === 0 || length > LONGEST_UNDERSCORES) return 0;

  const signs = text.slice(start, end);
  if (signs === HUMP || signs === "'") return SAME_WORD;
  if (signs === '-' || /^_+$/.test(signs)) return HYPHEN;
  if (signs === '.') return DOT;
  const isPath =
    length <= LONGEST_PATH_JOINT && /[/\\:@#]/.test(signs) && /^[-_./\\:@#]+$/.test(signs);
  return isPath ? PATH : 0;
}

/**
 * Gives the terms of a compound: with its signs where it has any, whole, and by
 * parts, each part again whole and by its own parts.
 *
 * @param parts  at least one, next to each other in `text`
 */
export function visitCompound(text: string, parts: readonly Part[], visit: VisitTerm): void {
  const isSigned = visitSigned(text, parts, visit);
  visitLevel(text, parts, { level: PATH, depth: isSigned ? 1 : 0 }, visit);
}

/** Whether there is a sign that belongs to the name. */
function visitSigned(text: string, parts: readonly Part[], visit: VisitTerm): boolean {
  const start = parts[0]?.start ?? 0;
  const end = parts.at(-1)?.end ?? 0;
  const opening = openingSign(text, start);
  const closing = closingSign(text, end);
  if (opening === '' && closing === '') return false;

  const term = opening + wholeOf(text, start, end) + closing;
  visit(term, term, 0);
  return true;
}

function openingSign(text: string, start: number): string {
  const length = text.startsWith('--', start - 2) && start >= 2 ? 2 : 1;
  const sign = text.slice(Math.max(0, start - length), start);
  if (!/^(?:[./@#$]|--)$/.test(sign)) return '';

  const before = text.at(start - length - 1);
  return start === length || BEFORE_OPENING_SIGN.test(before ?? ' ') ? sign : '';
}

function closingSign(text: string, end: number): string {
  if (text.startsWith('++', end) && text[end + 2] !== '+') return '++';
  return text[end] === '#' && text[end + 1] !== '#' ? '#' : '';
}

function visitLevel(
  text: string,
  parts: readonly Part[],
  { level, depth }: { readonly level: number; readonly depth: number },
  visit: VisitTerm,
): void {
  if (level === SAME_WORD) {
    visitWord(text, parts, depth, visit);
    return;
  }

  const groups = splitAt(parts, level);
  const isWhole = groups.length > 1;
  if (isWhole) {
    const term = wholeOf(text, parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0);
    visit(term, term, depth);
  }
  const inside = { level: level - 1, depth: isWhole ? depth + 1 : depth };
  for (const group of groups) visitLevel(text, group, inside, visit);
}

/** The stretches between the joints of `level`. */
function splitAt(parts: readonly Part[], level: number): (readonly Part[])[] {
  const groups: (readonly Part[])[] = [];
  let from = 0;
  for (let index = 1; index <= parts.length; index++) {
    const part = parts[index];
    if (part !== undefined && part.joint !== level) continue;
    groups.push(parts.slice(from, index));
    from = index;
  }
  return groups;
}

function visitWord(text: string, parts: readonly Part[], depth: number, visit: VisitTerm): void {
  const words = parts.map(({ start, end }) => wholeOf(text, start, end));
  const last = parts.at(-1);
  if (words.length > 1 && last !== undefined && text[last.start - 1] === "'") {
    const clitic = words.at(-1) ?? '';
    if (CLITICS.has(clitic)) words.pop();
    else if (clitic === 't') words.splice(-2, 2, `${words.at(-2) ?? ''}t`);
  }

  if (words.length > 1) {
    const joined = words.join('').slice(0, LONGEST_WHOLE);
    visit(stemEnglish(joined), joined, depth);
  }
  // `l'homme` is two words that grammar joined, `fooBar` is a name of two.
  const isName = words.length > 1 && isCamelCase(text, parts.slice(0, words.length));
  for (const word of words) visitPlainWord(word, isName ? depth + 1 : depth, visit);
}

function isCamelCase(text: string, parts: readonly Part[]): boolean {
  return parts.every(({ start }, index) => index === 0 || text[start - 1] === HUMP);
}

/** `adr016` is also found by `adr` and by `016`, as `ADR-016` is. */
function visitPlainWord(word: string, depth: number, visit: VisitTerm): void {
  visit(stemEnglish(word), word, depth);
  const [, letters, digits] = /^([a-z]+)([0-9]+)$/.exec(word) ?? [];
  if (letters === undefined || digits === undefined) return;
  visit(stemEnglish(letters), letters, depth + 1);
  visit(digits, digits, depth + 1);
}

function wholeOf(text: string, start: number, end: number): string {
  return text.slice(start, Math.min(end, start + LONGEST_WHOLE)).replaceAll(HUMP, '');
}
