import type {
  ChangeBatch,
  GraphStates,
  GraphWriter,
  Watermark,
} from '../memory/graph-projection.ts';
import type { Graph, Run } from './driver.ts';
import { readCypher } from './read-cypher.ts';

export const TAKE_TURN = readCypher('projection_take_turn');
export const ADVANCE = readCypher('projection_advance');
const LIST = readCypher('projection_list');
const PAGE_UPSERT = readCypher('page_upsert');
const PAGE_DELETE = readCypher('page_delete');
const EDGE_UPSERT = readCypher('edge_upsert');
const EDGE_DELETE = readCypher('edge_delete');

/** A batch writes a thousand edges in a third of a second, and a hub may be deleted in it. */
export const WRITE_TIMEOUT_MS = 30_000;

/** The ledger has edges whose pages the graph lacks: the graph is not what the outbox made. */
export class MissingEndsError extends Error {
  override readonly name = 'MissingEndsError';

  constructor(missing: number) {
    super(`Expected both ends of every edge in the graph, but ${missing} edges lack one.`);
  }
}

/** @param timeoutMs  most time for one batch */
export function createGraphWriter(
  graph: Graph,
  { timeoutMs = WRITE_TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): GraphWriter {
  return {
    listWatermarks: () => graph.read(LIST, (run) => run<Watermark>(LIST, {}), timeoutMs),
    apply: (batch) => graph.write(ADVANCE, (run) => apply(run, batch), timeoutMs),
  };
}

async function apply(run: Run, batch: ChangeBatch): Promise<number> {
  const { tenant, after, reached } = batch;
  const [live] = await run<{ sequence: number; generation: number }>(TAKE_TURN, { tenant });
  if (live === undefined) throw new Error('Expected a watermark, but got none.');
  if (live.sequence !== after) return live.sequence;

  const missing = await writeStates(run, live.generation, { ...batch, sequence: reached });
  if (missing > 0) throw new MissingEndsError(missing);
  await run(ADVANCE, { tenant, sequence: reached });
  return reached;
}

/**
 * Puts states into a generation. Statements that have nothing to do are not sent.
 *
 * @returns how many edges were left out, since the generation lacks one of their ends
 */
export async function writeStates(
  run: Run,
  generation: number,
  states: GraphStates & { readonly tenant: string; readonly sequence: number },
): Promise<number> {
  const { tenant, sequence, pages, deletedPages, edges, retractedEdges } = states;
  const at = { tenant, generation };
  if (pages.length > 0) await run(PAGE_UPSERT, { ...at, sequence, pages });
  if (retractedEdges.length > 0) await run(EDGE_DELETE, { ...at, edges: retractedEdges });
  const [row] =
    edges.length === 0
      ? [{ written: 0 }]
      : await run<{ written: number }>(EDGE_UPSERT, { ...at, sequence, edges });
  if (deletedPages.length > 0) await run(PAGE_DELETE, { ...at, ids: deletedPages });
  return edges.length - (row?.written ?? 0);
}
