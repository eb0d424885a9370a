import { type Access, createAccess } from '../memory/access.ts';
import type { Principal } from '../memory/principal.ts';
import type { Stores } from '../memory/stores.ts';
import type { ToolBox } from '../memory/tool-box.ts';
import type { AsOf } from '../memory/view.ts';
import { createLoaders, type Loaders } from './loaders.ts';

/** What the resolvers of one request share. Made anew for each request, so no cache outlives it or serves two callers. */
export type RequestContext = Access & {
  readonly limits: GraphLimits;
  readonly tools: ToolBox;
  /** Loaders of one instant; they read as `viewAt` does. */
  readonly loadersAt: (asOf: AsOf | null) => Loaders;
};

/** What the server's settings allow a walk. */
export type GraphLimits = { readonly maxDepth: number; readonly hintsEnabled: () => boolean };

export function createContext(
  stores: Stores,
  principal: Principal,
  { limits, tools }: Pick<RequestContext, 'limits' | 'tools'>,
  admitAgain?: () => unknown,
): RequestContext {
  const access = createAccess(stores, principal, admitAgain);
  const loaders = new Map<string, Loaders>();

  return {
    ...access,
    limits,
    tools,
    loadersAt(asOf) {
      const key = asOf === null ? '' : `${asOf.validAt}/${asOf.recordedAt}`;
      const found = loaders.get(key) ?? createLoaders(stores, () => access.viewAt(asOf));
      loaders.set(key, found);
      return found;
    },
    forget() {
      access.forget();
      loaders.clear();
    },
  };
}
