import { z } from 'zod';
import { decodePlace, encodePlace, TextSchema } from './cursor.ts';
import { InvalidInputError } from './errors.ts';
import type { PageId } from './page.ts';
import type { SessionId } from './session.ts';

/** What a page is believed on. */
export const EVIDENCE_SOURCES = ['SESSION', 'OBSERVATION', 'FEEDBACK', 'RECONSOLIDATION'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

/** One sighting of a page; one row for each source. */
export type Evidence = {
  readonly pageId: PageId;
  readonly sourceKind: EvidenceSource;
  /**
   * Of a session its id, of an observation that of its session and its place; else unique. A session
   * that speaks once more, for content that replaced what it spoke for, has the version behind its id.
   */
  readonly sourceId: string;
  readonly createdAt: number;
  /** Whether it speaks for what the page says; false for what spoke for content that was replaced. */
  readonly counts: boolean;
};

/** The place of a row among those of its page: newest first, then by kind and id. */
export type EvidencePosition = Omit<Evidence, 'pageId' | 'counts'>;

const UuidSchema = z.uuid();

/** The session that a row comes from; null where it comes from none. */
export function sessionOf({ sourceKind, sourceId }: Evidence): SessionId | null {
  if (sourceKind !== 'SESSION' && sourceKind !== 'OBSERVATION') return null;
  const parsed = UuidSchema.safeParse(sourceId.split('/', 1)[0]);
  return parsed.success ? parsed.data : null;
}

const CursorSchema = z.tuple([
  z.literal('d1'),
  UuidSchema,
  z.int(),
  z.enum(EVIDENCE_SOURCES),
  TextSchema,
]);

/** The place of a row in the list of its page, as opaque text. */
export function toEvidenceCursor({
  pageId,
  createdAt,
  sourceKind,
  sourceId,
}: EvidencePosition & Pick<Evidence, 'pageId'>): string {
  return encodePlace(['d1', pageId, createdAt, sourceKind, sourceId]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of the evidence of this page */
export function parseEvidenceCursor(cursor: string, pageId: PageId): EvidencePosition {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success || parsed.data[1] !== pageId) {
    throw new InvalidInputError('after', 'a cursor of the evidence of the same page', cursor);
  }
  const [, , createdAt, sourceKind, sourceId] = parsed.data;
  return { createdAt, sourceKind, sourceId };
}
