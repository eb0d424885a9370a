import { type Caller, requireScope } from './caller.ts';
import { InvalidInputError, LimitExceededError } from './errors.ts';
import { toIdempotency } from './idempotency.ts';
import type { PageId } from './page.ts';
import { parsePagePath } from './page-path.ts';
import { parseWhole } from './parse-number.ts';
import { DEFAULT_IMPORTANCE } from './parse-page-input.ts';
import { parseStoredText } from './redaction.ts';
import type { ObservationKey, SessionId } from './session.ts';
import type { ObservedPage } from './session-store.ts';
import type { Stores } from './stores.ts';

/** Longest observation, characters: a paragraph or two; what needs more is a page. */
export const MAX_OBSERVATION_CHARACTERS = 4_000;
/** Most pages that one observation is about. */
export const MAX_OBSERVED_PAGES = 50;

export type ObservationInput = {
  readonly sessionId: SessionId;
  readonly text: string;
  /** 1 to 10. */
  readonly importance?: number | null | undefined;
  /** Pages of the session's project, each by its id or its path. */
  readonly about?:
    | readonly { readonly id?: PageId | null; readonly path?: string | null }[]
    | null
    | undefined;
  readonly idempotencyKey?: string | null | undefined;
};

/**
 * Notes what an agent observed, as evidence for the pages that it is about.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; nothing is stored
 * @throws {LimitExceededError} for more than 50 pages
 * @throws what `SessionStore.observe` throws
 */
export async function recordObservation(
  { sessions, redactor }: Pick<Stores, 'sessions' | 'redactor'>,
  caller: Caller,
  input: ObservationInput,
): Promise<ObservationKey> {
  requireScope(caller, 'memory:write');
  const about = input.about ?? [];
  if (about.length > MAX_OBSERVED_PAGES) {
    throw new LimitExceededError('about', MAX_OBSERVED_PAGES, about.length);
  }
  const observation = {
    sessionId: input.sessionId,
    text: parseStoredText(input.text, {
      field: 'text',
      allowBlank: false,
      maxCharacters: MAX_OBSERVATION_CHARACTERS,
      redactor,
    }),
    importance: parseWhole(input.importance ?? DEFAULT_IMPORTANCE, [1, 10], 'importance'),
    about: about.map(({ id, path }, index): ObservedPage => {
      if (id != null && path == null) return { id, path: null };
      if (id == null && path != null) {
        return { id: null, path: parsePagePath(path, `about.${index}.path`) };
      }
      throw new InvalidInputError(
        `about.${index}`,
        'either id or path',
        id == null ? 'none' : 'both',
      );
    }),
  };
  const idempotency = toIdempotency(caller, 'recordObservation', input.idempotencyKey, observation);
  return sessions.observe(caller.view, observation, idempotency);
}
