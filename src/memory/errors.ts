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
  override readonly name = 'StoreUnavailableError';
  readonly code = 'STORE_UNAVAILABLE';
  override readonly retryable = true;
  readonly store: string;

  /** @param cause  what the driver threw: for the log, never for the caller */
  constructor(store: string, cause: unknown) {
    super(`Expected an answer from ${store}, but it is not available. Try again later.`, { cause });
    this.store = store;
  }
}

/** Outside text in quotes, ready for a message: `"notes//a"`. At most 80 characters, one line. */
export function quoteText(text: string): string {
  return `"${cut(toVisible(text), MAX_SHOWN - 2)}"`;
}

const MAX_SHOWN = 80;
const MAX_PAGES_SHOWN = 8;

function toShown(text: string): string {
  return text === '' ? 'an empty text' : cut(toVisible(text), MAX_SHOWN);
}

/** Controls could end a log line or turn the reading direction; half a pair is no text. */
function toVisible(text: string): string {
  return text
    .slice(0, 4 * MAX_SHOWN)
    .toWellFormed()
    .replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** Cut to whole characters, the mark of the cut included. */
function cut(text: string, maxCharacters: number): string {
  const characters = [...text];
  if (characters.length <= maxCharacters) return text;
  return `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

function toCircle(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PAGES_SHOWN).map(toShown);
  const hidden = paths.length - shown.length;
  const rest = hidden > 0 ? [`${hidden} more`] : [];
  return [...shown, ...rest, ...shown.slice(0, 1)].join(' -> ');
}
