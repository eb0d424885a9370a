import type { Edge, Step } from '../memory/edge.ts';
import { type BuilderTypes, builder } from './builder.ts';
import { DirectionRef, EdgeKindRef, ResolutionRef } from './enums.ts';
import { PageRef } from './page.ts';
import { pageAt, type ReadAt } from './page-at.ts';

/** An edge, and the instant that it was read at. */
export type ReadEdge = ReadAt<{ readonly edge: Edge }>;

export const EdgeRef = builder.objectRef<ReadEdge>('Edge').implement({
  description: 'One typed, directed claim between two pages.',
  fields: (t) => ({
    id: t.id({ description: 'Holds for good.', resolve: ({ edge }) => edge.id }),
    kind: t.field({
      type: EdgeKindRef,
      description: 'What `from` claims about `to`.',
      resolve: ({ edge }) => edge.kind,
    }),
    from: t.field({
      type: PageRef,
      nullable: true,
      description: 'The page that claims; null when it has just been removed.',
      resolve: ({ edge, readAt }, _args, context) => pageAt(context, edge.fromId, readAt),
    }),
    to: t.field({
      type: PageRef,
      nullable: true,
      description: 'The page that the claim is about; null when it has just been removed.',
      resolve: ({ edge, readAt }, _args, context) => pageAt(context, edge.toId, readAt),
    }),
    note: t.string({
      nullable: true,
      description:
        'Why, in the words of whoever asserted it. A later note takes its place, in reads of the past too.',
      resolve: ({ edge }) => edge.note,
    }),
    validFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when it holds, inclusive; null: since ever.',
      resolve: ({ edge }) => edge.validFrom,
    }),
    validTo: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Until when it holds, exclusive; null: open.',
      resolve: ({ edge }) => edge.validTo,
    }),
    recordedAt: t.field({
      type: 'DateTime',
      description: 'When it was asserted.',
      resolve: ({ edge }) => edge.recordedAt,
    }),
    retractedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was retracted; null while it is asserted.',
      resolve: ({ edge }) => edge.retractedAt,
    }),
    resolution: t.field({
      type: ResolutionRef,
      nullable: true,
      description: 'The state at the instant that is read; null for every kind but `CONTRADICTS`.',
      resolve: ({ edge }) => edge.resolution,
    }),
    ...resolutionFields(t, ({ edge }) => edge),
  }),
});

/** Who brought a contradiction into its state, when, and why. */
export function resolutionFields<Shape extends object>(
  t: PothosSchemaTypes.ObjectFieldBuilder<BuilderTypes, Shape>,
  edgeOf: (shape: Shape) => Edge,
) {
  return {
    resolvedBy: t.string({
      nullable: true,
      description: 'Who settled or reopened the contradiction last; null while nobody has.',
      resolve: (shape) => edgeOf(shape).resolvedBy,
    }),
    resolvedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When that was; null while nobody has.',
      resolve: (shape) => edgeOf(shape).resolvedAt,
    }),
    resolutionNote: t.string({
      nullable: true,
      description: 'Why, in the words of whoever did; null when they gave no reason.',
      resolve: (shape) => edgeOf(shape).resolutionNote,
    }),
  };
}

/** One step of a path, and the instant that it was read at. */
export type ReadStep = ReadAt<{ readonly step: Step }>;

export const StepRef = builder.objectRef<ReadStep>('Step').implement({
  description: 'An edge and the way it was taken.',
  fields: (t) => ({
    edge: t.field({
      type: EdgeRef,
      description: 'The edge.',
      resolve: ({ step, readAt }) => ({ edge: step.edge, readAt }),
    }),
    direction: t.field({
      type: DirectionRef,
      description: '`OUT` when taken from `from` to `to`, `IN` the other way.',
      resolve: ({ step }) => step.direction,
    }),
    page: t.field({
      type: PageRef,
      nullable: true,
      description: 'Where the step leads; null when that page has just been removed.',
      resolve: ({ step, readAt }, _args, context) =>
        pageAt(context, step.direction === 'OUT' ? step.edge.toId : step.edge.fromId, readAt),
    }),
  }),
});
