import { type Caller, requireScope } from './caller.ts';
import { type CompleteQuery, completeQuery, digestQuery } from './complete-query.ts';
import { InvalidInputError, NotFoundError, StoreUnavailableError, within } from './errors.ts';
import { embedQuery } from './find-meaning.ts';
import { parseRecallInput, type RecallInput } from './recall-query.ts';
import type { Run, RunId } from './run.ts';
import { findChange, readRunContext } from './run-context.ts';
import type { Stores } from './stores.ts';

export type Prepared = {
  /** Names the complete query. */
  readonly digest: string;
  /** Milliseconds UTC; a change of what it rests on ends it sooner. */
  readonly expiresAt: number;
  readonly run: Run;
};

/**
 * Embeds the text of a query once, for searches of the run to come. It is no search itself.
 *
 * Costs one statement and one embedding; no embedding where the query is prepared already.
 *
 * @throws {ForbiddenError} without the scope `memory:read`
 * @throws {InvalidInputError} naming a field of `query`: for one that `recall` would refuse, one with
 * people, or one of the past
 * @throws {NotFoundError} naming `run`, if the caller has no such run open or may not read its project
 * @throws {StoreUnavailableError} if the encoder does not answer in time
 */
export async function prepareRecall(
  stores: Pick<Stores, 'recall' | 'embedder' | 'clock' | 'runs'>,
  caller: Caller,
  { runId, query: input }: { readonly runId: RunId; readonly query: RecallInput },
): Promise<Prepared> {
  requireScope(caller, 'memory:read');
  const { runs } = stores;
  const query = await within('query', async () =>
    refuseUseless(completeQuery(caller, parseRecallInput(input))),
  );
  const run = requireRun(stores, caller, runId);

  const key = { run, digest: digestQuery(query) };
  const context = await readRunContext(stores, caller, run, query.filter);
  if (!context.admitted) throw notOpen();
  const { digest } = key;
  const expiresAt = run.leaseEndsAt;
  const kept = runs.prepared.find(key);
  if (kept !== null && findChange(kept.context, context) === null)
    return { digest, expiresAt, run };

  const meaning = await embedQuery(stores, query, (_arm, error) => {
    throw new StoreUnavailableError('the encoder', error);
  });
  const prepared =
    meaning.source === 'NONE' ? meaning : { ...meaning, source: 'PREPARED' as const };
  // It may have ended meanwhile.
  const open = requireRun(stores, caller, runId);
  runs.prepared.set(key, { query, meaning: prepared, context, expiresAt });
  return { digest, expiresAt, run: open };
}

function requireRun(
  { runs, clock }: Pick<Stores, 'runs' | 'clock'>,
  { principal }: Caller,
  runId: RunId,
): Run {
  const run = runs.find(principal, runId, clock());
  if (run === null) throw notOpen();
  return run;
}

function notOpen(): NotFoundError {
  return new NotFoundError('run', 'a run that is open');
}

function refuseUseless(query: CompleteQuery): CompleteQuery {
  const { filter, asOf } = query;
  if (filter.people !== undefined) {
    const expected =
      'a query without people: one that is prepared lends its vector to those with them';
    throw new InvalidInputError('people', expected, `${filter.people.length} people`);
  }
  if (asOf !== null) {
    throw new InvalidInputError(
      'asOf',
      'a query of the present: the past has no vectors',
      'an instant',
    );
  }
  return query;
}
