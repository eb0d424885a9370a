import { z } from 'zod';
import type { Edge } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import type { EdgePosition } from './graph-store.ts';

const CursorSchema = z.tuple([z.literal('e1'), z.boolean(), z.int(), z.uuid()]);

/** The place of an edge in a page's list as opaque text. It holds while edges are added. */
export function toEdgeCursor(edge: Edge): string {
  const place = ['e1', edge.kind === 'REFERENCES', edge.at, edge.id];
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of an edge list */
export function parseEdgeCursor(cursor: string): EdgePosition {
  const parsed = CursorSchema.safeParse(readJson(cursor));
  if (!parsed.success) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, bare, at, id] = parsed.data;
  return { bare, at, id };
}

function readJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}
