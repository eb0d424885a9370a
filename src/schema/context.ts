import { type Caller, requireScope } from '../memory/caller.ts';
import { sensitivityRank } from '../memory/page.ts';
import type { Principal } from '../memory/principal.ts';
import { type ReadableProjects, toReadableProjects } from '../memory/readable-projects.ts';
import type { Stores } from '../memory/stores.ts';
import type { AsOf, View } from '../memory/view.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one request share. Made anew for each request, so no cache outlives it or serves two callers. */
export type RequestContext = {
  readonly stores: Stores;
  readonly principal: Principal;
  readonly limits: GraphLimits;
  /**
   * What the caller sees at an instant; null for the present. Costs one statement a request.
   *
   * @throws {ForbiddenError} without the scope `memory:read`
   */
  readonly viewAt: (asOf: AsOf | null) => Promise<View>;
  /** The projects that the caller may read. @throws {ForbiddenError} without the scope `memory:read` */
  readonly projects: () => Promise<ReadableProjects>;
  /** What a write needs. It asks for its own scope, and for none to read. */
  readonly toWrite: () => Promise<{
    readonly caller: Caller;
    readonly projects: ReadableProjects;
  }>;
  /** Loaders of one instant; they read as `viewAt` does. */
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
  let now = stores.clock();
  let allowed: Promise<ReadableProjects> | null = null;
  const loaders = new Map<string, Loaders>();

  const allowedProjects = (): Promise<ReadableProjects> => {
    allowed ??= stores.projects.list(principal.tenant, principal.projects).then(toReadableProjects);
    return allowed;
  };
  const toView = ({ byId }: ReadableProjects, asOf: AsOf | null): View => ({
    tenant: principal.tenant,
    projectIds: [...byId.keys()],
    clearance: sensitivityRank(principal.clearance),
    asOf,
    now,
  });

  const projects = async (): Promise<ReadableProjects> => {
    requireScope({ principal }, 'memory:read');
    return allowedProjects();
  };
  const viewAt = async (asOf: AsOf | null): Promise<View> => toView(await projects(), asOf);

  return {
    stores,
    principal,
    limits,
    viewAt,
    projects,
    async toWrite() {
      const found = await allowedProjects();
      return { caller: { principal, view: toView(found, null) }, projects: found };
    },
    loadersAt(asOf) {
      const key = asOf === null ? '' : `${asOf.validAt}/${asOf.recordedAt}`;
      const found = loaders.get(key) ?? createLoaders(stores, () => viewAt(asOf));
      loaders.set(key, found);
      return found;
    },
    forget() {
      now = stores.clock();
      allowed = null;
      loaders.clear();
    },
  };
}
