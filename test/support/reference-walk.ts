import type { Direction, EdgeKind, StepDirection } from '../../src/memory/edge.ts';
import type { Truncation, Walk, WalkQuery } from '../../src/memory/graph-store.ts';
import type { PageFilter } from '../../src/memory/page-store.ts';
import { holdsAt } from '../../src/memory/version-rules.ts';
import type { View } from '../../src/memory/view.ts';
import { LAST_INSTANT } from '../../src/postgres/time-bounds.ts';
import type { Interval, SeedEdge, SeedGraph, SeedPage } from './seed-graph.ts';

/** One visible edge as seen from a page. */
export type ReferenceHop = {
  readonly edge: SeedEdge;
  readonly direction: StepDirection;
  readonly otherId: string;
};

export type ReferenceWalk = {
  readonly reached: readonly {
    readonly pageId: string;
    readonly depth: number;
    readonly parentId: string | null;
    readonly edgeId: string | null;
    readonly direction: StepDirection | null;
  }[];
  readonly edgeIds: readonly string[];
  readonly truncated: readonly Truncation[];
};

/** What a walk must answer, by the plainest means: every rule is one line over the whole graph. */
export function referenceWalk(graph: SeedGraph, view: View, query: WalkQuery): ReferenceWalk {
  const { kinds, direction, depth, maxPages, fanOut, where } = query;
  const visible = query.from.filter((id) => seesPage(graph, view, id, {}));
  const reached: ReferenceWalk['reached'][number][] = visible
    .slice(0, maxPages)
    .map((pageId) => ({ pageId, depth: 0, parentId: null, edgeId: null, direction: null }));
  const full: Truncation[] = visible.length > maxPages ? [{ reason: 'MAX_PAGES', at: null }] : [];
  const crowded: Truncation[] = [];

  for (let hop = 1; hop <= depth && full.length === 0; hop++) {
    for (const parent of reached.filter((page) => page.depth === hop - 1)) {
      const hops = hopsOf(graph, view, { pageId: parent.pageId, kinds, direction, where });
      if (hops.length > fanOut) crowded.push({ reason: 'FAN_OUT', at: parent.pageId });
      for (const { edge, direction: way, otherId } of hops.slice(0, fanOut)) {
        if (reached.some(({ pageId }) => pageId === otherId)) continue;
        if (reached.length < maxPages) {
          const found = { pageId: otherId, depth: hop, parentId: parent.pageId };
          reached.push({ ...found, edgeId: edge.id, direction: way });
        } else if (full.length === 0) {
          full.push({ reason: 'MAX_PAGES', at: parent.pageId });
        }
      }
    }
  }

  const ids = new Set(reached.map(({ pageId }) => pageId));
  const edges = graph.edges
    .filter((edge) => kinds.includes(edge.kind) && isActive(edge, view))
    .filter(({ fromId, toId }) => ids.has(fromId) && ids.has(toId));
  return {
    reached,
    edgeIds: edges.sort(compareEdges).map(({ id }) => id),
    truncated: [...full, ...crowded],
  };
}

/** All paths of the least length without a page twice, in order; each as ids of edges. */
export function referencePaths(
  graph: SeedGraph,
  view: View,
  query: {
    readonly from: string;
    readonly to: string;
    readonly kinds: readonly EdgeKind[];
    readonly direction: Direction;
    readonly maxDepth: number;
  },
): string[][] {
  const { from, to, kinds, direction, maxDepth } = query;
  if (!seesPage(graph, view, from, {}) || !seesPage(graph, view, to, {})) return [];
  if (from === to) return [[]];

  let ways = [{ pages: [from], edges: [] as string[] }];
  for (let length = 1; length <= maxDepth; length++) {
    ways = ways.flatMap(({ pages, edges }) =>
      hopsOf(graph, view, { pageId: pages.at(-1) ?? '', kinds, direction, where: {} })
        .filter(({ otherId }) => !pages.includes(otherId))
        .map(({ edge, otherId }) => ({ pages: [...pages, otherId], edges: [...edges, edge.id] })),
    );
    const found = ways.filter(({ pages }) => pages.at(-1) === to);
    if (found.length > 0) return found.map(({ edges }) => edges);
  }
  return [];
}

/** The visible edges of one page in their order. */
export function hopsOf(
  graph: SeedGraph,
  view: View,
  {
    pageId,
    kinds,
    direction,
    where,
  }: {
    readonly pageId: string;
    readonly kinds: readonly EdgeKind[];
    readonly direction: Direction;
    readonly where: PageFilter;
  },
): ReferenceHop[] {
  const hops = graph.edges
    .filter((edge) => kinds.includes(edge.kind) && isActive(edge, view))
    .flatMap((edge): ReferenceHop[] => {
      if (edge.fromId === pageId && direction !== 'IN') {
        return [{ edge, direction: 'OUT', otherId: edge.toId }];
      }
      if (edge.toId === pageId && direction !== 'OUT') {
        return [{ edge, direction: 'IN', otherId: edge.fromId }];
      }
      return [];
    });
  return hops
    .filter(({ otherId }) => seesPage(graph, view, otherId, where))
    .sort((a, b) => compareEdges(a.edge, b.edge));
}

function seesPage(graph: SeedGraph, view: View, id: string, where: PageFilter): boolean {
  const page = graph.pages.find((candidate) => candidate.id === id);
  if (graph.tenant !== view.tenant || page === undefined) return false;
  const then = seenAs(page, view);
  return (
    view.projectIds.includes(page.projectId) &&
    then !== undefined &&
    Math.max(page.sensitivity, then.sensitivity) <=
      Math.min(view.clearance, where.sensitivityCeiling ?? 3) &&
    (where.kinds?.includes(then.kind) ?? true) &&
    !(where.excludeIds?.includes(id) ?? false) &&
    !(where.excludeArchived === true && view.asOf === null && page.archived)
  );
}

/** The page itself in the present, one version of it in the past. */
function seenAs(
  page: SeedPage,
  { asOf }: View,
): { kind: SeedPage['kind']; sensitivity: number } | undefined {
  if (asOf === null) return page;
  const { validAt, recordedAt } = asOf;
  const known = page.versions.filter((version) => version.recordedAt <= recordedAt);
  if (validAt === null) return known.at(-1);
  const standing = known.filter((version) => recordedAt < version.recordedTo);
  return holdsAt(standing, validAt) ?? undefined;
}

function isActive(edge: Interval, { asOf, now }: View): boolean {
  const recorded = asOf?.recordedAt ?? LAST_INSTANT;
  const valid = asOf === null ? now : (asOf.validAt ?? asOf.recordedAt);
  return (
    edge.recordedAt <= recorded &&
    recorded < edge.recordedTo &&
    edge.validFrom <= valid &&
    valid < edge.validTo
  );
}

/** Typed before bare, newer before older, then id. */
function compareEdges(a: SeedEdge, b: SeedEdge): number {
  const bare = (edge: SeedEdge) => Number(edge.kind === 'REFERENCES');
  return bare(a) - bare(b) || b.at - a.at || (a.id < b.id ? -1 : 1);
}

/** What a store found, as the reference tells it. */
export function toReference({ reached, edges, truncated }: Walk): ReferenceWalk {
  return {
    reached: reached.map(({ pageId, depth, parentId, via }) => ({
      pageId,
      depth,
      parentId,
      edgeId: via?.edge.id ?? null,
      direction: via?.direction ?? null,
    })),
    edgeIds: edges.map(({ id }) => id),
    truncated,
  };
}
