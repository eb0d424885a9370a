import { isSecretValue, type SecretSort } from './secret-value.ts';

/** Longest name that is looked back over, UTF-16 units: bounds the work for each name. */
const MAX_NAME = 64;

/**
 * The end of a name of a secret, and what joins it to its value: `"db_password": `, `TOKEN=`,
 * `**Secret:** `, `<password>`, `PASSWORD '`. Every repeat has a small bound, so the work for each
 * place in a text is bounded too.
 */
const NAME =
  /(passw(?:or)?d|passphrase|passcode|pwd|pass|secret|token|credential|(?:api|access|private|secret|auth|account|shared|sharedaccess|signing|encryption|master|service|subscription|storage|client)[_-]?key|connection[_-]?string)(s|_base)?(?:[_-]?\d{1,2})?(?:\\{0,3}["'`]|\*{1,3})?([ \t]{0,16}(?:::?=?|=>?)\*{0,3}[ \t]{0,16}|>|[ \t]{1,4}(?=["'])|[ \t]{1,4}(?=[^\s:=]))/giu;

const NAME_SIGNS = new Set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-');
const NAME_HERE = new RegExp(NAME, 'iuy');

/** A bare value goes to a space, a quote or the next setting: `,user=`, `;Server=`, `&page=`. */
const BARE_END = /[\s"'`]|[,;&]\s?["'`]?[A-Za-z][\w.-]{0,40}(?: \w{1,20})?["'`]?[ \t]?[:=]/gu;
/** What closes around a bare value, but not the bracket of a secret that was replaced before. */
const BARE_TAIL = /(?<!\[REDACTED:[a-z_]{1,40})[\])};,.]{1,8}$/u;
const DELIMITER = /(\\{0,3})(["'`])/uy;

export type Assignment = {
  /** The name as far as it is known, in lower case, without `_`, `-` and `.`. */
  readonly name: string;
  readonly value: string;
};

type Value = { readonly start: number; readonly end: number; readonly isQuoted: boolean };

/**
 * Replaces each secret that stands under a name that says so; the name, the quotes and all around
 * stay. Linear: a value is read once for each sort of quotes around it.
 */
export function replaceAssigned(text: string, replace: (assignment: Assignment) => string): string {
  let result = '';
  let done = 0;
  const pattern = new RegExp(NAME);
  const findClose = createCloseFinder(text);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const key = readName(text, found);
    if (key === null) continue;
    // Of names in a row only the last has a value; the others' would be read again and again.
    if (startsWithName(text, pattern.lastIndex)) continue;
    const value = readValue(text, pattern.lastIndex, found[3] === '>', findClose);
    const raw = text.slice(value.start, value.end);
    const separator = found[3] ?? '';
    const isSpace = separator.trim() === '';
    if (isSpace && !key.isFlag && !value.isQuoted) continue;
    const isTight = separator === '=' && !value.isQuoted;
    const isSecret = isSecretValue({
      sort: key.sort,
      value: raw,
      isQuoted: value.isQuoted,
      isForMachines: (value.isQuoted && !isSpace) || isTight || key.isFlag || separator === '>',
      isAlone: key.isFirst && endsLine(text, value.end),
      isArgument: /[,)]/u.test(text[value.end] ?? '') || /[,)]$/u.test(raw),
    });
    if (isSecret) {
      // What closes a bracket, or the sentence, is not of a bare value.
      const tail = value.isQuoted ? 0 : (BARE_TAIL.exec(raw)?.[0].length ?? 0);
      result += text.slice(done, value.start) + replace({ name: key.name, value: raw });
      done = value.end - tail;
      pattern.lastIndex = done;
    } else if (!value.isQuoted) {
      pattern.lastIndex = Math.max(pattern.lastIndex, value.end);
    }
  }
  return done === 0 ? text : result + text.slice(done);
}

