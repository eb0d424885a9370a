import { GRAPH_SHARE } from './fuse-rankings.ts';
import type { Way } from './graph-arm.ts';
import type { PageId } from './page.ts';
import type { SessionStore } from './session-store.ts';
import type { View } from './view.ts';

/**
 * The ways from pages to those that were recorded just before and after them in a session. Such a
 * page gets `share` of the lender's score: what one turn of a dialogue asks, the next one answers.
 * `FOLLOWS` is read from the order of sessions, so its way has no edge to show. Sessions have no
 * past, so reads of the past have no such ways.
 *
 * Costs one statement; none where the share is 0.
 *
 * @param share  0 to 1
 */
export async function findSessionWays(
  { sessions }: { readonly sessions: Pick<SessionStore, 'listNeighbours'> },
  view: View,
  lenders: readonly { readonly pageId: PageId; readonly score: number }[],
  share: number,
): Promise<readonly Way[]> {
  if (share === 0 || view.asOf !== null || lenders.length === 0) return [];
  const scores = new Map(lenders.map(({ pageId, score }) => [pageId, score]));
  const neighbours = await sessions.listNeighbours(view, [...scores.keys()]);
  return neighbours.map(({ pageId: fromId, neighbourId, direction }) => ({
    pageId: neighbourId,
    // The graph arm as a whole is weighted with its share, which is not meant here.
    value: ((scores.get(fromId) ?? 0) * share) / GRAPH_SHARE,
    via: {
      edge: 'FOLLOWS',
      direction: direction === 'BEFORE' ? 'OUT' : 'IN',
      fromId,
      depth: 1,
      path: [],
    },
  }));
}
