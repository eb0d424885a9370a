import { toShown } from './shown-text.ts';

/**
 * A failure that the caller can act on. Its message and code are part of the API.
 *
 * Any other Error that reaches the edge of the process is a bug: it is logged whole and the
 * caller sees "Unexpected error.".
 */
export abstract class MemoryError extends Error {
  /** Stable, upper snake case; sent as `extensions.code`. */
  abstract readonly code: string;

  /** True when the same request may succeed later, unchanged. */
  readonly retryable: boolean = false;
}

/** A failure of one value. Its message begins with where the value is. */
export abstract class FieldError extends MemoryError {
  abstract readonly field: string;

  /** The same failure, told by one who knows that the value stood under `place`: `input`. */
  abstract under(place: string): FieldError;
}

/** Runs work over what stands in one place of what a caller sent, and lets its refusals say so. */
export async function within<Result>(place: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FieldError ? error.under(place) : error;
  }
}

/** A value breaks a rule. Message: `<field>: expected <expected>, but got <received>.` */
export class InvalidInputError extends FieldError {
  override readonly name = 'InvalidInputError';
  readonly code = 'INVALID_INPUT';
  readonly field: string;
  readonly expected: string;
  /** What came, as one visible line of at most 80 characters. */
  readonly received: string;

  /**
   * @param field     where, as a dotted path: `pages.3.title`
   * @param expected  what would have been right, as a noun phrase
   * @param received  what came; cut and cleaned here, so outside text may be given as it is.
   *                  Name its length or place instead where it may hold a secret
   */
  constructor(field: string, expected: string, received: string) {
    const shown = toShown(received);
    super(`${field}: expected ${expected}, but got ${shown}.`);
    this.field = field;
    this.expected = expected;
    this.received = shown;
  }

  override under(place: string): InvalidInputError {
    return new InvalidInputError(`${place}.${this.field}`, this.expected, this.received);
  }
}

/** Something that was asked for is not there, or not for this caller: the answer is the same. */
export class NotFoundError extends FieldError {
  override readonly name = 'NotFoundError';
  readonly code = 'NOT_FOUND';
  readonly field: string;
  /** What was looked for, as a noun phrase. */
  readonly asked: string;

  constructor(field: string, asked: string) {
    const shown = toShown(asked);
    super(`${field}: expected ${shown}, but found none.`);
    this.field = field;
    this.asked = shown;
  }

  override under(place: string): NotFoundError {
    return new NotFoundError(`${place}.${this.field}`, this.asked);
  }
}

/** The name is taken. */
export class AlreadyExistsError extends FieldError {
  override readonly name = 'AlreadyExistsError';
  readonly code = 'ALREADY_EXISTS';
  readonly field: string;
  /** What is there already, as a noun phrase: `the project "notes"`. */
  readonly taken: string;

  constructor(field: string, taken: string) {
    const shown = toShown(taken);
    super(`${field}: expected a name that is free, but ${shown} exists.`);
    this.field = field;
    this.taken = shown;
  }

  override under(place: string): AlreadyExistsError {
    return new AlreadyExistsError(`${place}.${this.field}`, this.taken);
  }
}

/** A number is above a cap. Nothing is clamped in silence. */
export class LimitExceededError extends FieldError {
  override readonly name: string = 'LimitExceededError';
  readonly code: string = 'LIMIT_EXCEEDED';
  readonly field: string;
  readonly limit: number;
  readonly received: number;

  constructor(field: string, limit: number, received: number) {
    super(`${field}: expected at most ${limit}, but got ${received}.`);
    this.field = field;
    this.limit = limit;
    this.received = received;
  }

  override under(place: string): LimitExceededError {
    return new LimitExceededError(`${place}.${this.field}`, this.limit, this.received);
  }
}

/** A walk is asked to go further than the cap. */
export class DepthLimitExceededError extends LimitExceededError {
  override readonly name = 'DepthLimitExceededError';
  override readonly code = 'DEPTH_LIMIT_EXCEEDED';

  override under(place: string): DepthLimitExceededError {
    return new DepthLimitExceededError(`${place}.${this.field}`, this.limit, this.received);
  }
}

/** The caller is known, and lacks a scope or a clearance. */
export class ForbiddenError extends MemoryError {
  override readonly name = 'ForbiddenError';
  readonly code = 'FORBIDDEN';
  /** What would be needed: `the scope memory:write`. */
  readonly needed: string;

  constructor(needed: string) {
    super(`Expected a caller with ${needed}.`);
    this.needed = needed;
  }
}

/** Nobody that is known here. Of credentials that came nothing is told but that they are no good. */
export class UnauthenticatedError extends MemoryError {
  override readonly name = 'UnauthenticatedError';
  readonly code = 'UNAUTHENTICATED';
  readonly received: 'none' | 'another';

  constructor(received: 'none' | 'another') {
    super(`Authorization: expected a bearer token that is valid here, but got ${received}.`);
    this.received = received;
  }
}

/** Writes that carry hints are refused, not stripped, while the server takes none. */
export class HintsDisabledError extends FieldError {
  override readonly name = 'HintsDisabledError';
  readonly code = 'HINTS_DISABLED';
  readonly field: string;

  constructor(field: string) {
    super(`${field}: expected no hints, since CAUSEWAY_HINTS_ENABLED is off.`);
    this.field = field;
  }

  override under(place: string): HintsDisabledError {
    return new HintsDisabledError(`${place}.${this.field}`);
  }
}

/** The vectors of the store were made by another embedder. */
export class EmbedderMismatchError extends MemoryError {
  override readonly name = 'EmbedderMismatchError';
  readonly code = 'EMBEDDER_MISMATCH';

  /** @param stored  the embedder of the store's vectors  @param given  that of this process */
  constructor(stored: string, given: string) {
    super(
      `Expected the embedder of the store's vectors, ${stored}, but got ${given}. Run \`causeway reindex\` to make all vectors anew.`,
    );
  }
}

/** The graph is not what the record says. */
export class GraphMismatchError extends MemoryError {
  override readonly name = 'GraphMismatchError';
  readonly code = 'GRAPH_MISMATCH';

  /** @param differences  what differs, each as a clause: `PAGE: expected 10, but got 9` */
  constructor(differences: readonly string[]) {
    super(
      `Expected the graph to be equal to the ledger, but it differs. ${differences.join('; ')}.`,
    );
  }
}

/** Another rebuild of the same graph was begun, and this one gives way. */
export class RebuildOvertakenError extends MemoryError {
  override readonly name = 'RebuildOvertakenError';
  readonly code = 'REBUILD_OVERTAKEN';

  constructor() {
    super('Expected to be the only rebuild of this graph, but another one was begun since.');
  }
}

/** A store does not answer. The one failure here that goes away by itself. */
export class StoreUnavailableError extends MemoryError {
  override readonly name: string = 'StoreUnavailableError';
  readonly code = 'STORE_UNAVAILABLE';
  override readonly retryable = true;
  readonly store: string;

  /** @param cause  what the driver threw: for the log, never for the caller */
  constructor(store: string, cause: unknown) {
    super(`Expected an answer from ${store}, but it is not available. Try again later.`, { cause });
    this.store = store;
  }
}

/**
 * A store has given up one piece of work, out of time or out of memory, and may do another: for who
 * asks it is away, for who has much to do less at once may go through.
 */
export class StoreOverloadedError extends StoreUnavailableError {
  override readonly name = 'StoreOverloadedError';
}
