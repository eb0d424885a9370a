import { type BuilderTypes, builder } from './builder.ts';

/** An entry of a list, and its place in it. */
export type Entry<Node> = { readonly cursor: string; readonly node: Node };

/** A part of a list, as a connection shows it. */
export type Listed<Own> = {
  readonly entries: readonly Own[];
  readonly hasMore: boolean;
  /** Whether it begins where the list begins. */
  readonly isFirst: boolean;
  /** All entries of the list; asked for only when the caller is. */
  readonly total: () => number | Promise<number>;
};

export const CURSOR = { description: 'Opaque; pass it as `after` to go on from here.' };

type NodeRef<Node> = PothosSchemaTypes.ObjectRef<BuilderTypes, Node>;
type EdgeRef<Own> = PothosSchemaTypes.ObjectRef<BuilderTypes, Own>;

/** The type of plain entries. */
export function entryOf<Node extends object>(
  name: string,
  node: NodeRef<Node>,
  { description, noun }: { readonly description: string; readonly noun: string },
): EdgeRef<Entry<Node>> {
  return builder.objectRef<Entry<Node>>(name).implement({
    description,
    fields: (t) => ({
      cursor: t.exposeString('cursor', CURSOR),
      node: t.expose('node', { type: node, description: `The ${noun}.` }),
    }),
  });
}

/** The fields that every list of entries has. */
export function listFields<Node extends object, Own extends Entry<Node>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Omit<Listed<Own>, 'total'>>,
  {
    edge,
    node,
    nodes,
  }: {
    readonly edge: EdgeRef<Own>;
    readonly node: NodeRef<Node>;
    /** What `nodes` are. */
    readonly nodes: string;
  },
) {
  return {
    edges: t.field({
      type: [edge],
      description: 'The entries, each with its cursor.',
      resolve: ({ entries }) => entries,
    }),
    nodes: t.field({
      type: [node],
      description: nodes,
      resolve: ({ entries }) => entries.map((entry) => entry.node),
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      description: 'How to go on.',
      resolve: ({ entries, hasMore, isFirst }) => ({
        hasNextPage: hasMore,
        hasPreviousPage: !isFirst,
        startCursor: entries.at(0)?.cursor ?? null,
        endCursor: entries.at(-1)?.cursor ?? null,
      }),
    }),
  };
}

/** The fields of a connection that counts its entries. */
export function connectionFields<Node extends object, Own extends Entry<Node>>(
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Listed<Own>>,
  {
    totalCount,
    ...list
  }: Parameters<typeof listFields<Node, Own>>[1] & {
    /** What `totalCount` counts. */
    readonly totalCount: string;
  },
) {
  return {
    ...listFields<Node, Own>(t, list),
    totalCount: t.int({ description: totalCount, resolve: ({ total }) => total() }),
  };
}
