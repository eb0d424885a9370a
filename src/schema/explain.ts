import type { Authority, AuthorityCap, AuthorityFactor } from '../memory/authority.ts';
import type { Confidence } from '../memory/confidence.ts';
import type { Explain } from '../memory/explain-hits.ts';
import { ARMS, type Contribution } from '../memory/fuse-rankings.ts';
import type { GraphVia } from '../memory/graph-arm.ts';
import { FUSION_METHODS } from '../memory/ranking-profiles.ts';
import type { KeywordHit } from '../memory/recall-store.ts';
import type { TypeHint } from '../memory/type-hints.ts';
import type { AsOf } from '../memory/view.ts';
import { builder } from './builder.ts';
import { StepRef } from './edge.ts';
import { DirectionRef, describe, EdgeKindRef } from './enums.ts';
import { PageRef } from './page.ts';
import { pageAt } from './page-at.ts';

type ReadAt<T> = T & { readonly readAt: AsOf | null };

const MatchPlaceRef = builder.enumType('MatchPlace', {
  description: 'A part of a page that has words of the query.',
  values: describe(['TITLE', 'BODY', 'HINT'], {
    TITLE: 'The title.',
    BODY: 'The body.',
    HINT: 'A query hint of the writer.',
  }),
});

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
    CONVEX: '0.45 × bm25 / max(bm25) + 0.55 × max(0, cosine) + 0.3 × what the graph lends.',
    RRF: 'Reciprocal rank fusion: Σ weight / (60 + rank).',
  }),
});

const KeywordMatchRef = builder
  .objectRef<KeywordHit & { readonly rank: number }>('KeywordMatch')
  .implement({
    description: 'What the keyword arm says of a page.',
    fields: (t) => ({
      rank: t.exposeInt('rank', { description: 'Its place in the arm, from 1.' }),
      score: t.exposeFloat('score', { description: 'BM25, k1 0.9, b 0.4.' }),
      terms: t.exposeStringList('terms', {
        description: 'Terms of the query that the page has, as they are indexed.',
      }),
      matchedIn: t.expose('matchedIn', {
        type: [MatchPlaceRef],
        description: 'Where these terms stand.',
      }),
    }),
  });

const DenseMatchRef = builder.objectRef<NonNullable<Explain['dense']>>('DenseMatch').implement({
  description: 'What the dense arm says of a page.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Its place in the arm, from 1.' }),
    similarity: t.exposeFloat('similarity', {
      description: 'Cosine of its best passage and the query, -1 to 1.',
    }),
  }),
});

const GraphMatchRef = builder.objectRef<NonNullable<Explain['graph']>>('GraphMatch').implement({
  description: 'What the graph arm says of a page.',
  fields: (t) => ({
    rank: t.exposeInt('rank', { description: 'Its place in the arm, from 1.' }),
  }),
});

const GraphViaRef = builder.objectRef<ReadAt<GraphVia>>('GraphVia').implement({
  description: 'One way over which the graph arm came to a page.',
  fields: (t) => ({
    edge: t.expose('edge', { type: EdgeKindRef, description: 'The kind of its last edge.' }),
    direction: t.expose('direction', {
      type: DirectionRef,
      description: '`OUT` when that edge leads to this page, `IN` when it begins here.',
    }),
    from: t.field({
      type: PageRef,
      description: 'The hit of another arm that the way begins at.',
      resolve: ({ fromId, readAt }, _args, context) => pageAt(context, fromId, readAt),
    }),
    depth: t.exposeInt('depth', { description: 'Hops.' }),
    path: t.field({
      type: [StepRef],
      description: 'The steps from there to this page.',
      resolve: ({ path, readAt }) => path.map((step) => ({ step, readAt })),
    }),
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
      description: 'One for each arm that adds something.',
      resolve: ({ contributions }) => contributions,
    }),
  }),
});

const AuthorityFactorRef = builder.objectRef<AuthorityFactor>('AuthorityFactor').implement({
  description: 'One reason why the word of a page counts for more or less.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'The rule.' }),
    multiplier: t.exposeFloat('multiplier', { description: 'Added to 1.0.' }),
    reason: t.exposeString('reason', { description: 'Why it applies.' }),
  }),
});

const AuthorityCapNameRef = builder.enumType('AuthorityCapName', {
  description: 'What caps authority.',
  values: describe(['DO_NOT_ANSWER_FROM', 'SUPERSEDED', 'CONTRADICTED', 'HISTORICAL'], {
    DO_NOT_ANSWER_FROM: 'A tag `do-not-answer-from` or `test-fixture`: 0.55.',
    SUPERSEDED: 'Another page replaces it: 0.65.',
    CONTRADICTED: 'A current page disputes it: 0.65. Where the profile asks.',
    HISTORICAL: 'A tag `historical`: 0.80.',
  } satisfies { [Key in AuthorityCap['name']]: string }),
});

const AuthorityCapRef = builder.objectRef<ReadAt<AuthorityCap>>('AuthorityCap').implement({
  description: 'A ceiling on authority.',
  fields: (t) => ({
    name: t.expose('name', { type: AuthorityCapNameRef, description: 'What put it there.' }),
    limit: t.exposeFloat('limit', { description: 'The ceiling.' }),
    by: t.field({
      type: [PageRef],
      description: 'The challengers, for `CONTRADICTED`; else empty.',
      resolve: ({ by, readAt }, _args, context) =>
        Promise.all(by.map((id) => pageAt(context, id, readAt))),
    }),
  }),
});

const AuthorityRef = builder.objectRef<ReadAt<Authority>>('Authority').implement({
  description:
    'What the fused score is multiplied with: 1.0 and its factors, under the first cap that matches, within 0.55 and 1.50.',
  fields: (t) => ({
    value: t.exposeFloat('value', { description: '0.55 to 1.50.' }),
    factors: t.field({
      type: [AuthorityFactorRef],
      description: 'What was added to 1.0.',
      resolve: ({ factors }) => factors,
    }),
    cap: t.field({
      type: AuthorityCapRef,
      nullable: true,
      description: 'The cap that applied; null when none did.',
      resolve: ({ cap, readAt }) => cap && { ...cap, readAt },
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
        description: 'The page above.',
        resolve: ({ pageId, readAt }, _args, context) => pageAt(context, pageId, readAt),
      }),
      score: t.exposeFloat('score', {
        description: 'Its score; that of this hit is (1 - 2^-20) times as much.',
      }),
    }),
  });

const ConfidenceRef = builder
  .objectRef<Confidence & { readonly inRanking: boolean }>('Confidence')
  .implement({
    description: 'How sure we are of a page, from evidence alone.',
    fields: (t) => ({
      value: t.exposeFloat('value', { description: '0 to 0.95.' }),
      evidenceCount: t.exposeInt('evidenceCount', { description: 'Pieces of evidence.' }),
      distinctSessions: t.exposeInt('distinctSessions', {
        description: 'Different sessions that they come from.',
      }),
      newestEvidenceAt: t.expose('newestEvidenceAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the newest came; null when there is none.',
      }),
      unresolvedContradictions: t.exposeInt('unresolvedContradictions', {
        description: 'Active, unresolved disputes against the page.',
      }),
      inRanking: t.exposeBoolean('inRanking', {
        description: 'Whether the order of hits was moved by it.',
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
