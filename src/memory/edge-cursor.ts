import { createHash } from 'node:crypto';
import { z } from 'zod';
import { decodePlace, encodePlace } from './cursor.ts';
import type { Edge } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import type { EdgeListRequest, EdgePosition } from './graph-store.ts';

/** Which edges of which page a list holds. */
export type EdgeListScope = Pick<EdgeListRequest, 'pageId' | 'kinds' | 'direction'>;

const CursorSchema = z.tuple([z.literal('e2'), z.string(), z.boolean(), z.int(), z.uuid()]);

/** Enough that no two lists of one tenant meet by chance; it keeps no secret. */
const SCOPE_CHARACTERS = 12;

/** The place of an edge in a page's list as opaque text. It holds while edges are added, for this list alone. */
export function toEdgeCursor(edge: Edge, scope: EdgeListScope): string {
  return encodePlace(['e2', markOf(scope), edge.kind === 'REFERENCES', edge.at, edge.id]);
}

/**
 * @throws {InvalidInputError} on field `after` when the text is no cursor of an edge list, or is one of
 * another page, other kinds or another direction: the place would be nowhere in particular
 */
export function parseEdgeCursor(cursor: string, scope: EdgeListScope): EdgePosition {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, mark, bare, at, id] = parsed.data;
  if (mark !== markOf(scope)) {
    throw new InvalidInputError(
      'after',
      'a cursor of this connection: of the same page, kinds and direction',
      cursor,
    );
  }
  return { bare, at, id };
}

/** The same for the same edges, in whatever order and how often the kinds were named. */
function markOf({ pageId, kinds, direction }: EdgeListScope): string {
  const scope = [pageId, direction, ...[...new Set(kinds)].sort()].join(' ');
  return createHash('sha256').update(scope).digest('base64url').slice(0, SCOPE_CHARACTERS);
}
