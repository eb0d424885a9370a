import type { PageId } from './page.ts';
import { chain, resolution } from './page-graph.ts';
import type { Stores } from './stores.ts';
import type { Traversal, WalkCaps } from './traverse.ts';
import type { View } from './view.ts';

/** As `resolution`, within the server's cap: where it walks one hop, the fixes without what they caused. */
export function resolutionWithin(
  stores: Pick<Stores, 'graph'>,
  view: View,
  pageId: PageId,
  { maxDepth }: WalkCaps,
): Promise<Traversal> {
  if (maxDepth >= 2) return resolution(stores, view, pageId);
  return chain(stores, view, { pageId, kinds: ['FIXES'], direction: 'IN', depth: 1 });
}
