import type { EdgeId } from './edge.ts';
import { FieldError, MemoryError } from './errors.ts';
import { quoteText, toShown } from './shown-text.ts';

const MAX_PAGES_SHOWN = 8;

/** The page has moved on since the caller read it. */
export class VersionConflictError extends MemoryError {
  override readonly name = 'VersionConflictError';
  readonly code = 'VERSION_CONFLICT';
  readonly path: string;
  /** 0 when the caller said that there is no such page. */
  readonly expectedVersion: number;
  /** 0 when there is no such page. */
  readonly currentVersion: number;

  constructor(path: string, expectedVersion: number, currentVersion: number) {
    super(
      `expectedVersion: expected ${expectedVersion} to be current for page ${toShown(path)}, but ${currentVersion} is.`,
    );
    this.path = path;
    this.expectedVersion = expectedVersion;
    this.currentVersion = currentVersion;
  }
}

/** The idempotency key was used before, for another request. */
export class IdempotencyConflictError extends MemoryError {
  override readonly name = 'IdempotencyConflictError';
  readonly code = 'IDEMPOTENCY_CONFLICT';

  constructor(key: string) {
    super(
      `idempotencyKey: expected the request that first used ${quoteText(key)}, but got another request.`,
    );
  }
}

/** The idempotency key was used before, and its answer went with a page that was purged. */
export class AnswerPurgedError extends MemoryError {
  override readonly name = 'AnswerPurgedError';
  readonly code = 'ANSWER_PURGED';

  constructor(key: string) {
    super(
      `idempotencyKey: expected a key whose answer is kept, but a page of that of ${quoteText(key)} was purged. Use another key to write it anew.`,
    );
  }
}

/** The edge is not asserted any more: it can't be changed, only asserted anew. */
export class EdgeRetractedError extends FieldError {
  override readonly name = 'EdgeRetractedError';
  readonly code = 'EDGE_RETRACTED';
  readonly field: string;
  /** The edge of the same kind and pages that is active now, as after a correction of its valid time; null for none. */
  readonly activeEdge: EdgeId | null;

  constructor(field: string, activeEdge: EdgeId | null) {
    const instead = activeEdge === null ? '' : ` The edge ${activeEdge} took its place.`;
    super(`${field}: expected an edge that is asserted, but this one was retracted.${instead}`);
    this.field = field;
    this.activeEdge = activeEdge;
  }

  override under(place: string): EdgeRetractedError {
    return new EdgeRetractedError(`${place}.${this.field}`, this.activeEdge);
  }
}

/** The edge would close a circle of pages that replace each other. */
export class SupersessionCycleError extends MemoryError {
  override readonly name = 'SupersessionCycleError';
  readonly code = 'SUPERSESSION_CYCLE';
  /** Paths of the pages in the circle, each replacing the next and the last the first. */
  readonly cycle: readonly string[];

  /** @param cycle  only paths that the caller can see */
  constructor(cycle: readonly string[]) {
    super(
      `SUPERSEDES: expected no page to replace itself through others, but got ${toCircle(cycle)}.`,
    );
    this.cycle = cycle;
  }
}

/** A session is over: it takes no more observations and pages. */
export class SessionEndedError extends FieldError {
  override readonly name = 'SessionEndedError';
  readonly code = 'SESSION_ENDED';
  readonly field: string;

  constructor(field = 'session') {
    super(`${field}: expected a session that goes on, but it has ended.`);
    this.field = field;
  }

  override under(place: string): SessionEndedError {
    return new SessionEndedError(`${place}.${this.field}`);
  }
}

/** Something happened in a session each time that its page was about to be written. */
export class SessionBusyError extends MemoryError {
  override readonly name = 'SessionBusyError';
  readonly code = 'SESSION_BUSY';
  override readonly retryable = true;

  constructor() {
    super('Expected a session that rests for a moment, but more was recorded in it each time.');
  }
}

function toCircle(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PAGES_SHOWN).map(toShown);
  const hidden = paths.length - shown.length;
  const rest = hidden > 0 ? [`${hidden} more`] : [];
  return [...shown, ...rest, ...shown.slice(0, 1)].join(' -> ');
}
