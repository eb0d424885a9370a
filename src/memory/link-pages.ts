import { type Caller, requireScope } from './caller.ts';
import type { Edge, EdgeKind } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import type { Committed, EdgeAssertion, WaitingAssertion } from './memory-writer.ts';
import type { PageId } from './page.ts';
import { parseValidTime } from './parse-page-input.ts';
import { parseStoredText } from './redaction.ts';
import type { Stores } from './stores.ts';
import { toIdempotency } from './write-pages.ts';

/** Most edges of one call. */
export const MAX_EDGES_PER_WRITE = 1_000;
/** Longest note of an edge, characters. */
export const MAX_NOTE_CHARACTERS = 2_000;

export type EdgeInput = {
  readonly kind: EdgeKind;
  readonly fromId: PageId;
  readonly toId: PageId;
  readonly note?: string | null | undefined;
  /** RFC 3339 with an offset. */
  readonly validFrom?: string | null | undefined;
  readonly validTo?: string | null | undefined;
};

/**
 * Asserts edges in one transaction. One that is active already stays, and gets the note when there
 * is one.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; an edge from a page to itself is one
 * @throws {NotFoundError} for an end that the caller does not see
 * @throws {SupersessionCycleError} if a SUPERSEDES edge would close a circle
 */
export async function linkPages(
  { writer }: Pick<Stores, 'writer'>,
  caller: Caller,
  request: {
    readonly edges: readonly EdgeInput[];
    readonly idempotencyKey?: string | null | undefined;
  },
): Promise<Committed<readonly { edge: Edge; created: boolean }[]>> {
  requireScope(caller, 'memory:write');
  checkCount(request.edges.length);
  const edges = request.edges.map((edge, index) => parseEdge(edge, `edges.${index}.`));
  const idempotency = toIdempotency(caller, 'linkPages', request.idempotencyKey, edges);
  return writer.linkPages(caller.view, edges, idempotency);
}

/**
 * Takes back the assertion of edges. An edge that a body still says stays active; the others are
 * retracted, which ends them without erasing them.
 *
 * @returns for each, in order: the edge as it is now; null where nobody had asserted it
 */
export async function unlinkPages(
  { writer }: Pick<Stores, 'writer'>,
  caller: Caller,
  edges: readonly Pick<EdgeInput, 'kind' | 'fromId' | 'toId'>[],
): Promise<Committed<readonly (Edge | null)[]>> {
  requireScope(caller, 'memory:write');
  checkCount(edges.length);
  return writer.unlinkPages(caller.view, edges);
}

/**
 * Asserts edges by natural key: those with an end that is not there yet wait for it.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} for an edge from a page to itself, or too long a note
 * @throws {SupersessionCycleError} if a SUPERSEDES edge would close a circle
 */
export async function linkWhenPresent(
  { writer }: Pick<Stores, 'writer'>,
  caller: Caller,
  edges: readonly WaitingAssertion[],
): Promise<{ readonly linked: number; readonly existing: number; readonly waiting: number }> {
  requireScope(caller, 'memory:write');
  checkCount(edges.length);
  const parsed = edges.map((edge, index): WaitingAssertion => {
    const { from, to } = edge;
    if (from.project === to.project && from.path === to.path) {
      throw new InvalidInputError(`edges.${index}.to`, 'another page than from', to.path);
    }
    return { ...edge, note: parseNote(edge.note, `edges.${index}.`) };
  });
  return (await writer.linkWhenPresent(caller.view, parsed)).result;
}

function parseEdge(input: EdgeInput, field: string): EdgeAssertion {
  if (input.fromId === input.toId) {
    throw new InvalidInputError(`${field}to`, 'another page than from', 'the same page');
  }
  const { validFrom, validTo } = parseValidTime(input, field);
  return {
    kind: input.kind,
    fromId: input.fromId,
    toId: input.toId,
    note: parseNote(input.note, field),
    validFrom,
    validTo,
  };
}

function parseNote(note: string | null | undefined, field: string): string | null {
  if (note == null) return null;
  return parseStoredText(note, { field: `${field}note`, maxCharacters: MAX_NOTE_CHARACTERS });
}

function checkCount(count: number): void {
  if (count < 1 || count > MAX_EDGES_PER_WRITE) {
    throw new InvalidInputError('edges', `1 to ${MAX_EDGES_PER_WRITE} edges`, String(count));
  }
}
