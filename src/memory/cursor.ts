import { z } from 'zod';
import { InvalidInputError } from './errors.ts';
import type { Page, PageId } from './page.ts';
import type { PageOrder, PagePosition } from './page-store.ts';

/** Text that Postgres takes; a cursor that we made has no other. */
export const TextSchema = z.string().refine((text) => text.isWellFormed() && !text.includes('\0'));

const DirectionSchema = z.enum(['ASC', 'DESC']);

/** Version of the form, field and direction of the order, value of the field, id. */
const PageCursorSchema = z.union([
  z.tuple([z.literal('p1'), z.enum(['PATH', 'TITLE']), DirectionSchema, TextSchema, z.uuid()]),
  z.tuple([
    z.literal('p1'),
    z.enum(['RECORDED_AT', 'CREATED_AT', 'IMPORTANCE']),
    DirectionSchema,
    z.int(),
    z.uuid(),
  ]),
]);

/** The place of a page in a list as opaque text. It holds while pages are added, for this order alone. */
export function toPageCursor(page: Page, { field, direction }: PageOrder): string {
  return encodePlace(['p1', field, direction, VALUE_OF[field](page), page.id]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of a list in this order */
export function parsePageCursor(cursor: string, order: PageOrder): PagePosition {
  const parsed = PageCursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, field, direction, value, id] = parsed.data;
  if (field !== order.field || direction !== order.direction) {
    throw new InvalidInputError('after', 'a cursor of a list in the same order', cursor);
  }
  return { value, id };
}

const VersionCursorSchema = z.tuple([
  z.literal('v2'),
  z.uuid(),
  z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
]);

/** The place of a version in the history of a page, as opaque text. */
export function toVersionCursor(version: number, pageId: PageId): string {
  return encodePlace(['v2', pageId, version]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of the history of this page */
export function parseVersionCursor(cursor: string, pageId: PageId): number {
  const parsed = VersionCursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success) {
    throw new InvalidInputError('after', 'a cursor of this connection', cursor);
  }
  const [, ofPage, version] = parsed.data;
  if (ofPage !== pageId) {
    throw new InvalidInputError('after', 'a cursor of the history of the same page', cursor);
  }
  return version;
}

const ProjectCursorSchema = z.tuple([z.literal('n1'), TextSchema]);

/** The place of a project among others by name, as opaque text. */
export function toProjectCursor(name: string): string {
  return encodePlace(['n1', name]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of a list of projects */
export function parseProjectCursor(cursor: string): string {
  const parsed = ProjectCursorSchema.safeParse(decodePlace(cursor));
  if (parsed.success) return parsed.data[1];
  throw new InvalidInputError('after', 'a cursor of this connection', cursor);
}

const VALUE_OF: Readonly<Record<PageOrder['field'], (page: Page) => string | number>> = {
  PATH: ({ path }) => path,
  TITLE: ({ title }) => title,
  RECORDED_AT: ({ recordedAt }) => recordedAt,
  CREATED_AT: ({ createdAt }) => createdAt,
  IMPORTANCE: ({ importance }) => importance,
};

/** A place in a list as opaque text. */
export function encodePlace(place: readonly (string | number | boolean | null)[]): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** Null unless the text is exactly what `encodePlace` makes of a value: Buffer alone skips what it cannot read. */
export function decodePlace(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return null;
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}
