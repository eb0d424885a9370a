import type { SecretSort } from './secret-value.ts';

/** A name that says that what follows is a secret: `"db_password": `, `TOKEN=`, `<password>`. */
export type SecretName = {
  readonly sort: SecretSort;
  /** Where the name begins, as far as it is looked back over. */
  readonly start: number;
  /** Where the word ends that makes it the name of a secret. */
  readonly end: number;
  readonly separator: Separator;
  readonly valueAt: number;
};

/** `=` alone; `:`, `:=`, `=>` and the like; `>` of an element; white space. */
type Separator = 'EQUALS' | 'OTHER' | 'ELEMENT' | 'SPACE';

type Joint = { readonly separator: Separator; readonly isKey: boolean; readonly valueAt: number };

/**
 * The words, the longer one first where one begins another: so no shorter one can be meant. Found
 * without captures, and the rest read sign by sign: the objects of matches were most of the time.
 */
const WORD =
  'passw(?:or)?d|passphrase|passcode|pwd|pass|token|credential|(?:api|access|private|secret|auth|account|shared|sharedaccess|signing|encryption|master|service|subscription|storage|client)[_-]?key|secret|connection[_-]?string';
const WORDS = new RegExp(WORD, 'ig');
const WORD_HERE = new RegExp(WORD, 'iy');
/** No word begins more than this before the end of another: `passphrasecret`. */
const MAX_OVERLAP = 2;

/** Longest name that is looked back over, UTF-16 units: bounds the work for each name. */
const MAX_NAME = 80;
const MAX_BLANKS = 16;
const MAX_BACKSLASHES = 3;
const MAX_STARS = 3;
/** Blanks between a flag, or a word of SQL, and its value. */
const MAX_SEPARATING_BLANKS = 4;

/** The next name of a secret at or behind a place. */
export function findName(text: string, from: number): SecretName | null {
  WORDS.lastIndex = from;
  while (WORDS.test(text)) {
    const end = WORDS.lastIndex;
    const joint = readJoint(text, end);
    const name = joint === null ? null : toName(text, end, joint);
    if (name !== null) return name;
    WORDS.lastIndex = joint === null ? end - MAX_OVERLAP : joint.valueAt;
  }
  return null;
}

/** Whether what reads like a name of a secret begins at a place. */
export function startsName(text: string, at: number): boolean {
  WORD_HERE.lastIndex = at;
  return WORD_HERE.test(text) && readJoint(text, WORD_HERE.lastIndex) !== null;
}

/** What stands between the word and its value; null where no value follows. Bounded. */
function readJoint(text: string, end: number): Joint | null {
  const plural = text.startsWith('_base', end) || text.startsWith('_BASE', end) ? 5 : 0;
  let at = plural === 0 ? skip(text, end, 1, PLURAL) : end + plural;
  const isKey = at > end;

  const digits = skip(text, at, 1, DASH);
  const number = skip(text, digits, 2, DIGIT);
  if (number > digits) at = number;

  const quote = skip(text, at, MAX_BACKSLASHES, BACKSLASH);
  at = isOf(text, quote, QUOTE) ? quote + 1 : skip(text, at, MAX_STARS, STAR);

  if (text[at] === '>') return { separator: 'ELEMENT', isKey, valueAt: at + 1 };
  const sign = skip(text, at, MAX_BLANKS, BLANK);
  const behind = readSign(text, sign);
  if (behind > sign) {
    const stars = skip(text, behind, MAX_STARS, STAR);
    const valueAt = skip(text, stars, MAX_BLANKS, BLANK);
    const isEquals = text[sign] === '=' && valueAt === at + 1;
    return { separator: isEquals ? 'EQUALS' : 'OTHER', isKey, valueAt };
  }
  const blanks = sign - at;
  if (blanks === 0 || blanks > MAX_SEPARATING_BLANKS) return null;
  return /\S/.test(text.charAt(sign)) ? { separator: 'SPACE', isKey, valueAt: sign } : null;
}

/** Signs as bits of a sort, since a test of a pattern for each sign was most of the time. */
const [NAME_SIGN, SMALL, CAPITAL, DIGIT, BLANK, QUOTE, BACKSLASH, STAR, DASH, PLURAL] = [
  1, 2, 4, 8, 16, 32, 64, 128, 256, 512,
];
const SORTS = Uint16Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  const sorts: [RegExp, number][] = [
    [/[A-Za-z0-9_.-]/, NAME_SIGN],
    [/[a-z]/, SMALL],
    [/[A-Z]/, CAPITAL],
    [/[0-9]/, DIGIT],
    [/[ \t]/, BLANK],
    [/["'`]/, QUOTE],
    [/\\/, BACKSLASH],
    [/\*/, STAR],
    [/[_-]/, DASH],
    [/s/i, PLURAL],
  ];
  return sorts.reduce((bits, [pattern, bit]) => (pattern.test(sign) ? bits | bit : bits), 0);
});

function isOf(text: string, at: number, sort: number): boolean {
  return ((SORTS[text.charCodeAt(at)] ?? 0) & sort) !== 0;
}

/** The end of a row of signs of a sort, at most so many. */
function skip(text: string, from: number, most: number, sort: number): number {
  let at = from;
  while (at - from < most && isOf(text, at, sort)) at += 1;
  return at;
}

/** The end of `:`, `::`, `:=`, `::=`, `=` or `=>`; the start where there is none, or that of a URL. */
function readSign(text: string, at: number): number {
  if (text[at] === '=') return text[at + 1] === '>' ? at + 2 : at + 1;
  if (text[at] !== ':' || text.startsWith('://', at)) return at;
  const colons = text[at + 1] === ':' ? at + 2 : at + 1;
  return text[colons] === '=' ? colons + 1 : colons;
}

/** Null where the word is the end of another one. */
function toName(text: string, end: number, joint: Joint): SecretName | null {
  const first = Math.max(0, end - MAX_NAME);
  let start = end - 1;
  while (start > first && isOf(text, start - 1, NAME_SIGN)) start -= 1;
  if (joint.separator === 'ELEMENT' && text[start - 1] !== '<') return null;

  const word = passwordBefore(text, end);
  const isShort = word === 'pass' || word === 'pwd';
  if (isShort && !standsApart(text, start, end - word.length, word)) return null;
  const { separator, isKey, valueAt } = joint;
  return { sort: word !== null && !isKey ? 'PASSWORD' : 'KEY', start, end, separator, valueAt };
}

/** The word for a password that ends there: of all words, these alone end in `s`, `d` and `e`. */
function passwordBefore(text: string, end: number): 'pass' | 'pwd' | 'longer' | null {
  const last = text.charAt(end - 1).toLowerCase();
  if (last === 's') return 'pass';
  if (last === 'd' && text.charAt(end - 3).toLowerCase() === 'p') return 'pwd';
  return last === 'd' || last === 'e' ? 'longer' : null;
}

/** Other words end in `pass` too, and `PWD` alone is a folder. */
function standsApart(text: string, start: number, at: number, word: 'pass' | 'pwd'): boolean {
  if (at <= start) return word === 'pwd' && !text.startsWith('PWD', at);
  if (!isOf(text, at - 1, SMALL | CAPITAL)) return true;
  return isOf(text, at - 1, SMALL) && isOf(text, at, CAPITAL);
}
