import { MemoryError } from './errors.ts';
import { toShown } from './shown-text.ts';

/** Longest answer that is read of a model, bytes of UTF-8: far more than was asked for. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

export type ModelRequest = {
  /** What the model is to do, apart from the material that it does it with. */
  readonly system: string;
  readonly prompt: string;
  /** JSON schema of the answer. A model may not know how to keep to it: who asks parses all the same. */
  readonly schema?: object;
};

/**
 * A language model, wherever it is: behind an HTTP endpoint, or with a client that lends its own.
 * Never called inside a transaction.
 */
export type LanguageModel = {
  /**
   * The text that the model answers with.
   *
   * @throws {ModelUnavailableError} if it does not answer in time
   * @throws {ModelRefusedError} if it does not take the request
   * @throws {ModelAnswerInvalidError} if the answer is no text, was cut short or is above 1 MiB
   */
  complete(request: ModelRequest): Promise<string>;
};

/** An operation needs a model, and there is none. */
export class ModelNotConfiguredError extends MemoryError {
  override readonly name = 'ModelNotConfiguredError';
  readonly code = 'MODEL_NOT_CONFIGURED';

  constructor() {
    super(
      'Expected a language model to ask, but this server has none. Set CAUSEWAY_MODEL_URL and CAUSEWAY_MODEL, or let an agent do it with the MCP prompt reflect. Nothing else needs a model.',
    );
  }
}

/** The model does not answer now, and may later. */
export class ModelUnavailableError extends MemoryError {
  override readonly name = 'ModelUnavailableError';
  readonly code = 'MODEL_UNAVAILABLE';
  override readonly retryable = true;

  /**
   * @param came   what came instead of an answer, as a noun phrase: `status 503`
   * @param cause  what was thrown: for the log, never for the caller
   */
  constructor(came: string, cause?: unknown) {
    super(`Expected an answer from the model, but got ${came}. Try again later.`, { cause });
  }
}

/** The model's endpoint does not take the request, and won't until its settings are mended. */
export class ModelRefusedError extends MemoryError {
  override readonly name = 'ModelRefusedError';
  readonly code = 'MODEL_REFUSED';

  /** @param came  what came  @param mend  what to look at, as a sentence */
  constructor(came: string, mend: string) {
    super(`Expected an answer from the model, but got ${came}. ${mend}`);
  }
}

/** What the model answered is not what was asked for. It may be, next time. */
export class ModelAnswerInvalidError extends MemoryError {
  override readonly name = 'ModelAnswerInvalidError';
  readonly code = 'MODEL_ANSWER_INVALID';
  override readonly retryable = true;

  /** @param came  never the answer itself, which nobody has redacted */
  constructor(expected: string, came: string) {
    super(`Expected ${expected} from the model, but got ${toShown(came)}.`);
  }
}
