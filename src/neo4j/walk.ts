import type { Edge } from '../memory/edge.ts';
import type { Projected } from '../memory/graph-projection.ts';
import type { Walk, WalkQuery } from '../memory/graph-store.ts';
import type { PageId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import { toWalk, type WalkLevel } from '../memory/walk-levels.ts';
import type { Run } from './driver.ts';
import { type Expansion, expandPages } from './expand-pages.ts';
import { type EdgeTuple, toEdge } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';
import { startWalk } from './start-walk.ts';

const LIST_AMONG = readCypher('edge_list_among');

/** As `GraphStore.walk`: one statement for the start, one for each level, one for the edges. */
export async function walk(
  run: Run,
  view: View,
  query: WalkQuery & { readonly hubDegree: number },
  alongside: (ids: readonly PageId[]) => void,
): Promise<Projected<Omit<Walk, 'served'>>> {
  const { from, kinds, depth, maxPages } = query;
  const start = await startWalk(run, view, from);
  if (start === null) return { sequence: 0, answer: { reached: [], edges: [], truncated: [] } };

  const levels = [toStart(start.ids, maxPages)];
  const visited = start.ids.slice(0, maxPages);
  for (let hop = 1; hop <= depth; hop++) {
    const frontier = levels.at(-1);
    if (frontier === undefined || frontier.found.length === 0 || frontier.isFull) break;
    const level = await readLevel(run, view, { ...query, ...start }, frontier, visited);
    levels.push(level);
    visited.push(...level.found.map(({ pageId }) => pageId));
  }

  alongside(visited);
  const edges = await listAmong(run, view, start.generation, visited, kinds);
  return { sequence: start.sequence, answer: toWalk(levels, edges) };
}

type LevelQuery = WalkQuery & { readonly generation: number; readonly hubDegree: number };

async function readLevel(
  run: Run,
  view: View,
  { generation, hubDegree, kinds, direction, where, fanOut, maxPages }: LevelQuery,
  { found }: WalkLevel,
  visited: readonly PageId[],
): Promise<WalkLevel> {
  const room = maxPages - visited.length;
  const frontier = found.map(({ pageId }) => pageId);
  const expansion = await expandPages(run, view, {
    generation,
    hubDegree,
    frontier,
    kinds,
    direction,
    where,
    fanOut,
    visited,
    eachEdge: false,
    // One more tells that the walk is full.
    limit: room + 1,
  });
  return toLevel(expansion, frontier, room);
}

function toStart(ids: readonly PageId[], maxPages: number): WalkLevel {
  return {
    found: ids.slice(0, maxPages).map((pageId) => ({ pageId, parent: -1, via: null })),
    crowded: [],
    unscanned: [],
    isFull: ids.length > maxPages,
    fullAt: null,
  };
}

function toLevel(
  { fresh, crowded, unscanned }: Expansion,
  frontier: readonly PageId[],
  room: number,
): WalkLevel {
  const [, place] = fresh[room] ?? [];
  return {
    found: fresh
      .slice(0, room)
      .map(([pageId, parent, , edgeId, isOut]) => ({ pageId, parent, via: { edgeId, isOut } })),
    crowded,
    unscanned,
    isFull: place !== undefined,
    fullAt: place === undefined ? null : (frontier[place] ?? null),
  };
}

/** All edges with both ends in a list of pages, in order. */
export async function listAmong(
  run: Run,
  { tenant, now }: View,
  generation: number,
  ids: readonly PageId[],
  kinds: WalkQuery['kinds'],
): Promise<Edge[]> {
  if (ids.length < 2) return [];
  const rows = await run<{ edge: EdgeTuple }>(LIST_AMONG, { tenant, generation, ids, kinds, now });
  return rows.map(({ edge }) => toEdge(edge));
}
