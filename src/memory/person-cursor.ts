import { z } from 'zod';
import { decodePlace, encodePlace, TextSchema } from './cursor.ts';
import { InvalidInputError } from './errors.ts';
import type { PageId } from './page.ts';
import type { Person } from './person.ts';
import type { PersonPosition } from './person-store.ts';

/** Whose list: a page's, or the tenant's. */
type PersonListScope = PageId | null;

const CursorSchema = z.tuple([z.literal('h1'), z.uuid().nullable(), TextSchema, z.uuid()]);

/** The place of a person in a list, as opaque text. */
export function toPersonCursor({ name, id }: Person, scope: PersonListScope): string {
  return encodePlace(['h1', scope, name, id]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of this list */
export function parsePersonCursor(cursor: string, scope: PersonListScope): PersonPosition {
  const parsed = CursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success || parsed.data[1] !== scope) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, , name, id] = parsed.data;
  return { name, id };
}
