import type { PageId } from '../memory/page.ts';
import type { View } from '../memory/view.ts';
import type { Run } from './driver.ts';
import { viewParameters } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';

export const LIST_VISIBLE = readCypher('page_list_visible');

export type Start = {
  /** What the rest of the walk reads, even when another is swapped in meanwhile. */
  readonly generation: number;
  readonly sequence: number;
  /** The visible ones of the pages, in the order given. */
  readonly ids: readonly PageId[];
};

/** Where a walk begins; null when the tenant was never projected. */
export async function startWalk(
  run: Run,
  view: View,
  ids: readonly PageId[],
): Promise<Start | null> {
  const [start] = await run<Start>(LIST_VISIBLE, { ...viewParameters(view), ids });
  return start ?? null;
}
