import type { Explain } from '../memory/explain-hits.ts';
import { type GraphVia, VIA_KINDS } from '../memory/graph-arm.ts';
import type { KeywordHit } from '../memory/recall-store.ts';
import { builder } from './builder.ts';
import { StepRef } from './edge.ts';
import { DirectionRef, describe } from './enums.ts';
import { PageRef } from './page.ts';
import { pageAt, type ReadAt } from './page-at.ts';

const MatchPlaceRef = builder.enumType('MatchPlace', {
  description: 'A part of a page that has words of the query.',
  values: describe(['TITLE', 'BODY', 'HINT', 'DATE'], {
    TITLE: 'The title.',
    BODY: 'The body.',
    HINT: 'A query hint of the writer.',
    DATE: 'The date since when it is true, where the ranking looks for dates.',
  }),
});

export const KeywordMatchRef = builder
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

export const DenseMatchRef = builder
  .objectRef<NonNullable<Explain['dense']>>('DenseMatch')
  .implement({
    description: 'What the dense arm says of a page.',
    fields: (t) => ({
      rank: t.exposeInt('rank', { description: 'Its place in the arm, from 1.' }),
      similarity: t.exposeFloat('similarity', {
        description: 'Cosine of its best passage and the query, -1 to 1.',
      }),
    }),
  });

export const GraphMatchRef = builder
  .objectRef<NonNullable<Explain['graph']>>('GraphMatch')
  .implement({
    description: 'What the graph arm says of a page.',
    fields: (t) => ({
      rank: t.exposeInt('rank', { description: 'Its place in the arm, from 1.' }),
    }),
  });

const GraphViaEdgeRef = builder.enumType('GraphViaEdge', {
  description: 'What joins two pages: an edge, or the order of a session.',
  values: describe(VIA_KINDS, {
    CAUSES: 'From brought about to.',
    FIXES: 'From remedies to.',
    CONTRADICTS: 'From disputes to.',
    SUPERSEDES: 'From replaces to.',
    REFERENCES: 'From mentions to.',
    FOLLOWS:
      'A session recorded from just after to. Derived from the order of the session, never asserted.',
  }),
});

export const GraphViaRef = builder.objectRef<ReadAt<GraphVia>>('GraphVia').implement({
  description: 'One way over which the graph arm came to a page.',
  fields: (t) => ({
    edge: t.expose('edge', { type: GraphViaEdgeRef, description: 'The kind of its last edge.' }),
    direction: t.expose('direction', {
      type: DirectionRef,
      description: '`OUT` when that edge leads to this page, `IN` when it begins here.',
    }),
    from: t.field({
      type: PageRef,
      nullable: true,
      description:
        'The hit of another arm that the way begins at; null when it has just been removed.',
      resolve: ({ fromId, readAt }, _args, context) => pageAt(context, fromId, readAt),
    }),
    depth: t.exposeInt('depth', { description: 'Hops.' }),
    path: t.field({
      type: [StepRef],
      description: 'The steps from there to this page; none for `FOLLOWS`.',
      extensions: { size: () => 2 },
      resolve: ({ path, readAt }) => path.map((step) => ({ step, readAt })),
    }),
  }),
});
