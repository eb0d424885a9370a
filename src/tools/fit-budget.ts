import { estimateTokens } from '../memory/token-budget.ts';

/** As `fitItems`, of a text; the first item always comes. @param budget  tokens; null for no limit */
export function fitBudget<Item>(
  items: readonly Item[],
  toText: (shown: readonly Item[]) => string,
  budget: number | null,
): readonly Item[] {
  if (budget === null) return items;
  return fitItems(items, (shown) => estimateTokens(toText(shown)), { budget, least: 1 });
}

/**
 * As many of the first items as make an answer within the budget; a larger budget gives no fewer. It
 * is the whole answer that counts, with what it says of those that were left out: so it is made once
 * for each halving of the items.
 *
 * @param tokensOf  of the answer with these; more for more of them, but for what it says when some are
 * left out
 * @param least  so many come whatever they take
 */
export function fitItems<Item>(
  items: readonly Item[],
  tokensOf: (shown: readonly Item[]) => number,
  { budget, least }: { readonly budget: number; readonly least: number },
): readonly Item[] {
  const fits = (count: number) => tokensOf(items.slice(0, count)) <= budget;
  if (items.length <= least || fits(items.length)) return items;
  let [low, high] = [least, items.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return items.slice(0, low);
}
