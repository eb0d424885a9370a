import {
  EVIDENCE_SOURCES,
  type Evidence,
  type EvidenceSource,
  parseEvidenceCursor,
  sessionOf,
  toEvidenceCursor,
} from '../memory/evidence.ts';
import { parseFirst } from '../memory/paging.ts';
import { builder } from './builder.ts';
import { connectionFields, type Entry, entryOf, type Listed } from './connection.ts';
import { describe } from './enums.ts';
import { PageRef } from './page.ts';
import { SessionRef } from './session.ts';

const DEFAULT_EVIDENCE = 20;
const MAX_EVIDENCE = 100;

export const EvidenceSourceRef = builder.enumType('EvidenceSource', {
  description: 'What spoke for a page.',
  values: describe(EVIDENCE_SOURCES, {
    SESSION: 'A session that recorded it, or that observed it and has ended.',
    OBSERVATION: 'An observation about it.',
    FEEDBACK: 'Somebody found it useful.',
    RECONSOLIDATION: 'The same content was written again.',
  } satisfies { [Key in EvidenceSource]: string }),
});

const EvidenceRef = builder.objectRef<Evidence>('Evidence').implement({
  description: 'One sighting of a page. Never changed; it goes with the page alone.',
  fields: (t) => ({
    sourceKind: t.expose('sourceKind', { type: EvidenceSourceRef, description: 'What spoke.' }),
    sourceId: t.exposeString('sourceId', {
      description: 'Which one: unique for its kind and page.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was recorded.' }),
    counts: t.exposeBoolean('counts', {
      description:
        'Whether it speaks for what the page says; false for what spoke for content that was replaced since.',
    }),
    session: t.field({
      type: SessionRef,
      nullable: true,
      description:
        'The session of a `SESSION` or an `OBSERVATION`; null for the others, and where it is not there or not for you.',
      resolve: (evidence, _args, { loadersAt }) => {
        const id = sessionOf(evidence);
        return id === null ? null : loadersAt(null).session.load(id);
      },
    }),
  }),
});

const EvidenceEdgeRef = entryOf('EvidenceEdge', EvidenceRef, {
  description: 'An entry of a list of evidence.',
  noun: 'piece of evidence',
});

const EvidenceConnectionRef = builder
  .objectRef<Listed<Entry<Evidence>>>('EvidenceConnection')
  .implement({
    description: 'What spoke for a page, newest first.',
    fields: (t) =>
      connectionFields(t, {
        edge: EvidenceEdgeRef,
        node: EvidenceRef,
        nodes: 'The evidence, in the same order.',
        totalCount: 'All of it, also what no longer counts.',
      }),
  });

builder.objectField(PageRef, 'evidence', (t) =>
  t.field({
    type: EvidenceConnectionRef,
    description: 'What spoke for it, newest first; in an `asOf` read, what had by then.',
    extensions: { size: ({ first }: { first?: number | null }) => toCount(first) },
    args: {
      first: t.arg.int({
        description: `How many, 1 to ${MAX_EVIDENCE}; ${DEFAULT_EVIDENCE} when left out.`,
      }),
      after: t.arg.string({ description: 'A cursor of this connection.' }),
    },
    resolve: async ({ id: pageId, readAt }, { first, after }, { loadersAt }) => {
      const { evidence, hasMore, total } = await loadersAt(readAt).evidenceLists.load({
        pageId,
        first: toCount(first),
        after: after == null ? null : parseEvidenceCursor(after, pageId),
      });
      return {
        entries: evidence.map((node) => ({ node, cursor: toEvidenceCursor(node) })),
        hasMore,
        isFirst: after == null,
        total: () => total,
      };
    },
  }),
);

function toCount(first: number | null | undefined): number {
  return parseFirst(first ?? DEFAULT_EVIDENCE, { most: MAX_EVIDENCE, field: 'first' });
}
