/** A part of a body that shows why it was found. Offsets are UTF-16 units, `end` exclusive. */
export type Snippet = { readonly text: string; readonly start: number; readonly end: number };

/** Longest snippet, UTF-16 units. */
export const MAX_SNIPPET_UNITS = 320;

/**
 * The window of a body that shows the most different terms of a query; of equal ones the first.
 * It begins and ends between words; `body.slice(start, end)` is its text. Linear in the range.
 *
 * @param range    where to look: the passage that was found, or null for the whole body
 * @param terms    the query's terms
 * @param termsOf  the terms of one word
 */
export function snippet(
  body: string,
  range: { readonly start: number; readonly end: number } | null,
  terms: ReadonlySet<string>,
  termsOf: (word: string) => readonly string[],
): Snippet {
  const from = range?.start ?? 0;
  const to = Math.min(range?.end ?? body.length, from + MAX_LOOKED_AT);
  const words = [...body.slice(from, to).matchAll(/\S+/gu)].map((match) => {
    const start = from + match.index;
    const found = terms.size === 0 ? [] : termsOf(match[0]).filter((term) => terms.has(term));
    return { start, end: start + match[0].length, found };
  });
  const [firstWord] = words;
  if (firstWord === undefined) return { text: '', start: from, end: from };

  let best = { count: -1, first: 0, last: 0 };
  const inside = new Map<string, number>();
  let first = 0;
  for (const [last, word] of words.entries()) {
    for (const term of word.found) inside.set(term, (inside.get(term) ?? 0) + 1);
    while (first < last && word.end - (words[first]?.start ?? 0) > MAX_SNIPPET_UNITS) {
      for (const term of words[first]?.found ?? []) {
        const left = (inside.get(term) ?? 0) - 1;
        if (left > 0) inside.set(term, left);
        else inside.delete(term);
      }
      first += 1;
    }
    // Later words of the same window are worth having, so a longer one of equal count wins.
    if (inside.size > best.count || (inside.size === best.count && first === best.first)) {
      best = { count: inside.size, first, last };
    }
  }

  const start = words[best.first]?.start ?? from;
  const wanted = words[best.last]?.end ?? start;
  const end =
    wanted - start > MAX_SNIPPET_UNITS ? borderBefore(body, start + MAX_SNIPPET_UNITS) : wanted;
  return { text: body.slice(start, end), start, end };
}

/** Units of a body that are looked at for a snippet. */
const MAX_LOOKED_AT = 64 * 1024;

/** A single word that is longer than a snippet is cut, but not inside a character. */
function borderBefore(body: string, at: number): number {
  const unit = body.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
