import type { EdgeKind } from '../memory/edge.ts';
import { GraphMismatchError, RebuildOvertakenError } from '../memory/errors.ts';
import { compareCounts, type GraphCounts, toCounts } from '../memory/graph-counts.ts';
import type {
  GraphRebuilder,
  ProjectedEdge,
  ProjectedPage,
  RestOfChanges,
} from '../memory/graph-projection.ts';
import type { PageId } from '../memory/page.ts';
import type { Graph, Run } from './driver.ts';
import { ADVANCE, TAKE_TURN, WRITE_TIMEOUT_MS, writeStates } from './graph-writer.ts';
import { readCypher } from './read-cypher.ts';

const BEGIN = readCypher('generation_begin');
const SWAP = readCypher('generation_swap');
const LIST_OLD = readCypher('generation_list_old');
const DELETE_SOME = readCypher('page_delete_some');
const COUNT_PAGES = readCypher('page_count');
const COUNT_EDGES = readCypher('edge_count');
const PAGE_SLICE = readCypher('page_list_slice');
const EDGE_SLICE = readCypher('edge_list_slice');

/** Pages deleted in one transaction, with their edges. */
const DELETED_AT_ONCE = 1_000;
/** The rest of the changes is small; counting a million edges takes a second. */
const FINISH_TIMEOUT_MS = 120_000;

type Live = {
  readonly sequence: number;
  readonly generation: number;
  readonly building: number | null;
};

export function createGraphRebuilder(graph: Graph): GraphRebuilder {
  return {
    async begin(tenant) {
      const [row] = await graph.write(BEGIN, (run) =>
        run<{ generation: number }>(BEGIN, { tenant }),
      );
      if (row === undefined) throw new Error('Expected a generation, but got none.');
      return row.generation;
    },

    async write(tenant, generation, states) {
      const batch = { tenant, sequence: 0, ...states };
      await graph.write(BEGIN, (run) => writeStates(run, generation, batch), WRITE_TIMEOUT_MS);
    },

    finish: (tenant, generation, readRest) =>
      graph.write(SWAP, (run) => finish(run, tenant, generation, readRest), FINISH_TIMEOUT_MS),

    async dropOthers(tenant) {
      const old = await graph.read(LIST_OLD, (run) =>
        run<{ generation: number }>(LIST_OLD, { tenant }),
      );
      for (const { generation } of old) await drop(graph, tenant, generation);
    },

    readSlice: (tenant, after, until) =>
      graph.read(PAGE_SLICE, (run) => readSlice(run, tenant, after, until), WRITE_TIMEOUT_MS),
  };
}

async function finish(
  run: Run,
  tenant: string,
  generation: number,
  readRest: () => Promise<RestOfChanges>,
): Promise<GraphCounts> {
  // From here on no projector can go on, so what is read now is all there is.
  const [live] = await run<Live>(TAKE_TURN, { tenant });
  if (live?.building !== generation) throw new RebuildOvertakenError();
  const { batch, counts } = await readRest();
  await writeStates(run, generation, { ...batch, sequence: batch.reached });

  const differences = compareCounts(counts, await countGeneration(run, tenant, generation));
  if (differences.length > 0) throw new GraphMismatchError(differences);
  await run(SWAP, { tenant, generation });
  await run(ADVANCE, { tenant, sequence: batch.reached });
  return counts;
}

async function countGeneration(run: Run, tenant: string, generation: number): Promise<GraphCounts> {
  const [row] = await run<{ pages: number }>(COUNT_PAGES, { tenant, generation });
  const edges = await run<{ kind: EdgeKind; count: number }>(COUNT_EDGES, { tenant, generation });
  return toCounts(row?.pages ?? 0, edges);
}

async function drop(graph: Graph, tenant: string, generation: number): Promise<void> {
  for (;;) {
    const a = { tenant, generation, limit: DELETED_AT_ONCE };
    const [row] = await graph.write(
      DELETE_SOME,
      (run) => run<{ deleted: number }>(DELETE_SOME, a),
      WRITE_TIMEOUT_MS,
    );
    if ((row?.deleted ?? 0) === 0) return;
  }
}

async function readSlice(run: Run, tenant: string, after: PageId, until: PageId) {
  const a = { tenant, after, until };
  const pages = await run<{ page: ProjectedPage }>(PAGE_SLICE, a);
  const edges = await run<{ edge: ProjectedEdge }>(EDGE_SLICE, a);
  return { pages: pages.map(({ page }) => page), edges: edges.map(({ edge }) => edge) };
}
