import type { Canonical } from './canonical-json.ts';
import { FieldError, MemoryError } from './errors.ts';
import type { ProjectId } from './page.ts';
import type { Principal } from './principal.ts';

export type RunId = string;

/**
 * A stretch of searches for one task of one caller. It lives in the memory of the process that opened
 * it, and ends with it. Times are milliseconds UTC.
 */
export type Run = {
  readonly id: RunId;
  /** Who opened it, with the grants of that moment; nobody else can use it. */
  readonly principal: Principal;
  readonly projectId: ProjectId;
  readonly task: string;
  /** The newest recorded time in the project, as far as the caller saw it; null for none. */
  readonly checkpoint: number | null;
  /** Name and version of the encoder. */
  readonly model: string;
  readonly leaseEndsAt: number;
  readonly searchBudget: number;
  readonly searchesLeft: number;
};

/** What a prepared query rests on. A change in any of it revokes the vector. */
export type RunContext = {
  /** Whether the caller may read the project of the run. */
  readonly admitted: boolean;
  readonly grants: Canonical;
  /** Ids of the projects that the query searches. */
  readonly projects: readonly string[];
  readonly model: string;
  /** The newest recorded time in these projects, as far as the caller sees it. */
  readonly checkpoint: number | null;
};

/** All searches of a run are made. */
export class SearchBudgetSpentError extends FieldError {
  override readonly name = 'SearchBudgetSpentError';
  readonly code = 'SEARCH_BUDGET_SPENT';
  readonly field: string;
  readonly limit: number;

  constructor(field: string, limit: number) {
    super(`${field}: expected at most ${limit} searches of this run, but all of them are made.`);
    this.field = field;
    this.limit = limit;
  }

  override under(place: string): SearchBudgetSpentError {
    return new SearchBudgetSpentError(`${place}.${this.field}`, this.limit);
  }
}

/** Open runs of one principal: each is about a kilobyte until its lease ends. */
export const MAX_OPEN_RUNS = 1_000;

/** The caller has as many runs open as one may. */
export class RunLimitError extends MemoryError {
  override readonly name = 'RunLimitError';
  readonly code = 'RUN_LIMIT_REACHED';
  override readonly retryable = true;
  readonly limit = MAX_OPEN_RUNS;

  constructor() {
    super(
      `Expected at most ${MAX_OPEN_RUNS} open runs of one caller, but as many are open. Close some, or wait for a lease to end.`,
    );
  }
}
