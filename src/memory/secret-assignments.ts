import { findName, type SecretName, startsName } from './secret-names.ts';
import { judgeValue, TAIL_SIGNS } from './secret-value.ts';

/** A bare value goes to a space, a quote or the next setting: `,user=`, `;Server=`, `&page=`. */
const BARE_END = /[\s"'`]|[,;&]\s?["'`]?[A-Za-z][\w.-]{0,40}(?: \w{1,20})?["'`]?[ \t]?[:=]/gu;
/** What closes around a bare value, but not the bracket of a secret that was replaced before. */
const BARE_TAIL = /(?<!\[REDACTED:[a-z_]{1,40})[\])};,.]{1,8}$/u;
/** Most backslashes before a quote that opens a value: quoted in a quote in a quote. */
const MAX_BACKSLASHES = 3;

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
  let kept = '';
  let done = 0;
  const findClose = createCloseFinder(text);
  for (let name = findName(text, 0); name !== null; ) {
    let resumeAt = name.valueAt;
    // Of names in a row only the last has a value; the others' would be read again and again.
    const value = startsName(text, name.valueAt) ? null : readValue(text, name, findClose);
    if (value !== null) {
      const raw = text.slice(value.start, value.end);
      if (isSecret(text, name, value, raw)) {
        const tail = value.isQuoted ? 0 : tailOf(raw);
        kept += text.slice(done, value.start);
        kept += replace({ name: plainName(text, name), value: raw });
        done = value.end - tail;
        resumeAt = done;
      } else if (!value.isQuoted) {
        resumeAt = Math.max(resumeAt, value.end);
      }
    }
    name = findName(text, resumeAt);
  }
  return done === 0 ? text : kept + text.slice(done);
}

/** As `replaceAssigned`, for a value whose name stands apart from it: `{ db_password: … }`. */
export function replaceNamed(
  name: string,
  value: string,
  replace: (assignment: Assignment) => string,
): string {
  const quoted = `${name}="`;
  let found = findName(quoted, 0);
  while (found !== null && found.valueAt < quoted.length - 1)
    found = findName(quoted, found.valueAt);
  if (found === null) return value;
  const verdict = judgeValue({ sort: found.sort, value, isQuoted: true, isForMachines: true });
  const isSecretHere = verdict === 'SECRET' || verdict === 'IF_ALONE';
  return isSecretHere ? replace({ name: plainName(quoted, found), value }) : value;
}

function isSecret(
  text: string,
  name: SecretName,
  { end, isQuoted }: Value,
  value: string,
): boolean {
  const { sort, separator } = name;
  const isTight = isQuoted ? separator !== 'SPACE' : separator === 'EQUALS';
  const isForMachines = isTight || isFlag(text, name);
  const verdict = judgeValue({ sort, value, isQuoted, isForMachines });
  if (verdict === 'IF_ALONE') return startsLine(text, name.start) && endsLine(text, end);
  if (verdict === 'IF_NO_ARGUMENT') return !/[,)]/.test(text[end] ?? '') && !/[,)]$/.test(value);
  return verdict === 'SECRET';
}

function isFlag(text: string, { start }: SecretName): boolean {
  return text.startsWith('--', start);
}

/** What closes a bracket, or the sentence, behind a bare value: up to 8 signs. */
function tailOf(value: string): number {
  if (!TAIL_SIGNS.includes(value.charAt(value.length - 1))) return 0;
  return BARE_TAIL.exec(value)?.[0].length ?? 0;
}

/** The name without the signs that people write it with. */
function plainName(text: string, { start, end }: SecretName): string {
  return text.slice(start, end).toLowerCase().replace(/[_.-]/g, '');
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

/** Null where a bare word follows a blank, which makes it the value of a flag alone. */
function readValue(text: string, name: SecretName, findClose: CloseFinder): Value | null {
  const { valueAt: at, separator } = name;
  if (separator === 'ELEMENT') {
    const end = text.indexOf('<', at);
    const line = findClose(at, '\n');
    return { start: at, end: end < 0 || end > line ? at : end, isQuoted: true };
  }
  let quote = at;
  while (quote < at + MAX_BACKSLASHES && text[quote] === '\\') quote += 1;
  if (/["'`]/.test(text.charAt(quote))) {
    const start = quote + 1;
    return { start, end: findClose(start, text.slice(at, start)), isQuoted: true };
  }
  if (separator === 'SPACE' && !isFlag(text, name)) return null;
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

const NEW_LINE = 0x0a;
const BACKSLASH = 0x5c;

function findEnd(text: string, from: number, delimiter: string): number {
  const depth = delimiter.length - 1;
  const quote = delimiter.charCodeAt(depth);
  let slashes = 0;
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === NEW_LINE) return at;
    if (sign === quote && (depth === 0 ? slashes % 2 === 0 : slashes === depth)) {
      return at - depth;
    }
    slashes = sign === BACKSLASH ? slashes + 1 : 0;
  }
  return text.length;
}
