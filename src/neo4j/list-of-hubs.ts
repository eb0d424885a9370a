import type { EdgeKind } from '../memory/edge.ts';
import type { PageFilter } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Run } from './driver.ts';
import { type EdgeTuple, filterParameters } from './query-parameters.ts';
import { readCypher } from './read-cypher.ts';

export const LIST_OF_HUBS = readCypher('edge_list_of_hubs');

/** An edge, and whether it was found at its `src` end. */
export type ListedEdge = readonly [...EdgeTuple, isOut: boolean];

export type HubList = {
  readonly place: number;
  readonly edges: readonly ListedEdge[];
  /** Whether the list is not full and edges were left unexamined. */
  readonly isCut: boolean;
};

/** The place in a list after which edges come. */
export type ListPlace = {
  readonly typedAt: number;
  readonly typedId: string;
  readonly bareAt: number;
  readonly bareId: string;
};

/** Before the first edge of all. */
export const LIST_START: ListPlace = {
  typedAt: Number.MAX_SAFE_INTEGER,
  typedId: '',
  bareAt: Number.MAX_SAFE_INTEGER,
  bareId: '',
};

/** A list for each request that names a page that is there, in order: see `cypher/edge_list_of_hubs.cypher`. */
export async function listOfHubs(
  run: Run,
  view: View,
  query: {
    readonly generation: number;
    readonly where: PageFilter;
    readonly limit: number;
    readonly scan: number;
    readonly requests: readonly (ListPlace & {
      readonly id: string;
      readonly out: readonly EdgeKind[];
      readonly in: readonly EdgeKind[];
    })[];
  },
): Promise<readonly HubList[]> {
  if (query.requests.length === 0) return [];
  const { where, ...rest } = query;
  return run<HubList>(LIST_OF_HUBS, { ...rest, ...filterParameters(view, where) });
}
