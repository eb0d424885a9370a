import { z } from 'zod';
import { decodePlace, encodePlace } from './cursor.ts';
import { InvalidInputError } from './errors.ts';
import type { ProjectId } from './page.ts';
import type { Observation, Session, SessionId } from './session.ts';
import type { ObservationPosition, SessionPosition } from './session-store.ts';

const SessionCursorSchema = z.tuple([z.literal('s1'), z.uuid(), z.int(), z.uuid()]);

/** The place of a session in the list of its project, as opaque text. */
export function toSessionCursor({ projectId, startedAt, id }: Session): string {
  return encodePlace(['s1', projectId, startedAt, id]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of the sessions of this project */
export function parseSessionCursor(cursor: string, projectId: ProjectId): SessionPosition {
  const parsed = SessionCursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success || parsed.data[1] !== projectId) {
    throw new InvalidInputError('after', 'a cursor of the sessions of the same project', cursor);
  }
  const [, , startedAt, id] = parsed.data;
  return { startedAt, id };
}

const PlaceSchema = z
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const ObservationCursorSchema = z.tuple([z.literal('o1'), z.uuid(), PlaceSchema, PlaceSchema]);

/** The place of an observation among those of its session, as opaque text. */
export function toObservationCursor({ sessionId, importance, position }: Observation): string {
  return encodePlace(['o1', sessionId, importance, position]);
}

/** @throws {InvalidInputError} on field `after` when the text is no cursor of the observations of this session */
export function parseObservationCursor(cursor: string, sessionId: SessionId): ObservationPosition {
  const parsed = ObservationCursorSchema.safeParse(decodePlace(cursor));
  if (!parsed.success || parsed.data[1] !== sessionId) {
    throw new InvalidInputError(
      'after',
      'a cursor of the observations of the same session',
      cursor,
    );
  }
  const [, , importance, position] = parsed.data;
  return { importance, position };
}
