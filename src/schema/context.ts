import { type Project, type ProjectId, sensitivityRank } from '../memory/page.ts';
import type { Principal } from '../memory/principal.ts';
import type { Stores } from '../memory/stores.ts';
import type { AsOf, View } from '../memory/view.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one request share. Made anew for each request, so no cache outlives it or serves two callers. */
export type RequestContext = {
  readonly stores: Stores;
  readonly principal: Principal;
  readonly limits: GraphLimits;
  /** What the caller sees at an instant; null for the present. Costs one statement a request. */
  readonly viewAt: (asOf: AsOf | null) => Promise<View>;
  /** The projects that the caller may read, by id. */
  readonly projects: () => Promise<ReadonlyMap<ProjectId, Project>>;
  /** Loaders of one instant. */
  readonly loadersAt: (asOf: AsOf | null) => Loaders;
  /** Forgets what was loaded: after a write of this request. */
  readonly forget: () => void;
};

/** What the server's settings allow a walk. */
export type GraphLimits = { readonly maxDepth: number; readonly hintsEnabled: () => boolean };

export function createContext(
  stores: Stores,
  principal: Principal,
  limits: GraphLimits,
): RequestContext {
  const now = stores.clock();
  let readable: Promise<ReadonlyMap<ProjectId, Project>> | null = null;
  const loaders = new Map<string, Loaders>();

  const projects = (): Promise<ReadonlyMap<ProjectId, Project>> => {
    readable ??= stores.projects
      .list(principal.tenant, principal.projects)
      .then((found) => new Map(found.map((project) => [project.id, project])));
    return readable;
  };

  const viewAt = async (asOf: AsOf | null): Promise<View> => ({
    tenant: principal.tenant,
    projectIds: [...(await projects()).keys()],
    clearance: sensitivityRank(principal.clearance),
    asOf,
    now,
  });

  return {
    stores,
    principal,
    limits,
    viewAt,
    projects,
    loadersAt(asOf) {
      const key = asOf === null ? '' : `${asOf.validAt}/${asOf.recordedAt}`;
      const found = loaders.get(key) ?? createLoaders(stores, () => viewAt(asOf));
      loaders.set(key, found);
      return found;
    },
    forget() {
      readable = null;
      loaders.clear();
    },
  };
}
