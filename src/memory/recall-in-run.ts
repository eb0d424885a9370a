import type { Caller } from './caller.ts';
import { type CompleteQuery, completeQuery, digestQuery } from './complete-query.ts';
import { narrowing } from './narrowing.ts';
import type { PreparedQuery } from './prepared-queries.ts';
import { type QueryMeaning, withoutVector } from './query-meaning.ts';
import { type Recall, type RecallStores, recall } from './recall.ts';
import { parseRecallInput, type RecallInput } from './recall-query.ts';
import type { Run, RunId } from './run.ts';
import { findChange, readRunContext } from './run-context.ts';
import type { Stores } from './stores.ts';

export type RecallInRun = Recall & {
  /** Names the complete query. */
  readonly digest: string;
  /** When the prepared vector that served it ends, milliseconds UTC; null where none did. */
  readonly expiresAt: number | null;
  /** Null where it is over. */
  readonly run: Run | null;
};

/**
 * Recalls as a search of a run, which counts against its budget whatever it finds.
 *
 * Where it names a prepared query nothing is embedded, come what may: the vector is that of this very
 * query, or of the named one where this one only narrows it to people, or there is none, and the
 * answer says why. Costs one statement more than `recall` then, and no embedding.
 *
 * @param prepared  a digest that `prepareRecall` gave; null to embed as ever
 * @throws what `recall` throws
 * @throws {SearchBudgetSpentError} naming `run`
 * @throws {NotFoundError} naming `run`, if nothing is prepared and the caller has no such run open
 */
export async function recallInRun(
  stores: RecallStores & Pick<Stores, 'runs' | 'clock'>,
  caller: Caller,
  input: RecallInput,
  { runId, prepared }: { readonly runId: RunId; readonly prepared: string | null },
): Promise<RecallInRun> {
  const { runs, clock } = stores;
  const query = completeQuery(caller, parseRecallInput(input));
  const digest = digestQuery(query);
  const isOver = prepared !== null && runs.find(caller.principal, runId, clock()) === null;
  const run = isOver ? null : runs.spend(caller.principal, runId, clock());
  const lent =
    prepared === null || run === null
      ? { meaning: prepared === null ? null : withoutVector('RUN_ENDED'), expiresAt: null }
      : await lend(stores, caller, { run, query, digest, prepared });
  const found = await recall(stores, caller.view, input, lent.meaning);
  return { ...found, digest, expiresAt: lent.expiresAt, run };
}

type Lent = { readonly meaning: QueryMeaning; readonly expiresAt: number | null };

type Asked = {
  readonly run: Run;
  readonly query: CompleteQuery;
  readonly digest: string;
  readonly prepared: string;
};

async function lend(
  stores: Pick<Stores, 'recall' | 'embedder' | 'runs'>,
  caller: Caller,
  { run, query, digest, prepared }: Asked,
): Promise<Lent> {
  const { prepared: kept } = stores.runs;
  const own = kept.find({ run, digest });
  const parent = own ?? kept.find({ run, digest: prepared });
  if (parent === null) return refuse(withoutVector('NOT_PREPARED'));

  const context = await readRunContext(stores, caller, run, parent.query.filter);
  const change = findChange(parent.context, context);
  if (change !== null) {
    kept.delete({ run, digest: own === null ? prepared : digest });
    return refuse(withoutVector(change));
  }
  return own === null ? narrow(parent, query) : take(own, own.meaning);
}

function narrow(parent: PreparedQuery, query: CompleteQuery): Lent {
  const answer = narrowing(parent.query, query);
  if (answer !== 'NARROWED') return refuse(withoutVector(answer.code, answer.field));
  const { meaning } = parent;
  return take(parent, meaning.source === 'NONE' ? meaning : { ...meaning, source: 'NARROWED' });
}

function take({ expiresAt }: PreparedQuery, meaning: QueryMeaning): Lent {
  return { meaning, expiresAt: meaning.source === 'NONE' ? null : expiresAt };
}

function refuse(meaning: QueryMeaning): Lent {
  return { meaning, expiresAt: null };
}
