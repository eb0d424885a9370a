import type { Edge } from '../memory/edge.ts';
import { linkPages, MAX_EDGES_PER_WRITE, unlinkPages } from '../memory/link-pages.ts';
import type { Committed } from '../memory/memory-writer.ts';
import { parseCount } from '../memory/parse-number.ts';
import { builder } from './builder.ts';
import { EdgeRef } from './edge.ts';
import { EdgeKindRef } from './enums.ts';
import { FAILURES } from './errors.ts';
import { toPageId } from './global-id.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { inInput } from './in-input.ts';

const LinkInputRef = builder.inputType('LinkInput', {
  description: 'An edge to assert.',
  fields: (t) => ({
    kind: t.field({ type: EdgeKindRef, required: true, description: 'What is claimed.' }),
    from: t.id({ required: true, description: 'The page that claims.' }),
    to: t.id({ required: true, description: 'The page that the claim is about; another one.' }),
    note: t.string({ description: 'Why; at most 2,000 characters.' }),
    validFrom: t.field({ type: 'DateTime', description: 'Since when; left out: since ever.' }),
    validTo: t.field({ type: 'DateTime', description: 'Until when, exclusive; left out: open.' }),
  }),
});

const LinkPagesInputRef = builder.inputType('LinkPagesInput', {
  description: 'Edges to assert in one transaction.',
  fields: (t) => ({
    edges: t.field({
      type: [LinkInputRef],
      required: true,
      description: `1 to ${MAX_EDGES_PER_WRITE} edges.`,
    }),
    idempotencyKey: t.string({
      description: 'Makes a retry safe; see `WritePagesInput.idempotencyKey`.',
    }),
  }),
});

const LinkedEdgeRef = builder
  .objectRef<{ readonly edge: Edge; readonly created: boolean }>('LinkedEdge')
  .implement({
    description: 'An edge as a write left it.',
    fields: (t) => ({
      edge: t.field({
        type: EdgeRef,
        description: 'The edge.',
        resolve: ({ edge }) => ({ edge, readAt: null }),
      }),
      created: t.exposeBoolean('created', {
        description:
          'False when it was active before; then at most its note and its valid time are new.',
      }),
    }),
  });

const LinkPagesSuccessRef = builder
  .objectRef<Committed<readonly { edge: Edge; created: boolean }[]>>('LinkPagesSuccess')
  .implement({
    description: 'All edges are active.',
    fields: (t) => ({
      edges: t.field({
        type: [LinkedEdgeRef],
        description: 'In the order of the input.',
        resolve: ({ result }) => result,
      }),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

builder.mutationField('linkPages', (t) =>
  t.field({
    type: LinkPagesSuccessRef,
    description:
      'Asserts edges: all of them, or none. There is at most one active edge for each kind and pair of pages; asserting it again is safe. With another valid time it is corrected: an edge with that time, and an id of its own, takes its place.',
    errors: {
      types: FAILURES.linkPages,
      directResult: true,
      union: { name: 'LinkPagesResult', description: 'The edges, or why none was asserted.' },
    },
    extensions: { size: countEdges },
    args: {
      input: t.arg({ type: LinkPagesInputRef, required: true, description: 'What to assert.' }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller } = await context.toWrite();
      const linked = await inInput(async () => {
        const { idempotencyKey } = input;
        const edges = withinLimit(input.edges).map(({ from, to, ...edge }, index) => ({
          ...edge,
          ...toEnds({ from, to }, index),
        }));
        return linkPages(context.stores, caller, { edges, idempotencyKey });
      });
      context.forget();
      return linked;
    },
  }),
);

const UnlinkInputRef = builder.inputType('UnlinkInput', {
  description: 'An edge whose assertion is taken back.',
  fields: (t) => ({
    kind: t.field({ type: EdgeKindRef, required: true, description: 'Its kind.' }),
    from: t.id({ required: true, description: 'Where it begins.' }),
    to: t.id({ required: true, description: 'Where it ends.' }),
  }),
});

const UnlinkPagesInputRef = builder.inputType('UnlinkPagesInput', {
  description: 'Assertions to take back in one transaction.',
  fields: (t) => ({
    edges: t.field({
      type: [UnlinkInputRef],
      required: true,
      description: `1 to ${MAX_EDGES_PER_WRITE} edges.`,
    }),
  }),
});

const UnlinkPagesSuccessRef = builder
  .objectRef<Committed<readonly (Edge | null)[]>>('UnlinkPagesSuccess')
  .implement({
    description: 'The assertions are taken back.',
    fields: (t) => ({
      edges: t.field({
        type: t.listRef(EdgeRef, { nullable: true }),
        description:
          'In the order of the input: the edge as it is now, still active when a body says it; null where nobody had asserted it.',
        resolve: ({ result }) => result.map((edge) => edge && { edge, readAt: null }),
      }),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

builder.mutationField('unlinkPages', (t) =>
  t.field({
    type: UnlinkPagesSuccessRef,
    description:
      'Takes back assertions of edges. It ends them, it does not erase them: reads of the past still see them. An edge that a body says stays.',
    errors: {
      types: FAILURES.unlinkPages,
      directResult: true,
      union: { name: 'UnlinkPagesResult', description: 'The edges, or why nothing was changed.' },
    },
    extensions: { size: countEdges },
    args: {
      input: t.arg({
        type: UnlinkPagesInputRef,
        required: true,
        description: 'What to take back.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller } = await context.toWrite();
      const unlinked = await inInput(async () => {
        const edges = withinLimit(input.edges).map(({ kind, ...ends }, index) => ({
          kind,
          ...toEnds(ends, index),
        }));
        return unlinkPages(context.stores, caller, edges);
      });
      context.forget();
      return unlinked;
    },
  }),
);

function countEdges({ input }: { input: { edges: readonly unknown[] } }): number {
  return input.edges.length;
}

/** @throws {LimitExceededError} for more edges than one call takes */
function withinLimit<Edge>(edges: readonly Edge[]): readonly Edge[] {
  parseCount('edges', edges.length, MAX_EDGES_PER_WRITE);
  return edges;
}

function toEnds({ from, to }: { readonly from: string; readonly to: string }, index: number) {
  return {
    fromId: toPageId(from, `edges.${index}.from`),
    toId: toPageId(to, `edges.${index}.to`),
  };
}
