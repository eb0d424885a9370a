/** Nesting of the condition; deeper ones skip little more and cost the index more. */
const MAX_NESTING = 4;
/** Operands of the condition; a longer one costs more than it spares. */
const MAX_OPERANDS = 60;
/** Steps of making one; a condition that takes more is far too large. */
const MAX_STEPS = 4_000;

/**
 * The condition that a page must meet to reach a score: that the upper bounds of the terms it has
 * add up to `threshold`, written as a tsquery of `&` and `|`. Where it would grow too large it is
 * relaxed upward, so it never leaves out a page that could reach the threshold.
 *
 * @param terms  tsquery literals with the most that each can add to a score, largest first
 * @returns null when every page that has any term could reach it
 *
 * Source: the pivot condition of WAND, Broder et al., "Efficient Query Evaluation using a Two-Level
 * Retrieval Process", CIKM 2003.
 */
export function wandQuery(
  terms: readonly { readonly query: string; readonly bound: number }[],
  threshold: number,
): string | null {
  const rest = terms.map((_, index) =>
    terms.slice(index).reduce((sum, { bound }) => sum + bound, 0),
  );
  let steps = 0;
  for (let nesting = MAX_NESTING; nesting > 0; nesting--) {
    steps = 0;
    const condition = build(0, threshold, 0, nesting);
    if (condition === true || condition === false) return null;
    if (condition.operands <= MAX_OPERANDS) return condition.text;
  }
  return null;

  function build(index: number, missing: number, depth: number, nesting: number): Condition {
    steps += 1;
    if (missing <= 0 || depth >= nesting || steps > MAX_STEPS) return true;
    const term = terms[index];
    if (term === undefined || (rest[index] ?? 0) < missing) return false;
    const withIt = build(index + 1, missing - term.bound, depth + 1, nesting);
    const without = build(index + 1, missing, depth, nesting);
    if (without === true) return true;
    const own = and(term.query, withIt);
    if (own === false) return without;
    if (without === false) return own;
    return {
      text: `${own.text}|${without.text}`,
      operands: own.operands + without.operands,
    };
  }
}

/** `true`: always met. `false`: cannot be met. */
type Condition = boolean | { readonly text: string; readonly operands: number };

function and(query: string, condition: Condition): Exclude<Condition, true> {
  if (condition === false) return false;
  if (condition === true) return { text: query, operands: 1 };
  return { text: `${query}&(${condition.text})`, operands: condition.operands + 1 };
}
