import { type Confidence, confidence } from '../memory/confidence.ts';
import { builder } from './builder.ts';
import { PageRef } from './page.ts';

export const ConfidenceRef = builder
  .objectRef<Confidence & { readonly inRanking: boolean }>('Confidence')
  .implement({
    description: 'How sure we are of a page, from evidence alone.',
    fields: (t) => ({
      value: t.exposeFloat('value', { description: '0 to 0.95.' }),
      evidenceCount: t.exposeInt('evidenceCount', {
        description: 'Pieces of evidence that count.',
      }),
      evidenceCountsSince: t.expose('evidenceCountsSince', {
        type: 'DateTime',
        nullable: true,
        description:
          'Evidence from before it spoke for content that was replaced, and does not count; null where all counts. A version that keeps each line of the one before extends it, and keeps its evidence.',
      }),
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

builder.objectField(PageRef, 'confidence', (t) =>
  t.field({
    type: ConfidenceRef,
    description: 'How sure we are of the page at the instant that is read.',
    resolve: async (page, _args, { loadersAt, viewAt }) => {
      const summary = await loadersAt(page.readAt).evidence.load(page.id);
      return { ...confidence(summary, await viewAt(page.readAt)), inRanking: false };
    },
  }),
);
