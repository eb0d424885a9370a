import MarkdownIt, { type Token } from 'markdown-it';
import type { EdgeKind } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import { decodePercent, markdownTarget, wikiTarget } from './link-target.ts';
import { scanLinks, type WrittenLink } from './scan-links.ts';

/** One claim of a body about another page: the project by its name. */
export type BodyLink = { readonly kind: EdgeKind; readonly project: string; readonly path: string };

/** Most pages that one body may link to: each becomes an edge, and is looked up in the write. */
export const MAX_BODY_LINKS = 2_000;

/** Fifty lists in each other; markdown-it drops what is nested deeper. */
const MAX_NESTING = 100;

/** Four lists in each other: kept however long the body is. */
const MIN_NESTING = 8;

/**
 * Lines times levels that the block parser may look at. Each line can be a lazy continuation at
 * every level that is open, so this is what hostile quotes multiply; about a second.
 */
const NESTED_LINES = 4_000_000;

/**
 * The edges that a body states, each once, in order of first appearance.
 *
 * `[[path]]`, `[[project:path]]`, `![[path]]` and Markdown links to paths are `REFERENCES`. A list
 * item that starts with a kind and a link (`- fixes [[path]]`), or an inline field (`causes::
 * [[path]]`, `(fixes:: [[path]])`), gives its kind to all links in it; the bare edge to the same
 * page goes then. Nothing comes from code, comments, tags, escaped brackets, a target that is no
 * legal path, or a link to the page itself. A row of a table is read as a line of text, so that a
 * label's bar need not be escaped.
 *
 * Never throws. markdown-it finds the blocks alone: with its inline rules, 1 MiB of `[` took 2 s and
 * of `![` 9 s, and both grow with the square; `scan-links.ts` reads the text of a block in one pass.
 * The block rules are linear in lines times nesting: half a million lazy lines in 100 quotes took
 * 14 s, hence NESTED_LINES. A body of 40,000 lines or fewer keeps MAX_NESTING.
 *
 * Costs about 0.15 s for 1 MiB of text full of links; up to about a second for 1 MiB made to hurt
 * (one-letter list items, where tokens are the cost).
 *
 * @param from  the page that holds the body, its path in NFC
 */
export function bodyLinks(
  body: string,
  from: { readonly project: string; readonly path: string },
): readonly BodyLink[] {
  if (!body.includes('[')) return [];

  const links = new Map<string, BodyLink>();
  const typed = new Set<string>();
  for (const { kind, ...written } of writtenLinks(body)) {
    const target = toTarget(written, from);
    if (target === null) continue;
    const { project, path } = target;
    if (project === from.project && path === from.path) continue;

    const page = JSON.stringify([project, path]);
    if (kind !== 'REFERENCES') typed.add(page);
    const key = `${kind} ${page}`;
    if (!links.has(key)) links.set(key, { kind, project, path });
  }

  return [...links.values()].filter(
    ({ kind, project, path }) =>
      kind !== 'REFERENCES' || !typed.has(JSON.stringify([project, path])),
  );
}

/**
 * The links of a body that is to be stored.
 *
 * @throws {InvalidInputError} naming the field, for more than 2,000 of them
 */
export function parseBodyLinks(
  body: string,
  from: { readonly project: string; readonly path: string },
  field: string,
): readonly BodyLink[] {
  const links = bodyLinks(body, from);
  if (links.length > MAX_BODY_LINKS) {
    const expected = `at most ${MAX_BODY_LINKS} different links`;
    throw new InvalidInputError(field, expected, `${links.length} links`);
  }
  return links;
}

function toTarget(
  { syntax, target, isEmbed }: Omit<WrittenLink, 'kind'>,
  from: { readonly project: string; readonly path: string },
) {
  if (syntax === 'WIKI') return wikiTarget(target, { from, isEmbed });
  return markdownTarget(unescapeAll(target), { from, isEmbed });
}

/** Backslash escapes and entities, as CommonMark reads them in a destination. */
const { unescapeAll, normalizeReference } = new MarkdownIt().utils;

function writtenLinks(body: string): WrittenLink[] {
  const parser = new MarkdownIt('commonmark', { maxNesting: nestingFor(body) });
  parser.core.ruler.enableOnly(['normalize', 'block']);
  const env: { references?: Record<string, { title: string; href: string }> } = {};
  // An editor's mark of the encoding is no text: before a list it would make a paragraph of it.
  const tokens = parser.parse(body.replace(/^\ufeff+/u, ''), env);

  const references = new Map(Object.entries(env.references ?? {}));
  const resolveLabel = (label: string) =>
    references.size === 0 ? null : (references.get(normalizeReference(label))?.href ?? null);
  const blocks = tokens.flatMap((token, index) => {
    const isHtml = token.type === 'html_block';
    if (!isHtml && token.type !== 'inline') return [];
    return scanLinks({ text: token.content, isItem: isItem(tokens, index), isHtml, resolveLabel });
  });
  // `[^1]: [[path]]` is a footnote to people and, to CommonMark, a reference to `[[path]]`.
  const notes = [...references.values()].flatMap(({ href }) => {
    const text = href.startsWith('%5B%5B') ? decodePercent(href) : '';
    return scanLinks({ text, isItem: false, isHtml: false, resolveLabel });
  });
  return [...blocks, ...notes];
}

function isItem(tokens: readonly Token[], index: number): boolean {
  return (
    tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open'
  );
}

function nestingFor(body: string): number {
  let lines = 1;
  for (let at = body.indexOf('\n'); at >= 0; at = body.indexOf('\n', at + 1)) lines += 1;
  return Math.max(MIN_NESTING, Math.min(MAX_NESTING, Math.floor(NESTED_LINES / lines)));
}
