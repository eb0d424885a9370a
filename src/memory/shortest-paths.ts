import type { Direction, StepDirection } from './edge.ts';
import { MAX_PATH_PAGES } from './graph-limits.ts';
import type { EdgePosition, Truncation } from './graph-store.ts';
import type { PageId } from './page.ts';

/** One edge as seen from the page that was expanded. */
export type Hop = EdgePosition & {
  readonly pageId: PageId;
  readonly otherId: PageId;
  /** The way from `pageId` to `otherId`. */
  readonly direction: StepDirection;
};

/**
 * The visible edges of pages to pages that are not among `seen`, page by page in the order given,
 * and what was left out.
 */
export type Expand = (
  pageIds: readonly PageId[],
  direction: Direction,
  seen: readonly PageId[],
) => Promise<{ readonly hops: readonly Hop[]; readonly truncated: readonly Truncation[] }>;

type Side = {
  readonly direction: Direction;
  /** Every page found, with its distance and all hops that found it. */
  readonly found: Map<PageId, { readonly distance: number; readonly hops: Hop[] }>;
  frontier: readonly PageId[];
  distance: number;
  isCut: boolean;
};

/**
 * All shortest paths between two visible pages, at most `k`, in the order of their hops. They are all
 * of one length; while nothing was left out, it is the least there is.
 *
 * Searches whole levels from both ends, the smaller side first, so the first meeting is at the least
 * length; every level sees only visible pages, since a filter over finished paths would miss the
 * visible way round a hidden page. One call of `expand` for each level.
 */
export async function searchShortestPaths({
  from,
  to,
  direction,
  maxDepth,
  k,
  expand,
}: {
  readonly from: PageId;
  readonly to: PageId;
  readonly direction: Direction;
  readonly maxDepth: number;
  readonly k: number;
  readonly expand: Expand;
}): Promise<{ paths: readonly (readonly Hop[])[]; truncated: readonly Truncation[] }> {
  if (from === to) return { paths: [[]], truncated: [] };

  const ahead = startSide(from, direction);
  const back = startSide(to, opposite(direction));
  const truncated: Truncation[] = [];

  while (ahead.distance + back.distance < maxDepth) {
    if (ahead.frontier.length === 0 || back.frontier.length === 0) break;
    const side = ahead.frontier.length <= back.frontier.length ? ahead : back;
    const other = side === ahead ? back : ahead;
    truncated.push(...(await advance(side, expand)));

    const meeting = nearestMeeting(side, other);
    if (meeting.length > 0) {
      const next = joinSides(ahead, back, meeting);
      return { paths: listPaths(from, to, next, k), truncated };
    }
    if (side.isCut) break;
  }
  return { paths: [], truncated };
}

/**
 * Pages at which both sides have just met, on the shortest of the ways found. Where nothing was left
 * out they all are; but a hop that one side cut may be found by the other, late, and nearer its end.
 */
function nearestMeeting(side: Side, other: Side): readonly PageId[] {
  const met = side.frontier.flatMap((id) => {
    const known = other.found.get(id);
    return known === undefined ? [] : [{ id, distance: known.distance }];
  });
  const least = Math.min(...met.map(({ distance }) => distance));
  return met.filter(({ distance }) => distance === least).map(({ id }) => id);
}

async function advance(side: Side, expand: Expand): Promise<readonly Truncation[]> {
  const { hops, truncated } = await expand(side.frontier, side.direction, [...side.found.keys()]);
  side.distance += 1;
  const frontier: PageId[] = [];
  let fullAt: PageId | null = null;

  for (const hop of hops) {
    const known = side.found.get(hop.otherId);
    if (known !== undefined) {
      if (known.distance === side.distance) known.hops.push(hop);
    } else if (side.found.size < MAX_PATH_PAGES) {
      side.found.set(hop.otherId, { distance: side.distance, hops: [hop] });
      frontier.push(hop.otherId);
    } else {
      fullAt ??= hop.pageId;
    }
  }
  side.frontier = frontier;
  side.isCut = fullAt !== null;
  return fullAt === null ? truncated : [...truncated, { reason: 'MAX_PAGES', at: fullAt }];
}

/** For each page on a shortest path, the hops that go on towards `to`. */
function joinSides(ahead: Side, back: Side, meeting: readonly PageId[]): Map<PageId, Hop[]> {
  const next = new Map<PageId, Hop[]>();
  const add = (hop: Hop) => next.set(hop.pageId, [...(next.get(hop.pageId) ?? []), hop]);
  trace(ahead, meeting, add);
  trace(back, meeting, (hop) =>
    add({
      ...hop,
      pageId: hop.otherId,
      otherId: hop.pageId,
      direction: hop.direction === 'OUT' ? 'IN' : 'OUT',
    }),
  );
  return next;
}

/** Visits every hop between where a side began and the pages where both met. */
function trace(side: Side, meeting: readonly PageId[], visit: (hop: Hop) => void): void {
  let level = new Set(meeting);
  while (level.size > 0) {
    const hops = [...level].flatMap((id) => side.found.get(id)?.hops ?? []);
    hops.forEach(visit);
    level = new Set(hops.map(({ pageId }) => pageId));
  }
}

/** Every way along `next` ends at `to`, so the first `k` in order cost no more than their length. */
function listPaths(
  from: PageId,
  to: PageId,
  next: ReadonlyMap<PageId, readonly Hop[]>,
  k: number,
): Hop[][] {
  const paths: Hop[][] = [];
  const follow = (pageId: PageId, path: Hop[]): void => {
    if (pageId === to) {
      paths.push(path);
      return;
    }
    for (const hop of [...(next.get(pageId) ?? [])].sort(compareHops)) {
      if (paths.length === k) return;
      follow(hop.otherId, [...path, hop]);
    }
  };
  follow(from, []);
  return paths;
}

/** Typed before bare, newer before older, then id. */
function compareHops(a: Hop, b: Hop): number {
  return Number(a.bare) - Number(b.bare) || b.at - a.at || (a.id < b.id ? -1 : 1);
}

function startSide(pageId: PageId, direction: Direction): Side {
  const found = new Map([[pageId, { distance: 0, hops: [] as Hop[] }]]);
  return { direction, found, frontier: [pageId], distance: 0, isCut: false };
}

function opposite(direction: Direction): Direction {
  if (direction === 'BOTH') return 'BOTH';
  return direction === 'OUT' ? 'IN' : 'OUT';
}
