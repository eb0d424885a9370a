import { GRAPH_SHARE } from './fuse-rankings.ts';
import type { Way } from './graph-arm.ts';
import type { PageId } from './page.ts';
import type { SessionStore } from './session-store.ts';
import type { View } from './view.ts';

/**
 * The ways from pages to those that were recorded near them in a session. Such a page gets a share of
 * the lender's score by its distance: what one turn of a dialogue asks, one of the next answers.
 * `FOLLOWS` is read from the order of sessions, so its way has no edge to show. Sessions have no
 * past, so reads of the past have no such ways.
 *
 * Costs one statement; none where there is no share.
 *
 * @param shares  0 to 1, by distance: of the nearest first
 */
export async function findSessionWays(
  { sessions }: { readonly sessions: Pick<SessionStore, 'listNeighbours'> },
  view: View,
  lenders: readonly { readonly pageId: PageId; readonly score: number }[],
  shares: readonly number[],
): Promise<readonly Way[]> {
  if (shares.length === 0 || view.asOf !== null || lenders.length === 0) return [];
  const scores = new Map(lenders.map(({ pageId, score }) => [pageId, score]));
  const neighbours = await sessions.listNeighbours(view, [...scores.keys()], shares.length);
  return neighbours.map(({ pageId: fromId, neighbourId, direction, distance }) => ({
    pageId: neighbourId,
    // The graph arm as a whole is weighted with its share, which is not meant here.
    value: ((scores.get(fromId) ?? 0) * (shares[distance - 1] ?? 0)) / GRAPH_SHARE,
    via: {
      edge: 'FOLLOWS',
      direction: direction === 'BEFORE' ? 'OUT' : 'IN',
      fromId,
      depth: 1,
      path: [],
    },
  }));
}
