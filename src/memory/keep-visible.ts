import type { Edge, Step } from './edge.ts';
import type { EdgeList, ShortestPaths } from './graph-store.ts';
import type { PageId } from './page.ts';

type ListVisible = (ids: readonly PageId[]) => Promise<ReadonlySet<PageId>>;

/** Lists without the edges that lead to a page that is no longer visible. One call. */
export async function keepVisibleLists(
  lists: readonly Omit<EdgeList, 'served'>[],
  listVisible: ListVisible,
): Promise<readonly Omit<EdgeList, 'served'>[]> {
  const visible = await check(
    lists.flatMap(({ edges }) => edges.flatMap(({ edge }) => endsOf(edge))),
    listVisible,
  );
  return lists.map((list) => {
    const edges = list.edges.filter(({ edge }) => isBetween(visible, edge));
    return { ...list, edges, total: list.total - (list.edges.length - edges.length) };
  });
}

/** The paths; null when one runs through a page that is no longer visible. One call. */
export async function keepVisiblePaths(
  found: Omit<ShortestPaths, 'served'>,
  listVisible: ListVisible,
): Promise<Omit<ShortestPaths, 'served'> | null> {
  const steps = found.paths.flat();
  const visible = await check(
    steps.flatMap(({ edge }) => endsOf(edge)),
    listVisible,
  );
  return steps.every(({ edge }: Step) => isBetween(visible, edge)) ? found : null;
}

async function check(
  ids: readonly PageId[],
  listVisible: ListVisible,
): Promise<ReadonlySet<PageId>> {
  const asked = [...new Set(ids)];
  return asked.length === 0 ? new Set() : listVisible(asked);
}

function endsOf({ fromId, toId }: Edge): readonly PageId[] {
  return [fromId, toId];
}

function isBetween(pages: ReadonlySet<PageId>, { fromId, toId }: Edge): boolean {
  return pages.has(fromId) && pages.has(toId);
}
