/** The field of every write by which a reader can wait for it in the graph. */
export const GRAPH_SEQUENCE = {
  description:
    'The newest change of the graph that this write made or saw, a growing decimal number.',
  resolve: ({ graphSequence }: { readonly graphSequence: number }) => String(graphSequence),
};
