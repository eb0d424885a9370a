/** A longer tag is read as text; bounds the look-ahead from one `<`. */
const MAX_TAG_CHARACTERS = 2_000;

const TAG =
  /^<\/?([a-z][a-z\d-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>`]+|'[^']*'|"[^"]*"))?)*\s*\/?>/i;

const AUTOLINK = /^<[a-z][a-z\d+.-]{1,31}:[^\s<>]*>/i;

/** Elements whose text is shown as it is or not at all: no prose in them. */
const OPAQUE = new Set(['code', 'pre', 'script', 'style', 'textarea', 'kbd', 'samp']);

/** Constructs with a fixed end that hold no prose. */
const FIXED: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<!--/, /-->/g],
  [/^<\?/, /\?>/g],
  [/^<!\[CDATA\[/, /\]\]>/g],
  [/^<![a-z]/i, />/g],
];

/** Finds where the markup that starts at a place ends; null where none starts there. */
export type MarkupSkipper = {
  /** `at` stands on a backtick. */
  readonly codeSpanEnd: (at: number) => number | null;
  /** `at` stands on `<`: a tag, a comment, an autolink, or an element that holds code. */
  readonly htmlEnd: (at: number) => number | null;
};

/**
 * Skips what is no prose in one block of Markdown.
 *
 * Places must be asked for in ascending order: every end that was looked for is remembered, so all
 * calls together cost one pass over the text for each kind of end, however many starts never end.
 *
 * @param isHtml  the text is a block of raw HTML, where what never ends reaches to the end
 */
export function createMarkupSkipper(text: string, isHtml: boolean): MarkupSkipper {
  const finders = new Map<string, (from: number) => number>();
  let runs: Map<number, RunsOfLength> | null = null;

  function find(pattern: RegExp, from: number): number | null {
    const finder = finders.get(pattern.source) ?? createFinder(text, pattern);
    finders.set(pattern.source, finder);
    const end = finder(from);
    if (end >= 0) return end;
    return isHtml ? text.length : null;
  }

  function codeSpanEnd(at: number): number | null {
    let start = at;
    while (text[start] === '`') start += 1;
    const length = start - at;

    runs ??= listRuns(text);
    const same = runs.get(length);
    if (same === undefined) return null;
    while (same.next < same.starts.length && (same.starts[same.next] ?? 0) < start) same.next += 1;
    const close = same.starts[same.next];
    return close === undefined ? null : close + length;
  }

  function htmlEnd(at: number): number | null {
    const window = text.slice(at, at + MAX_TAG_CHARACTERS);
    const short = /^<!---?>/.exec(window) ?? AUTOLINK.exec(window);
    if (short !== null) return at + short[0].length;
    for (const [start, end] of FIXED) {
      const opening = start.exec(window);
      if (opening !== null) return find(end, at + opening[0].length);
    }

    const tag = TAG.exec(window);
    if (tag === null) return null;
    const tagEnd = at + tag[0].length;
    const name = (tag[1] ?? '').toLowerCase();
    if (!OPAQUE.has(name) || /^<\/|\/>$/.test(tag[0])) return tagEnd;
    return find(new RegExp(`</${name}\\s*>`, 'gi'), tagEnd) ?? tagEnd;
  }

  return { codeSpanEnd, htmlEnd };
}

type RunsOfLength = { readonly starts: number[]; next: number };

/** Where runs of backticks start, by their length. */
function listRuns(text: string): Map<number, RunsOfLength> {
  const runs = new Map<number, RunsOfLength>();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const same = runs.get(run.length);
    if (same === undefined) runs.set(run.length, { starts: [index], next: 0 });
    else same.starts.push(index);
  }
  return runs;
}

/** The end of the next match from ever later places; -1 once there is none. */
function createFinder(text: string, pattern: RegExp): (from: number) => number {
  let start = -1;
  let end = 0;
  return (from) => {
    if (end >= 0 && start < from) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      start = match?.index ?? 0;
      end = match === null ? -1 : match.index + match[0].length;
    }
    return end;
  };
}
