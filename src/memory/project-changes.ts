import { StoreOverloadedError, StoreUnavailableError } from './errors.ts';
import type { ChangeBatch, ChangedSubject, ChangeLog, GraphWriter } from './graph-projection.ts';

/** Changes carried in one transaction: large enough to be fast, small enough to hold no one up. */
export const BATCH_SIZE = 1_000;

/** After the first setback of a tenant, and twice as much after each that follows. */
const FIRST_WAIT_MS = 1_000;
/** A rebuild may copy millions of edges in vain; mended by hand, the tenant goes on within that time. */
const LONGEST_WAIT_MS = 300_000;

export type Projection = {
  readonly changes: ChangeLog;
  readonly writer: GraphWriter;
  /** Makes a tenant's graph anew, when the outbox no longer tells how it came about. */
  readonly rebuild: (tenant: string) => Promise<void>;
  /** Takes what could not be carried, beside the note in the store. */
  readonly reportFailure: (tenant: string, change: ChangedSubject, error: unknown) => void;
  /** Takes why a tenant could not be brought further at all, beside the note in the store. */
  readonly reportSetback: (tenant: string, waitMs: number, error: unknown) => void;
};

/**
 * Carries one batch of each tenant that is behind. A fault of one tenant stops no other: it is noted
 * and reported, and the tenant tried again after a wait that grows from one setback to the next.
 *
 * @returns how many changes were carried or passed over; 0 when no tenant could be brought further
 * @throws {StoreUnavailableError} if a store does not answer; nothing is lost, try again
 */
export async function projectChanges(projection: Projection): Promise<number> {
  let carried = 0;
  for (const { tenant, sequence, setbacks } of await projection.changes.listBehind()) {
    try {
      carried += await projectTenant(projection, tenant, sequence);
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** setbacks, LONGEST_WAIT_MS);
      await projection.changes.noteSetback(tenant, messageOf(error), waitMs);
      projection.reportSetback(tenant, waitMs, error);
    }
  }
  return carried;
}

async function projectTenant(
  projection: Projection,
  tenant: string,
  after: number,
): Promise<number> {
  const batch = await projection.changes.readChanges(tenant, after, BATCH_SIZE);
  if (batch === null) {
    await rebuild(projection, tenant);
    return 1;
  }
  await carry(projection, batch);
  return batch.changes.length;
}

/** A rebuild begins from the start each time: what is too much for a store once will be so again. */
async function rebuild(projection: Projection, tenant: string): Promise<void> {
  try {
    await projection.rebuild(tenant);
  } catch (error) {
    if (!(error instanceof StoreOverloadedError)) throw error;
    throw new Error(`Making the graph anew was too much for ${error.store}.`, { cause: error });
  }
}

/**
 * Carries a batch. One that is refused, or more than the graph database can do at once, is halved,
 * until the one change at fault stands alone: that is noted, and passed over.
 */
async function carry(projection: Projection, batch: ChangeBatch): Promise<void> {
  const { tenant } = batch;
  const [first] = batch.changes;
  if (first === undefined) return;
  const fault = await faultOf(projection, batch);
  if (fault === null) return;
  if (batch.changes.length > 1) {
    await carryHalves(projection, batch);
    return;
  }
  await projection.changes.noteFailure(tenant, first, messageOf(fault));
  projection.reportFailure(tenant, first, fault);
  await passOver(projection, batch);
}

/** A change alone that took too long may have waited for someone else: so it has another chance. */
const TRIES_ALONE = 2;
const NOTHING = { pages: [], deletedPages: [], edges: [], retractedEdges: [] };

/** Carries a batch, or answers what is wrong with it; null when nothing is. */
async function faultOf(projection: Projection, batch: ChangeBatch): Promise<unknown> {
  const { after } = batch;
  for (let tries = 1; ; tries++) {
    try {
      await apply(projection, batch);
      return null;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) return error;
      if (!(error instanceof StoreOverloadedError)) throw error;
      // Nothing at all goes through either, when the graph is away or a rebuild holds the tenant.
      await advance(projection, { ...batch, ...NOTHING, reached: after });
      if (batch.changes.length > 1 || tries === TRIES_ALONE) return error;
    }
  }
}

async function apply(projection: Projection, batch: ChangeBatch): Promise<void> {
  const { tenant, changes } = batch;
  const reached = await advance(projection, batch);
  if (reached === batch.reached) await projection.changes.forgetFailures(tenant, changes);
}

async function passOver(projection: Projection, batch: ChangeBatch): Promise<void> {
  await advance(projection, { ...batch, ...NOTHING });
}

async function advance({ changes, writer }: Projection, batch: ChangeBatch): Promise<number> {
  const reached = await writer.apply(batch);
  // It is elsewhere when another projector was quicker, or the graph was put back: go on from there.
  await changes.noteProjected(batch.tenant, reached);
  return reached;
}

async function carryHalves(projection: Projection, batch: ChangeBatch): Promise<void> {
  const { tenant, after, changes } = batch;
  const half = Math.ceil(changes.length / 2);
  const first = await projection.changes.readChanges(tenant, after, half);
  if (first === null) return;
  await carry(projection, first);
  const rest = await projection.changes.readChanges(tenant, first.reached, changes.length - half);
  if (rest !== null) await carry(projection, rest);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Takes the graph's own word for how far each tenant is: it may have been lost, or put back from a
 * copy. To be done before the first batch, and whenever the graph was away.
 */
export async function alignWatermarks({
  changes,
  writer,
}: Pick<Projection, 'changes' | 'writer'>): Promise<void> {
  await changes.alignProjected(await writer.listWatermarks());
}
