import type { Step } from './edge.ts';
import type { Page } from './page.ts';
import type { Served } from './served.ts';
import type { Stores } from './stores.ts';
import { type TraverseInput, traverse, type WalkCaps } from './traverse.ts';
import type { View } from './view.ts';

/** A page that a walk came to, and the last step of its way there. */
export type VisitedPage = {
  readonly page: Page;
  /** Hops, from 1. */
  readonly depth: number;
  readonly step: Step;
  /** Where the step set out from; null where it went away meanwhile. */
  readonly before: Page | null;
};

export type WalkFromPage = {
  /** Nearest first. */
  readonly visited: readonly VisitedPage[];
  /** Whether there is more that the walk left out. */
  readonly isCut: boolean;
  readonly served: Served;
};

/**
 * Walks from one page, and reads the pages that it comes to: one statement more than `traverse`.
 *
 * @param input  without the page; `maxPages` does not count it
 * @throws what `traverse` throws
 */
export async function walkFromPage(
  { graph, pages }: Pick<Stores, 'graph' | 'pages'>,
  view: View,
  start: Page,
  input: Omit<TraverseInput, 'from' | 'maxPages'> & { readonly maxPages: number },
  caps: WalkCaps,
): Promise<WalkFromPage> {
  const asked = { ...input, from: [start.id], maxPages: input.maxPages + 1 };
  const walk = await traverse({ graph }, view, asked, caps);
  const ids = walk.pages.flatMap(({ pageId, depth }) => (depth > 0 ? [pageId] : []));
  const found = ids.length === 0 ? [] : await pages.findMany(view, ids);
  const known = new Map([start, ...found].flatMap((page) => (page ? [[page.id, page]] : [])));
  return {
    visited: walk.pages.flatMap(({ pageId, depth, path }) => {
      const [page, step] = [known.get(pageId), path.at(-1)];
      if (page === undefined || step === undefined) return [];
      const { edge, direction } = step;
      const before = known.get(direction === 'OUT' ? edge.fromId : edge.toId) ?? null;
      return [{ page, depth, step, before }];
    }),
    isCut: walk.truncated.length > 0,
    served: walk.served,
  };
}