/** As `replaceAssigned`, for a value whose name stands apart from it: `{ db_password: … }`. */
export function replaceNamed(
  name: string,
  value: string,
  replace: (assignment: Assignment) => string,
): string {
  const quoted = `${name.slice(-MAX_NAME)}="`;
  const found = new RegExp(NAME).exec(quoted);
  const key = found === null ? null : readName(quoted, found);
  if (found === null || key === null || found.index + found[0].length < quoted.length - 1) {
    return value;
  }
  const place = { isQuoted: true, isForMachines: true, isAlone: true, isArgument: false };
  return isSecretValue({ sort: key.sort, value, ...place })
    ? replace({ name: key.name, value })
    : value;
}

function readName(text: string, found: RegExpExecArray) {
  let start = found.index;
  const first = Math.max(0, start - MAX_NAME);
  while (start > first && NAME_SIGNS.has(text[start - 1] ?? '')) start -= 1;
  const trigger = found[1] ?? '';
  const prefix = text.slice(start, found.index);
  const short = trigger.toLowerCase();
  const isPart = /[^\p{L}]$/u.test(prefix) || (/\p{Ll}$/u.test(prefix) && /^\p{Lu}/u.test(trigger));
  // Other words end in `pass` too, and `PWD` alone is a folder.
  if (short === 'pass' && !isPart) return null;
  if (short === 'pwd' && !isPart && (prefix !== '' || trigger === 'PWD')) return null;
  if (found[3] === '>' && text[start - 1] !== '<') return null;
  const isPassword = short.startsWith('pass') || short === 'pwd';
  const sort: SecretSort = isPassword && found[2] === undefined ? 'PASSWORD' : 'KEY';
  return {
    sort,
    name: `${prefix}${trigger}`.toLowerCase().replace(/[_.-]/gu, ''),
    isFlag: prefix.startsWith('--'),
    isFirst: startsLine(text, start),
  };
}

function startsWithName(text: string, at: number): boolean {
  NAME_HERE.lastIndex = at;
  return NAME_HERE.test(text);
}

/** Whether nothing but the marks of lists, quotes and emphasis stands before, on the same line. */
function startsLine(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 24), at);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  return /^[\s>*+"'`-]*$/u.test(line) && (line.length < 24 || before.includes('\n'));
}

function endsLine(text: string, at: number): boolean {
  return /^["'`*]{0,3}[ \t]{0,16}(?:$|\r?\n|#|\/\/)/u.test(text.slice(at, at + 24));
}

function readValue(text: string, at: number, isElement: boolean, findClose: CloseFinder): Value {
  if (isElement) {
    const end = text.indexOf('<', at);
    const line = findClose(at, '\n');
    return { start: at, end: end < 0 || end > line ? at : end, isQuoted: true };
  }
  DELIMITER.lastIndex = at;
  const delimiter = DELIMITER.exec(text)?.[0];
  if (delimiter !== undefined) {
    const start = at + delimiter.length;
    return { start, end: findClose(start, delimiter), isQuoted: true };
  }
  BARE_END.lastIndex = at;
  const end = BARE_END.exec(text)?.index ?? text.length;
  return { start: at, end: text[end - 1] === '\\' ? end - 1 : end, isQuoted: false };
}

type CloseFinder = (from: number, delimiter: string) => number;

/**
 * Finds where a quoted value ends: at its delimiter, not escaped, or with its line. It remembers the
 * last find for each delimiter, so that many openings before one end do not each read up to it.
 */
function createCloseFinder(text: string): CloseFinder {
  const last = new Map<string, { readonly from: number; readonly end: number }>();
  return (from, delimiter) => {
    const known = last.get(delimiter);
    if (known !== undefined && from >= known.from && from <= known.end) return known.end;
    const end = findEnd(text, from, delimiter);
    last.set(delimiter, { from, end });
    return end;
  };
}

function findEnd(text: string, from: number, delimiter: string): number {
  const quote = delimiter.at(-1);
  const depth = delimiter.length - 1;
  let slashes = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '\n') return at;
    if (sign === quote && (depth === 0 ? slashes % 2 === 0 : slashes === depth)) {
      return at - depth;
    }
    slashes = sign === '\\' ? slashes + 1 : 0;
  }
  return text.length;
}
