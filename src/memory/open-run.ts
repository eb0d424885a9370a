import { randomUUID } from 'node:crypto';
import { type Caller, requireScope } from './caller.ts';
import type { ProjectId } from './page.ts';
import { parseCount } from './parse-number.ts';
import { MAX_TITLE_CHARACTERS } from './parse-page-input.ts';
import { parseStoredText } from './redaction.ts';
import type { Run, RunId } from './run.ts';
import { modelOf } from './run-context.ts';
import type { Stores } from './stores.ts';

/** A day: longer than any task of an agent, and no run stays in memory for ever. */
export const MAX_LEASE_SECONDS = 86_400;
/** Far more than a task asks, and still a bound. */
export const MAX_SEARCH_BUDGET = 10_000;

export type RunInput = {
  readonly projectId: ProjectId;
  readonly task: string;
  readonly leaseSeconds: number;
  readonly searchBudget: number;
};

/**
 * Opens a run for a task. Costs one statement.
 *
 * @throws {ForbiddenError} without the scope `memory:read`
 * @throws {InvalidInputError} naming the field
 * @throws {LimitExceededError} for a lease above a day or a budget above 10,000
 * @throws {RunLimitError} if the caller has 1,000 runs open
 */
export async function openRun(
  { recall, embedder, redactor, clock, runs }: RunStores,
  caller: Caller,
  input: RunInput,
): Promise<Run> {
  requireScope(caller, 'memory:read');
  const { projectId } = input;
  const leaseSeconds = parseCount('leaseSeconds', input.leaseSeconds, MAX_LEASE_SECONDS);
  const searchBudget = parseCount('searchBudget', input.searchBudget, MAX_SEARCH_BUDGET);
  const task = parseStoredText(input.task, {
    field: 'task',
    allowBlank: false,
    maxCharacters: MAX_TITLE_CHARACTERS,
    redactor,
  });
  const checkpoint = await recall.findCheckpoint(caller.view, { projectIds: [projectId] });
  const now = clock();
  const run: Run = {
    id: randomUUID(),
    principal: caller.principal,
    projectId,
    task,
    checkpoint,
    model: modelOf(embedder),
    leaseEndsAt: now + leaseSeconds * 1_000,
    searchBudget,
    searchesLeft: searchBudget,
  };
  runs.open(run, now);
  return run;
}

type RunStores = Pick<Stores, 'recall' | 'embedder' | 'redactor' | 'clock' | 'runs'>;

/**
 * Ends a run and all that was prepared in it.
 *
 * @throws {NotFoundError} naming `run`, if the caller has no such run open
 */
export function closeRun(
  { runs, clock }: Pick<Stores, 'runs' | 'clock'>,
  { principal }: Pick<Caller, 'principal'>,
  runId: RunId,
): Run {
  return runs.close(principal, runId, clock());
}
