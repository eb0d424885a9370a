import type { Committed, ResolvedEdge } from '../memory/memory-writer.ts';
import { resolveContradiction } from '../memory/resolve-contradiction.ts';
import { builder } from './builder.ts';
import { EdgeRef } from './edge.ts';
import { ResolutionRef } from './enums.ts';
import { FAILURES } from './errors.ts';
import { toEdgeId } from './global-id.ts';
import { GRAPH_SEQUENCE } from './graph-sequence.ts';
import { inInput } from './in-input.ts';
import { IDEMPOTENCY_KEY } from './page-input.ts';

const ResolveContradictionInputRef = builder.inputType('ResolveContradictionInput', {
  description: 'A contradiction, and what came of it.',
  fields: (t) => ({
    edge: t.id({ required: true, description: 'The `id` of an edge of the kind `CONTRADICTS`.' }),
    outcome: t.field({
      type: ResolutionRef,
      required: true,
      description: 'What came of it; `UNRESOLVED` reopens it.',
    }),
    note: t.string({ description: 'Why; at most 2,000 characters. Left out: no reason given.' }),
    idempotencyKey: t.string({ description: IDEMPOTENCY_KEY }),
  }),
});

const ResolveContradictionSuccessRef = builder
  .objectRef<Committed<ResolvedEdge>>('ResolveContradictionSuccess')
  .implement({
    description: 'The contradiction is in the state that was asked for.',
    fields: (t) => ({
      edge: t.field({
        type: EdgeRef,
        description: 'The edge, with who settled it, when and why.',
        resolve: ({ result }) => ({ edge: result.edge, readAt: null }),
      }),
      changed: t.boolean({
        description: 'False when it was so before; then who, when and why stay as they were.',
        resolve: ({ result }) => result.changed,
      }),
      graphSequence: t.string(GRAPH_SEQUENCE),
    }),
  });

builder.mutationField('resolveContradiction', (t) =>
  t.field({
    type: ResolveContradictionSuccessRef,
    description:
      'Settles a contradiction, or reopens it. Reads of the past still see the states before. Asking for the state that it has changes nothing, unless with another note. You need to write to the projects of both pages.',
    errors: {
      types: FAILURES.resolveContradiction,
      directResult: true,
      union: {
        name: 'ResolveContradictionResult',
        description: 'The edge, or why it was left as it was.',
      },
    },
    args: {
      input: t.arg({
        type: ResolveContradictionInputRef,
        required: true,
        description: 'What to settle, and how.',
      }),
    },
    resolve: async (_root, { input }, context) => {
      const { caller } = await context.toWrite();
      const resolved = await inInput(async () =>
        resolveContradiction(context.stores, caller, {
          edgeId: toEdgeId(input.edge, 'edge'),
          outcome: input.outcome,
          note: input.note,
          idempotencyKey: input.idempotencyKey,
        }),
      );
      context.forget();
      return resolved;
    },
  }),
);
