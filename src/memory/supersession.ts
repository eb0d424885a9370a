import type { PageId } from './page.ts';

/** One page that replaces another. */
export type Supersession = { readonly fromId: PageId; readonly toId: PageId };

/**
 * A circle of pages that replace each other, each the next and the last the first; null when there
 * is none. A page that replaces itself is a circle of one.
 *
 * Looks at each edge once, whatever the number of paths through them.
 */
export function findCycle(edges: readonly Supersession[]): readonly PageId[] | null {
  const next = Map.groupBy(edges, ({ fromId }) => fromId);
  const finished = new Set<PageId>();

  for (const start of next.keys()) {
    // The walk's own stack: a chain of replacements may be longer than calls may nest.
    const trail: { readonly id: PageId; readonly rest: Iterator<Supersession> }[] = [];
    const open = new Set<PageId>();
    const enter = (id: PageId) => {
      open.add(id);
      trail.push({ id, rest: (next.get(id) ?? []).values() });
    };

    if (!finished.has(start)) enter(start);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const step = top.rest.next();
      if (step.done === true) {
        trail.pop();
        open.delete(top.id);
        finished.add(top.id);
      } else if (open.has(step.value.toId)) {
        const ids = trail.map(({ id }) => id);
        return ids.slice(ids.indexOf(step.value.toId));
      } else if (!finished.has(step.value.toId)) {
        enter(step.value.toId);
      }
    }
  }
  return null;
}

/**
 * Those of `added` that would close a circle with the edges that are there, or with others of
 * `added`: of a circle of these, the last in the order is left.
 */
export function findClosing<Added extends Supersession>(
  there: readonly Supersession[],
  added: readonly Added[],
): readonly Added[] {
  if (findCycle([...there, ...added]) === null) return [];
  const next = Map.groupBy(there, ({ fromId }) => fromId);
  return added.filter((edge) => {
    if (isReached(next, edge.toId, edge.fromId)) return true;
    next.set(edge.fromId, [...(next.get(edge.fromId) ?? []), edge]);
    return false;
  });
}

function isReached(
  next: ReadonlyMap<PageId, readonly Supersession[]>,
  from: PageId,
  to: PageId,
): boolean {
  // A set gives what is added to it while it is read.
  const reached = new Set([from]);
  for (const id of reached) {
    for (const { toId } of next.get(id) ?? []) reached.add(toId);
  }
  return reached.has(to);
}
