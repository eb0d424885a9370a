import { z } from 'zod';
import { decodePlace, encodePlace } from './cursor.ts';
import type { Edge } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import type { EdgePosition } from './graph-store.ts';

const CursorSchema = z.tuple([z.literal('e1'), z.boolean(), z.int(), z.uuid()]);

/** The place of an edge in a page's list as opaque text. It holds while edges are added. */
export function toEdgeCursor(edge: Edge): string {
  return encodePlace(['e1', edge.kind === 'REFERENCES', edge.at, edge.id]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of an edge list */
export function parseEdgeCursor(cursor: string): EdgePosition {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, bare, at, id] = parsed.data;
  return { bare, at, id };
}
