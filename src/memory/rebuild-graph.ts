import type { GraphCounts } from './graph-counts.ts';
import type { ChangeLog, GraphRebuilder, GraphRecord, GraphStates } from './graph-projection.ts';

export type RebuildSources = {
  readonly record: GraphRecord;
  readonly changes: Pick<ChangeLog, 'findNewest' | 'noteProjected' | 'forgetFailuresUpTo'>;
  readonly rebuilder: GraphRebuilder;
  /** How long readers that began before the swap may still read the old graph. */
  readonly graceMs: number;
};

/** Pages or edges copied in one transaction. */
const COPIED_AT_ONCE = 2_000;
/** Before every id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const NO_STATES: GraphStates = { pages: [], deletedPages: [], edges: [], retractedEdges: [] };

/**
 * Makes the graph of one tenant anew from the ledger, beside the one that is read, and swaps it in
 * once its counts are those of the ledger. Reads and writes go on meanwhile. Stopped half-way, it
 * leaves the old graph as it is, and may be started again.
 *
 * @param progress  called with the number of pages and edges copied so far
 * @throws {GraphMismatchError} if the counts differ in the end
 * @throws {RebuildOvertakenError} if another rebuild of the tenant was begun since
 */
export async function rebuildGraph(
  { record, changes, rebuilder, graceMs }: RebuildSources,
  tenant: string,
  progress: (copied: number) => void = () => {},
): Promise<GraphCounts> {
  const generation = await rebuilder.begin(tenant);
  // What changes while the copy is made comes after this, and is carried once more in the end.
  const start = await changes.findNewest(tenant);

  let copied = 0;
  const put = async (states: Partial<GraphStates>, count: number) => {
    await rebuilder.write(tenant, generation, { ...NO_STATES, ...states });
    copied += count;
    progress(copied);
  };
  await copy(
    (after) => record.listPages(tenant, after, COPIED_AT_ONCE),
    (pages) => put({ pages }, pages.length),
  );
  await copy(
    (after) => record.listEdges(tenant, after, COPIED_AT_ONCE),
    (edges) => put({ edges }, edges.length),
  );

  let reached = start;
  const counts = await rebuilder.finish(tenant, generation, async () => {
    const rest = await record.readRest(tenant, start);
    if (rest === null) throw new Error('The outbox was cut while the graph was made anew.');
    reached = rest.batch.reached;
    return rest;
  });
  await changes.noteProjected(tenant, reached);
  await changes.forgetFailuresUpTo(tenant, reached);
  await new Promise((resolve) => setTimeout(resolve, graceMs));
  await rebuilder.dropOthers(tenant);
  return counts;
}

async function copy<Row extends { readonly id: string }>(
  read: (after: string) => Promise<readonly Row[]>,
  write: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  let after = FIRST_ID;
  for (;;) {
    const rows = await read(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    await write(rows);
    after = last.id;
  }
}
