import { EDGE_KINDS, type EdgeKind } from './edge.ts';

const KIND = `[*_]{0,3}(${EDGE_KINDS.join('|')})[*_]{0,3}[ \\t]*`;

/** `fixes [[a]]`, `causes: [[a]]`, `**Fixes:** [[a]]`, `[x] fixes [[a]]`. */
const ITEM = new RegExp(
  `[ \\t]*(?:\\[[ xX]\\][ \\t]+)?${KIND}:{0,2}[*_]{0,3}[ \\t]*[*_]{0,3}`,
  'iy',
);

/** `causes:: [[a]]`. */
const LINE = new RegExp(`[ \\t]*${KIND}::[*_]{0,3}[ \\t]*[*_]{0,3}`, 'iy');

/** `(fixes:: [[a]])` and `[fixes:: [[a]]]`. */
const BRACKETED = new RegExp(`[([]${KIND}::[*_]{0,3}[ \\t]*[*_]{0,3}`, 'iy');

/** What may stand between links of one list: `[[a]], [[b]] and [[c]]`. */
const JOINER = /^[*_]{0,3}(?:[ \t]*[,;/&+]\s*|[ \t]*)(?:(?:and|or)[ \t]+)?[*_]{0,3}$/i;
const MAX_JOINER_CHARACTERS = 20;

/** A kind, the place where its first link must start, and where its last link so far ends. */
type Field = { readonly kind: EdgeKind; readonly linkAt: number; endAt: number | null };

type Bracketed = { readonly field: Field; readonly closer: ')' | ']'; depth: number };

/** Follows which kind a list item or an inline field gives to the links in it. */
export type FieldReader = {
  readonly atLineStart: (at: number) => void;
  /** On `(` or `[` outside of wiki links and destinations. */
  readonly atOpener: (at: number) => void;
  /** On `)` or `]` outside of the same. */
  readonly atCloser: (closer: string) => void;
  /** The kind of the link from `at` to `end`; to be asked once, in order. */
  readonly kindOf: (at: number, end: number) => EdgeKind;
};

/**
 * Reads `text` as one block.
 *
 * A kind types the first link and those listed with it: `- fixes [[a]], [[b]] and [[c]]`. The
 * innermost field counts. Any other word makes what follows prose: `- fixes [[a]], as agreed in [[b]]`
 * types one link, `- causes trouble, see [[a]]` none.
 *
 * @param isItem  the block is the first paragraph of a list item
 */
export function createFieldReader(text: string, isItem: boolean): FieldReader {
  const item = isItem ? readField(ITEM, text, 0) : null;
  let line: Field | null = null;
  let bracketed: Bracketed | null = null;

  return {
    atLineStart(at) {
      line = readField(LINE, text, at);
      bracketed = null;
    },

    atOpener(at) {
      const field = readField(BRACKETED, text, at);
      const closer = text[at] === '(' ? ')' : ']';
      if (field !== null) bracketed = { field, closer, depth: 0 };
      else if (bracketed?.closer === closer) bracketed.depth += 1;
    },

    atCloser(closer) {
      if (bracketed?.closer !== closer) return;
      if (bracketed.depth === 0) bracketed = null;
      else bracketed.depth -= 1;
    },

    kindOf(at, end) {
      for (const field of [bracketed?.field, line, item]) {
        if (field == null) continue;
        if (field.linkAt !== at && !isJoined(field.endAt, at)) continue;
        field.endAt = end;
        return field.kind;
      }
      return 'REFERENCES';
    },
  };

  function isJoined(endAt: number | null, at: number): boolean {
    if (endAt === null || at - endAt > MAX_JOINER_CHARACTERS) return false;
    return JOINER.test(text.slice(endAt, at));
  }
}

function readField(pattern: RegExp, text: string, at: number): Field | null {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  const word = match?.[1]?.toUpperCase();
  const kind = EDGE_KINDS.find((name) => name === word);
  if (match === null || kind === undefined) return null;
  return { kind, linkAt: at + match[0].length, endAt: null };
}
