import { type Caller, requireScope } from './caller.ts';
import { sensitivityRank } from './page.ts';
import type { Principal } from './principal.ts';
import { type ReadableProjects, toReadableProjects } from './readable-projects.ts';
import type { Stores } from './stores.ts';
import type { AsOf, View } from './view.ts';

/** What one request of a caller may read and write. Made anew for each, so that nothing outlives it. */
export type Access = {
  readonly stores: Stores;
  readonly principal: Principal;
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
  /**
   * For what outlives its request.
   *
   * @throws {UnauthenticatedError} once the credentials of the caller are no longer good
   */
  readonly stillAdmitted: () => Promise<void>;
  /** Forgets what was looked up: after a write of this request. */
  readonly forget: () => void;
};

/** @param admitAgain  asks the caller's credentials anew; throws when they are no longer good */
export function createAccess(
  stores: Stores,
  principal: Principal,
  admitAgain: () => unknown = () => undefined,
): Access {
  let now = stores.clock();
  let allowed: Promise<ReadableProjects> | null = null;

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

  return {
    stores,
    principal,
    projects,
    viewAt: async (asOf) => toView(await projects(), asOf),
    async toWrite() {
      const found = await allowedProjects();
      return { caller: { principal, view: toView(found, null) }, projects: found };
    },
    async stillAdmitted() {
      await admitAgain();
    },
    forget() {
      now = stores.clock();
      allowed = null;
    },
  };
}
