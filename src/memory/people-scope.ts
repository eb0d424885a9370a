import { MemoryError, StoreUnavailableError } from './errors.ts';
import type { PageFilter } from './page-store.ts';

/** Who belongs to which page can't be told now, and without it nothing may be answered. */
export class PeopleUnavailableError extends MemoryError {
  override readonly name = 'PeopleUnavailableError';
  readonly code = 'PEOPLE_UNAVAILABLE';
  override readonly retryable = true;

  /** @param cause  what the store threw: for the log, never for the caller */
  constructor(cause: unknown) {
    super(
      'Expected an answer from the people of pages, but it is not available. Try again later, or ask without people.',
      { cause },
    );
  }
}

/** Does what a filter by people restricts, and says so where it can't be done for want of a store. */
export async function closedToOthers<Result>(
  { people }: PageFilter,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (people === undefined || !(error instanceof StoreUnavailableError)) throw error;
    throw new PeopleUnavailableError(error);
  }
}
