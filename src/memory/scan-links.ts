import type { EdgeKind } from './edge.ts';
import { createFieldReader } from './link-field.ts';
import { createMarkupSkipper } from './skip-markup.ts';

/** Room for a path, a heading and a label; what is longer is no link. Bounds each look-ahead. */
const MAX_INSIDE_CHARACTERS = 2_000;
const MAX_LABEL_CHARACTERS = 999;
const MAX_OPEN_PARENTHESES = 32;

/** A link as it is written, before anyone asks whether it names a page. */
export type WrittenLink = {
  readonly kind: EdgeKind;
  readonly syntax: 'WIKI' | 'MARKDOWN';
  /** What stands between `[[` and `]]`, or the destination as it is written. */
  readonly target: string;
  /** It starts with `!`. */
  readonly isEmbed: boolean;
};

/** One block's text, without the marks of its quotes and lists. */
export type LinkBlock = {
  readonly text: string;
  /** The first paragraph of a list item. */
  readonly isItem: boolean;
  readonly isHtml: boolean;
  /** The destination of a reference link's label; null when the label is not defined. */
  readonly resolveLabel: (label: string) => string | null;
};

type Opener = { readonly at: number; readonly isEmbed: boolean };

/**
 * The links of one block, in the order of their ends.
 *
 * One pass from left to right over the characters that can matter. A place is looked ahead from
 * at most MAX_INSIDE_CHARACTERS, and ends that never come are remembered, so hostile text costs a
 * constant more for each character, not a power. Nothing recurses.
 *
 * Source: CommonMark 0.31.2, section 6 and its appendix on brackets; emphasis is left out, since
 * no link depends on it.
 */
export function scanLinks({ text, isItem, isHtml, resolveLabel }: LinkBlock): WrittenLink[] {
  const links: WrittenLink[] = [];
  const fields = createFieldReader(text, isItem);
  const skipper = createMarkupSkipper(text, isHtml);
  const openers: Opener[] = [];
  /** A link holds no link: openers below this depth can only make images. */
  let closedBelow = 0;
  let lastBracketAt = -1;
  let wikiEnd = -1;

  const special = /[\\`<[\]()\n]/g;
  fields.atLineStart(0);
  for (let match = special.exec(text); match !== null; match = special.exec(text)) {
    special.lastIndex = step(match.index);
  }
  return links;

  /** Reads what starts at `at` and says where to go on. */
  function step(at: number): number {
    switch (text[at]) {
      case '\\':
        return text[at + 1] === '\n' ? at + 1 : at + 2;
      case '`':
        return skipper.codeSpanEnd(at) ?? endOfRun(text, at);
      case '<':
        return skipper.htmlEnd(at) ?? at + 1;
      case '\n':
        fields.atLineStart(at + 1);
        return at + 1;
      case '(':
        fields.atOpener(at);
        return at + 1;
      case ')':
        fields.atCloser(')');
        return at + 1;
      case '[':
        return readWikiLink(at) ?? open(at);
      default:
        return close(at);
    }
  }

  function add(at: number, end: number, link: Omit<WrittenLink, 'kind'>): void {
    links.push({ kind: fields.kindOf(link.isEmbed ? at - 1 : at, end), ...link });
  }

  function isEmbedAt(at: number): boolean {
    return text[at - 1] === '!' && text[at - 2] !== '\\';
  }

  function readWikiLink(at: number): number | null {
    if (text[at + 1] !== '[') return null;
    if (wikiEnd < at + 2) {
      const found = text.indexOf(']]', at + 2);
      wikiEnd = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    if (wikiEnd - at > MAX_INSIDE_CHARACTERS) return null;

    const target = text.slice(at + 2, wikiEnd);
    const bracketAt = target.indexOf('[');
    const isInOther =
      target.includes('[[') || (bracketAt >= 0 && !target.slice(0, bracketAt).includes('|'));
    if (isInOther || target.includes('\n')) return null;

    const isEmbed = isEmbedAt(at);
    // `[[1]](notes/a.md)` is a Markdown link whose text has brackets, as every renderer shows it.
    const destination = readDestination(text, wikiEnd + 2);
    const end = destination?.end ?? wikiEnd + 2;
    if (destination === null) add(at, end, { syntax: 'WIKI', target, isEmbed });
    else add(at, end, { syntax: 'MARKDOWN', target: destination.target, isEmbed });
    return end;
  }

  function open(at: number): number {
    openers.push({ at, isEmbed: isEmbedAt(at) });
    lastBracketAt = at;
    fields.atOpener(at);
    return at + 1;
  }

  function close(at: number): number {
    const opener = openers.pop();
    const label = lastBracketAt === opener?.at ? text.slice(opener.at + 1, at) : null;
    lastBracketAt = at;
    const end = opener === undefined ? at + 1 : closeLink(opener, label, at + 1);
    closedBelow = Math.min(closedBelow, openers.length);
    fields.atCloser(']');
    return end;
  }

  /** @param label  what stands between the brackets, when it may name a reference */
  function closeLink(opener: Opener, label: string | null, after: number): number {
    if (!opener.isEmbed && openers.length < closedBelow) return after;
    const found = readDestination(text, after) ?? readReference(label, after);
    if (found === null) return after;

    const { target, end } = found;
    add(opener.at, end, { syntax: 'MARKDOWN', target, isEmbed: opener.isEmbed });
    if (!opener.isEmbed) closedBelow = openers.length;
    return end;
  }

  function readReference(label: string | null, after: number): Destination | null {
    const full = match(FULL_LABEL, text, after);
    const named = full?.[1] || label;
    if (named === null || named.length > MAX_LABEL_CHARACTERS) return null;
    const target = resolveLabel(named);
    return target === null ? null : { target, end: after + (full?.[0].length ?? 0) };
  }
}

