import { type Caller, requireScope } from './caller.ts';
import type { Edge, EdgeKind } from './edge.ts';
import { InvalidInputError } from './errors.ts';
import { toIdempotency } from './idempotency.ts';
import type { Committed, EdgeAssertion, WaitingAssertion } from './memory-writer.ts';
import type { PageId } from './page.ts';
import { parseCount } from './parse-number.ts';
import { parseValidTime } from './parse-page-input.ts';
import { parseStoredText, type Redactor } from './redaction.ts';
import type { Stores } from './stores.ts';

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
 * is one; given another valid time it is corrected: the edge with that time takes its place.
 *
 * @throws {ForbiddenError} without the scope `memory:write`
 * @throws {InvalidInputError} naming the field; an edge from a page to itself is one, and two valid
 * times of one edge
 * @throws {LimitExceededError} for more than 1,000 edges
 * @throws {NotFoundError} for an end that the caller does not see
 * @throws {SupersessionCycleError} if a SUPERSEDES edge would close a circle
 */
export async function linkPages(
  { writer, redactor }: Pick<Stores, 'writer' | 'redactor'>,
  caller: Caller,
  request: {
    readonly edges: readonly EdgeInput[];
    readonly idempotencyKey?: string | null | undefined;
  },
): Promise<Committed<readonly { edge: Edge; created: boolean }[]>> {
  requireScope(caller, 'memory:write');
  parseCount('edges', request.edges.length, MAX_EDGES_PER_WRITE);
  const edges = request.edges.map((edge, index) => parseEdge(edge, `edges.${index}.`, redactor));
  refuseTwoTimes(edges);
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
  parseCount('edges', edges.length, MAX_EDGES_PER_WRITE);
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
  { writer, redactor }: Pick<Stores, 'writer' | 'redactor'>,
  caller: Caller,
  edges: readonly WaitingAssertion[],
): Promise<{ readonly linked: number; readonly existing: number; readonly waiting: number }> {
  requireScope(caller, 'memory:write');
  parseCount('edges', edges.length, MAX_EDGES_PER_WRITE);
  const parsed = edges.map((edge, index): WaitingAssertion => {
    const { from, to } = edge;
    if (from.project === to.project && from.path === to.path) {
      throw new InvalidInputError(`edges.${index}.to`, 'another page than from', to.path);
    }
    return { ...edge, note: parseNote(edge.note, `edges.${index}.`, redactor) };
  });
  return (await writer.linkWhenPresent(caller.view, parsed)).result;
}

function parseEdge(input: EdgeInput, field: string, redactor: Redactor): EdgeAssertion {
  if (input.fromId === input.toId) {
    throw new InvalidInputError(`${field}to`, 'another page than from', 'the same page');
  }
  const { validFrom, validTo } = parseValidTime(input, field);
  return {
    kind: input.kind,
    fromId: input.fromId,
    toId: input.toId,
    note: parseNote(input.note, field, redactor),
    validFrom,
    validTo,
  };
}

/** Which of two valid times of one edge is meant can't be known, and only one can hold. */
function refuseTwoTimes(edges: readonly EdgeAssertion[]): void {
  const times = new Map<string, string>();
  for (const [index, { kind, fromId, toId, validFrom, validTo }] of edges.entries()) {
    if (validFrom === null && validTo === null) continue;
    const key = `${kind} ${fromId} ${toId}`;
    const time = `${validFrom} ${validTo}`;
    const other = times.get(key);
    if (other !== undefined && other !== time) {
      const expected = 'one valid time for each edge in a call';
      throw new InvalidInputError(`edges.${index}.validFrom`, expected, 'another');
    }
    times.set(key, time);
  }
}

function parseNote(
  note: string | null | undefined,
  field: string,
  redactor: Redactor,
): string | null {
  if (note == null) return null;
  return parseStoredText(note, {
    field: `${field}note`,
    maxCharacters: MAX_NOTE_CHARACTERS,
    redactor,
  });
}
