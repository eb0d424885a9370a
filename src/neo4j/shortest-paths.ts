import type { Step } from '../memory/edge.ts';
import { MAX_PATH_HOPS, MAX_TRUNCATIONS, PATH_FAN_OUT } from '../memory/graph-limits.ts';
import type { Projected } from '../memory/graph-projection.ts';
import type { PathQuery, ShortestPaths, Truncation } from '../memory/graph-store.ts';
import type { PageId } from '../memory/page.ts';
import { type Expand, type Hop, searchShortestPaths } from '../memory/shortest-paths.ts';
import type { View } from '../memory/view.ts';
import type { Run } from './driver.ts';
import { type Expansion, expandPages } from './expand-pages.ts';
import { startWalk } from './start-walk.ts';
import { listAmong } from './walk.ts';

const NONE = { paths: [], truncated: [] };

/** As `GraphStore.shortestPaths`. One statement for the ends, one for each level, one for the steps. */
export async function shortestPaths(
  run: Run,
  view: View,
  { from, to, kinds, direction, maxDepth, k }: PathQuery,
  hubDegree: number,
): Promise<Projected<Omit<ShortestPaths, 'served'>>> {
  const ends = [...new Set([from, to])];
  const start = await startWalk(run, view, ends);
  if (start === null) return { sequence: 0, answer: NONE };
  const { sequence, generation } = start;
  if (start.ids.length < ends.length) return { sequence, answer: NONE };

  const expand: Expand = async (frontier, way, visited) => {
    const expansion = await expandPages(run, view, {
      generation,
      hubDegree,
      frontier,
      kinds,
      direction: way,
      where: {},
      fanOut: PATH_FAN_OUT,
      visited,
      eachEdge: true,
      limit: MAX_PATH_HOPS + 1,
    });
    return toHops(expansion, frontier);
  };
  const found = await searchShortestPaths({ from, to, direction, maxDepth, k, expand });

  const pages = new Set(found.paths.flat().flatMap(({ pageId, otherId }) => [pageId, otherId]));
  const edges = await listAmong(run, view, generation, [...pages], kinds);
  const edgesById = new Map(edges.map((edge) => [edge.id, edge]));
  const paths = found.paths.flatMap((path) => {
    const steps = path.flatMap(({ id, direction: way }): Step[] => {
      const edge = edgesById.get(id);
      return edge === undefined ? [] : [{ edge, direction: way }];
    });
    return steps.length === path.length ? [steps] : [];
  });
  return { sequence, answer: { paths, truncated: found.truncated.slice(0, MAX_TRUNCATIONS) } };
}

function toHops(
  { fresh, crowded, unscanned }: Expansion,
  frontier: readonly PageId[],
): { readonly hops: readonly Hop[]; readonly truncated: readonly Truncation[] } {
  const [, full] = fresh[MAX_PATH_HOPS] ?? [];
  return {
    hops: fresh
      .slice(0, MAX_PATH_HOPS)
      .flatMap(([otherId, place, , id, isOut, at, bare]): Hop[] => {
        const pageId = frontier[place];
        if (pageId === undefined) return [];
        return [{ id, bare, at, pageId, otherId, direction: isOut ? 'OUT' : 'IN' }];
      }),
    truncated: [
      ...(full === undefined ? [] : [{ reason: 'MAX_PAGES', at: frontier[full] ?? null } as const]),
      ...crowded.map((at) => ({ reason: 'FAN_OUT', at }) as const),
      ...unscanned.map((at) => ({ reason: 'SCAN', at }) as const),
    ],
  };
}
