import { BASELINE } from './ranking-profiles.ts';
import type { ProjectionStatus } from './readiness.ts';
import type { StoreCounts, StoreVersions } from './status-store.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

export type Status = StoreCounts & {
  /** The encoder of texts. */
  readonly embedder: string;
  /** Null where the ledger serves edges. */
  readonly projection: ProjectionStatus | null;
  readonly versions: StoreVersions;
  /** The ranking of a recall that names none. */
  readonly rankingProfile: string;
  readonly gates: { readonly hintsEnabled: boolean };
};

/** How the store is: what the caller sees of it in numbers, and what it runs on. Eight statements at most. */
export async function status(
  { statuses, embedder }: Pick<Stores, 'statuses' | 'embedder'>,
  view: View,
  { hintsEnabled }: { readonly hintsEnabled: () => boolean },
): Promise<Status> {
  const [counts, versions, projection] = await Promise.all([
    statuses.count(view, embedder.model),
    statuses.findVersions(),
    statuses.findProjection(view.tenant),
  ]);
  return {
    ...counts,
    versions,
    projection,
    embedder: embedder.model,
    rankingProfile: BASELINE.name,
    gates: { hintsEnabled: hintsEnabled() },
  };
}