type Destination = { readonly target: string; readonly end: number };

const FULL_LABEL = /\[((?:[^[\]\\]|\\.){0,999})\]/sy;
const BEFORE_DESTINATION = /\([ \t]*\n?[ \t]*/y;
const IN_ANGLES = /<((?:[^<>\n\\]|\\.){0,2000})>/y;
/** A title stops at the next quote of its kind, so titles that never end cost one pass in all. */
const AFTER_DESTINATION =
  /(?:\s+(?:"(?:[^"\\]|\\.){0,1000}"|'(?:[^'\\]|\\.){0,1000}'|\((?:[^()\\]|\\.){0,1000}\)))?\s*\)/sy;

/** `(destination "title")` at `at`; null where there is none. */
function readDestination(text: string, at: number): Destination | null {
  const before = match(BEFORE_DESTINATION, text, at);
  if (before === null) return null;
  const start = at + before[0].length;

  const angled = match(IN_ANGLES, text, start);
  if (angled === null && text[start] === '<') return null;
  const end = angled === null ? bareEnd(text, start) : start + angled[0].length;
  const after = match(AFTER_DESTINATION, text, end);
  if (after === null) return null;
  return { target: angled?.[1] ?? text.slice(start, end), end: end + after[0].length };
}

/**
 * Where a destination without angle brackets ends: at white space, or the parenthesis that is not its
 * own; where it begins when its own parentheses are not closed by then, which makes it none.
 */
function bareEnd(text: string, start: number): number {
  const limit = Math.min(text.length, start + MAX_INSIDE_CHARACTERS);
  let open = 0;
  for (let at = start; at < limit; at += 1) {
    const character = text[at] ?? '';
    if (character <= ' ') return open > 0 ? start : at;
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) at += 1;
    else if (character === '(') open += 1;
    else if (character === ')' && open-- === 0) return at;
    if (open > MAX_OPEN_PARENTHESES) return at;
  }
  return limit;
}

function endOfRun(text: string, at: number): number {
  let end = at;
  while (text[end] === '`') end += 1;
  return end;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
