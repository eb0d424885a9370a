import { type Caller, requireScope } from './caller.ts';
import type { EdgeId, Resolution } from './edge.ts';
import { toIdempotency } from './idempotency.ts';
import { MAX_NOTE_CHARACTERS } from './link-pages.ts';
import type { Committed, ResolvedEdge } from './memory-writer.ts';
import { parseStoredText } from './redaction.ts';
import type { Stores } from './stores.ts';

export type ResolveRequest = {
  readonly edgeId: EdgeId;
  /** `UNRESOLVED` reopens it. */
  readonly outcome: Resolution;
  readonly note?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
};

/**
 * Settles a contradiction, or reopens it: the outcome, who said so, when, and why. The state before
 * stays readable in the past. An outcome that the edge has already changes nothing, unless it comes
 * with another note: whoever settled it first stays named.
 *
 * Any caller may who may write to the projects of both pages and see both: the scope is for writing,
 * and an edge with an end that is hidden is not there.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} for too long a note, and for an edge of another kind
 * @throws {NotFoundError} if the caller sees no such edge
 * @throws {EdgeRetractedError} if nothing asserts it any more, naming the edge that took its place
 * @throws {IdempotencyConflictError} if the key was used for another request
 * @throws {AnswerPurgedError} if the key was used, and a page of its answer was purged since
 */
export async function resolveContradiction(
  { writer, redactor }: Pick<Stores, 'writer' | 'redactor'>,
  caller: Caller,
  { edgeId, outcome, note, idempotencyKey }: ResolveRequest,
): Promise<Committed<ResolvedEdge>> {
  requireScope(caller, 'memory:write');
  const state = {
    edgeId,
    outcome,
    note:
      note == null
        ? null
        : parseStoredText(note, { field: 'note', maxCharacters: MAX_NOTE_CHARACTERS, redactor }),
  };
  const idempotency = toIdempotency(caller, 'resolveContradiction', idempotencyKey, state);
  const change = { ...state, by: caller.principal.name };
  return writer.resolveContradiction(caller.view, change, idempotency);
}
