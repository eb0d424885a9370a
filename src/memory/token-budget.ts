/** Bytes of UTF-8 that count as one token. */
export const BYTES_PER_TOKEN = 4;

/**
 * Tokens of a text, estimated as a quarter of its UTF-8 bytes, rounded up: near what tokenizers of
 * language models count for English, and above it for most code; no tokenizer is right for all models.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

/**
 * The longest run of first items whose tokens fit the budget together. The first item always fits;
 * a larger budget gives a superset.
 *
 * @param budget  tokens; null for no limit
 */
export function withinBudget<Item>(
  items: readonly Item[],
  tokensOf: (item: Item) => number,
  budget: number | null,
): readonly Item[] {
  if (budget === null) return items;
  let used = 0;
  const end = items.findIndex((item, index) => {
    used += tokensOf(item);
    return index > 0 && used > budget;
  });
  return end < 0 ? items : items.slice(0, end);
}
