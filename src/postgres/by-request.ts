/** Counted for each request: how many there are, though the list may be empty. */
export type Counted<Row> = { readonly request: number; readonly total: number } & {
  readonly [Column in keyof Row]: Row[Column] | null;
};

/** The rows of each request, in their order: as many as were asked for, and whether there are more. */
export function byRequest<Row>(
  requests: readonly { readonly first: number }[],
  rows: readonly Counted<Row>[],
  isRow: (row: Counted<Row>) => row is Counted<Row> & Row,
): { found: Row[]; hasMore: boolean; total: number }[] {
  const groups = Map.groupBy(rows, ({ request }) => request);
  return requests.map(({ first }, index) => {
    const own = groups.get(index + 1) ?? [];
    const found = own.filter(isRow);
    return {
      found: found.slice(0, first),
      hasMore: found.length > first,
      total: own[0]?.total ?? 0,
    };
  });
}
