import { type Sensitivity, sensitivityRank } from '../../src/memory/page.ts';
import type { Principal } from '../../src/memory/principal.ts';

/** A page as the model has it. */
export type ModelPage = {
  readonly id: string;
  readonly tenant: string;
  readonly project: string;
  readonly path: string;
  readonly sensitivity: Sensitivity;
  readonly words: readonly string[];
};

export type ModelEdge = { readonly from: string; readonly kind: string; readonly to: string };

/**
 * What each caller may see, in the plainest way: what is hidden is left out first, and the question is
 * asked of what is left.
 */
export class VisibleModel {
  readonly pages = new Map<string, ModelPage>();
  edges: readonly ModelEdge[] = [];

  put(page: ModelPage): void {
    this.pages.set(page.id, page);
  }

  remove(id: string): void {
    this.pages.delete(id);
    this.edges = this.edges.filter(({ from, to }) => from !== id && to !== id);
  }

  link(edge: ModelEdge): void {
    if (!this.edges.some((each) => isSame(each, edge))) this.edges = [...this.edges, edge];
  }

  unlink(edge: ModelEdge): void {
    this.edges = this.edges.filter((each) => !isSame(each, edge));
  }

  seenBy({ tenant, projects, clearance }: Principal): readonly ModelPage[] {
    return [...this.pages.values()].filter(
      (page) =>
        page.tenant === tenant &&
        (projects === 'ALL' || projects.includes(page.project)) &&
        sensitivityRank(page.sensitivity) <= sensitivityRank(clearance),
    );
  }

  edgesSeenBy(principal: Principal): readonly ModelEdge[] {
    const ids = new Set(this.seenBy(principal).map(({ id }) => id));
    return this.edges.filter(({ from, to }) => ids.has(from) && ids.has(to));
  }

  /** Hops from a page to every other that it leads to within a depth, along outgoing edges. */
  reachedFrom(principal: Principal, from: string, depth: number): ReadonlyMap<string, number> {
    const edges = this.edgesSeenBy(principal);
    const reached = new Map([[from, 0]]);
    for (let hop = 1; hop <= depth; hop++) {
      const frontier = [...reached].filter(([, at]) => at === hop - 1).map(([id]) => id);
      for (const { to } of edges.filter((edge) => frontier.includes(edge.from))) {
        if (!reached.has(to)) reached.set(to, hop);
      }
    }
    reached.delete(from);
    return reached;
  }
}

function isSame(a: ModelEdge, b: ModelEdge): boolean {
  return a.from === b.from && a.to === b.to && a.kind === b.kind;
}
