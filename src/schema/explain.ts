import type { Explain } from '../memory/explain-hits.ts';
import { ARMS, type Contribution } from '../memory/fuse-rankings.ts';
import { FUSION_METHODS } from '../memory/ranking-profiles.ts';
import { DEFAULT_RECALL_LIMIT } from '../memory/recall-query.ts';
import type { TypeHint } from '../memory/type-hints.ts';
import { AuthorityRef } from './authority.ts';
import { builder } from './builder.ts';
import { ConfidenceRef } from './confidence.ts';
import { describe } from './enums.ts';
import { DenseMatchRef, GraphMatchRef, GraphViaRef, KeywordMatchRef } from './matches.ts';
import { PageRef } from './page.ts';
import { pageAt, type ReadAt } from './page-at.ts';

const ArmRef = builder.enumType('Arm', {
  description: 'A way in which pages are found.',
  values: describe(ARMS, {
    KEYWORD: 'By words: BM25 over title, body and hints.',
    DENSE: 'By meaning: the cosine of the best passage.',
    GRAPH: 'By edges from what the others found.',
  }),
});

const FusionMethodRef = builder.enumType('FusionMethod', {
  description: 'How the arms are merged.',
  values: describe(FUSION_METHODS, {
    CONVEX:
      '0.45 × bm25 / max(bm25) + 0.55 × max(0, cosine) + 0.3 × what the graph lends. Where a name like `ADR-016` is looked up and found: 0.85 and 0.15.',
    RRF: 'Reciprocal rank fusion: Σ weight / (60 + rank).',
  }),
});

const ContributionRef = builder.objectRef<Contribution>('Contribution').implement({
  description: 'What one arm adds to a score: weight × value.',
  fields: (t) => ({
    arm: t.expose('arm', { type: ArmRef, description: 'The arm.' }),
    weight: t.exposeFloat('weight', { description: 'The weight of the arm.' }),
    rank: t.exposeInt('rank', {
      nullable: true,
      description:
        'The place in the arm; null where only the exact cosine was added to what another arm found.',
    }),
    value: t.exposeFloat('value', {
      description:
        'CONVEX: bm25 / max(bm25), the cosine, or what the graph lends. RRF: 1 / (60 + rank).',
    }),
  }),
});

const FusionRef = builder.objectRef<Explain['fusion']>('Fusion').implement({
  description: 'How the arms came to one score.',
  fields: (t) => ({
    method: t.expose('method', { type: FusionMethodRef, description: 'The method.' }),
    score: t.exposeFloat('score', { description: 'Σ weight × value.' }),
    contributions: t.field({
      type: [ContributionRef],
      extensions: { size: () => ARMS.length },
      description: 'One for each arm that adds something.',
      resolve: ({ contributions }) => contributions,
    }),
  }),
});

const TypeHintRef = builder.objectRef<TypeHint>('TypeHint').implement({
  description: 'What a hinted kind added.',
  fields: (t) => ({
    matched: t.exposeBoolean('matched', { description: 'Whether the kind was hinted.' }),
    value: t.exposeFloat('value', { description: 'Added to the fused score.' }),
  }),
});

const HeldBelowRef = builder
  .objectRef<ReadAt<NonNullable<Explain['heldBelow']>>>('HeldBelow')
  .implement({
    description: 'Another hit that replaces or disputes this one, and so stands above it.',
    fields: (t) => ({
      page: t.field({
        type: PageRef,
        nullable: true,
        description: 'The page above; null when it has just been removed.',
        resolve: ({ pageId, readAt }, _args, context) => pageAt(context, pageId, readAt),
      }),
      score: t.exposeFloat('score', {
        description: 'Its score; that of this hit is (1 - 2^-20) times as much.',
      }),
    }),
  });

export const ExplainRef = builder.objectRef<ReadAt<Explain>>('Explain').implement({
  description: 'The account of a hit: what was computed, not computed again for show.',
  fields: (t) => ({
    keyword: t.expose('keyword', {
      type: KeywordMatchRef,
      nullable: true,
      description: 'Null where the keyword arm did not find the page.',
    }),
    dense: t.expose('dense', {
      type: DenseMatchRef,
      nullable: true,
      description: 'Null where the dense arm did not find the page.',
    }),
    graph: t.expose('graph', {
      type: GraphMatchRef,
      nullable: true,
      description: 'Null where the graph arm did not find the page.',
    }),
    graphVia: t.field({
      type: [GraphViaRef],
      // A way for each of the usual ten hits.
      extensions: { size: () => DEFAULT_RECALL_LIMIT },
      description: 'Every way over which the graph arm came to the page.',
      resolve: ({ graphVia, readAt }) => graphVia.map((via) => ({ ...via, readAt })),
    }),
    fusion: t.expose('fusion', { type: FusionRef, description: 'How the arms were merged.' }),
    authority: t.field({
      type: AuthorityRef,
      description: 'How much the word of the page counts.',
      resolve: ({ authority, readAt }) => ({ ...authority, readAt }),
    }),
    typeHint: t.expose('typeHint', { type: TypeHintRef, description: 'What type hints added.' }),
    heldBelow: t.field({
      type: HeldBelowRef,
      nullable: true,
      description: 'The hit that this one was held below; null when the score is its own.',
      resolve: ({ heldBelow, readAt }) => heldBelow && { ...heldBelow, readAt },
    }),
    confidence: t.expose('confidence', {
      type: ConfidenceRef,
      description: 'How sure we are of the page.',
    }),
  }),
});
