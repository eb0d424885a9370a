/** The value that a share of the values lie below; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Picks without order from a list, the same on every run (a linear congruential generator). */
export function seededPicker(seed: number) {
  let state = seed;
  return <Item>(items: readonly Item[], count: number): Item[] => {
    const pool = [...items];
    const picked: Item[] = [];
    while (picked.length < count && pool.length > 0) {
      state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
      picked.push(...pool.splice(state % pool.length, 1));
    }
    return picked;
  };
}
