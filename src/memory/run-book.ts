import { NotFoundError } from './errors.ts';
import { createPreparedQueries, type PreparedQueries } from './prepared-queries.ts';
import type { Principal } from './principal.ts';
import {
  MAX_OPEN_RUNS,
  type Run,
  type RunId,
  RunLimitError,
  SearchBudgetSpentError,
} from './run.ts';

/** The open runs of this process. Nothing here waits, so no two searches spend the same one. */
export type RunBook = {
  /** @throws {RunLimitError} if the principal has MAX_OPEN_RUNS open */
  open(run: Run, now: number): void;
  /** A run that the principal opened and that goes on; null for any other. */
  find(principal: Principal, id: RunId, now: number): Run | null;
  /**
   * Takes one search from the budget.
   *
   * @throws {NotFoundError} naming `run`, as `find`
   * @throws {SearchBudgetSpentError} naming `run`
   */
  spend(principal: Principal, id: RunId, now: number): Run;
  /** Ends a run and all that was prepared in it. @throws {NotFoundError} naming `run`, as `find` */
  close(principal: Principal, id: RunId, now: number): Run;
  readonly prepared: PreparedQueries;
};

export function createRunBook(): RunBook {
  const runs = new Map<RunId, Run>();
  const prepared = createPreparedQueries();

  const end = (id: RunId) => {
    runs.delete(id);
    prepared.deleteRun(id);
  };
  const find: RunBook['find'] = (principal, id, now) => {
    const run = runs.get(id);
    if (run === undefined || !isOf(principal, run)) return null;
    if (now < run.leaseEndsAt) return run;
    end(id);
    return null;
  };
  const require = (...asked: Parameters<RunBook['find']>) => {
    const run = find(...asked);
    if (run === null) throw new NotFoundError('run', 'a run that is open');
    return run;
  };

  return {
    prepared,
    find,
    open(run, now) {
      for (const { id, leaseEndsAt } of runs.values()) {
        if (leaseEndsAt <= now) end(id);
      }
      const own = [...runs.values()].filter((each) => isOf(run.principal, each));
      if (own.length >= MAX_OPEN_RUNS) throw new RunLimitError();
      runs.set(run.id, run);
    },
    spend(...asked) {
      const run = require(...asked);
      if (run.searchesLeft === 0) throw new SearchBudgetSpentError('run', run.searchBudget);
      const spent = { ...run, searchesLeft: run.searchesLeft - 1 };
      runs.set(run.id, spent);
      return spent;
    },
    close(...asked) {
      const run = require(...asked);
      end(run.id);
      return run;
    },
  };
}

function isOf({ tenant, name }: Principal, { principal }: Run): boolean {
  return principal.tenant === tenant && principal.name === name;
}
