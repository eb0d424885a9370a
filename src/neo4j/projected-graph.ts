import { EDGE_KINDS } from '../memory/edge.ts';
import type { ProjectedGraph } from '../memory/graph-projection.ts';
import type { View } from '../memory/view.ts';
import type { Graph } from './driver.ts';
import { EXPAND, expandPages } from './expand-pages.ts';
import { LIST_AROUND, listEdges } from './list-edges.ts';
import { LIST_START, listOfHubs } from './list-of-hubs.ts';
import { ways } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';
import { shortestPaths } from './shortest-paths.ts';
import { LIST_VISIBLE, startWalk } from './start-walk.ts';
import { listAmong, walk } from './walk.ts';

const FIND = readCypher('projection_find');

/** Longest wait for one answer: past it the ledger is quicker. */
export const READ_TIMEOUT_MS = 3_000;
/** Below it a scan of all edges is quicker than ten looks into the indexes. */
const HUB_DEGREE = 1_000;

/**
 * The graph as Neo4j holds it: the present, as far as it is projected.
 *
 * @param hubDegree  a page of more edges one way is read through the indexes, newest first, and only
 *                   as far as needed
 */
export function createProjectedGraph(
  graph: Graph,
  { hubDegree = HUB_DEGREE }: { readonly hubDegree?: number } = {},
): ProjectedGraph {
  return {
    prepare: () => prepare(graph),

    async findSequence(tenant) {
      const [row] = await graph.read(
        FIND,
        (run) => run<{ sequence: number }>(FIND, { tenant }),
        READ_TIMEOUT_MS,
      );
      return row?.sequence ?? 0;
    },
    listEdges: (view, requests) =>
      graph.read(LIST_AROUND, (run) => listEdges(run, view, requests, hubDegree), READ_TIMEOUT_MS),
    walk: (view, query, alongside) =>
      graph.read(
        LIST_VISIBLE,
        (run) => walk(run, view, { ...query, hubDegree }, alongside),
        READ_TIMEOUT_MS,
      ),
    shortestPaths: (view, query) =>
      graph.read(
        LIST_VISIBLE,
        (run) => shortestPaths(run, view, query, hubDegree),
        READ_TIMEOUT_MS,
      ),
  };
}

/** Planning takes seconds on a server that has just started, and would end a reader's patience. */
const PREPARE_TIMEOUT_MS = 60_000;
/** Sees nothing of no tenant. */
const NOBODY: View = {
  tenant: '',
  projectIds: [],
  clearance: 0,
  asOf: null,
  now: 0,
};

/** Runs every query once, over nothing; the plan is the same as for any other parameters. */
async function prepare(graph: Graph): Promise<void> {
  const around = { kinds: EDGE_KINDS, direction: 'BOTH', first: 1, after: null } as const;
  await graph.read(
    EXPAND,
    async (run) => {
      await startWalk(run, NOBODY, ['']);
      await listEdges(run, NOBODY, [{ pageId: '', ...around }], HUB_DEGREE);
      await listAmong(run, NOBODY, 0, ['', ' '], EDGE_KINDS);
      const { kinds, direction } = around;
      const level = { generation: 0, frontier: [''], kinds, direction, where: {}, visited: [] };
      const size = { hubDegree: HUB_DEGREE, fanOut: 1, eachEdge: false, limit: 1 };
      await expandPages(run, NOBODY, { ...level, ...size });
      await listOfHubs(run, NOBODY, {
        generation: 0,
        where: {},
        limit: 1,
        scan: 1,
        requests: [{ id: '', ...ways(kinds, direction), ...LIST_START }],
      });
    },
    PREPARE_TIMEOUT_MS,
  );
}
