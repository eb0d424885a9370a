import { confidence } from './confidence.ts';
import { type Step, TYPED_EDGE_KINDS } from './edge.ts';
import type { Page } from './page.ts';
import { BY_LEDGER, type Served } from './served.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/** An edge of a page, and the page at its other end. */
export type Neighbour = { readonly step: Step; readonly page: Page };

/** What hangs on a page. */
export type PageAccount = {
  readonly versions: number;
  /** 0 to 0.95. */
  readonly confidence: number;
  /** The first of its typed edges, both ways. */
  readonly neighbours: readonly Neighbour[];
  /** Typed edges beyond those. */
  readonly moreEdges: number;
  /** Of the edges. */
  readonly served: Served;
};

/**
 * Tells of a page what it is read with. Costs four statements, one of them for the pages at the other
 * ends; an edge whose page went away meanwhile is left out.
 *
 * @param first  most edges
 */
export async function accountOf(
  { graph, pages }: Pick<Stores, 'graph' | 'pages'>,
  view: View,
  page: Page,
  first: number,
): Promise<PageAccount> {
  const request = { kinds: TYPED_EDGE_KINDS, direction: 'BOTH', first } as const;
  const [[list], [history], [evidence]] = await Promise.all([
    graph.listEdges(view, [{ pageId: page.id, after: null, ...request }]),
    pages.listVersions(view, [{ pageId: page.id, first: 1, before: null }]),
    pages.evidence(view, [page.id]),
  ]);
  const steps = list?.edges ?? [];
  const others = await pages.findMany(view, steps.map(otherEnd));
  return {
    versions: history?.total ?? page.version,
    confidence: evidence === undefined ? 0 : confidence(evidence, view).value,
    neighbours: steps.flatMap((step, index) => {
      const other = others[index] ?? null;
      return other === null ? [] : [{ step, page: other }];
    }),
    moreEdges: (list?.total ?? 0) - steps.length,
    served: list?.served ?? BY_LEDGER,
  };
}

function otherEnd({ edge, direction }: Step): string {
  return direction === 'OUT' ? edge.toId : edge.fromId;
}
