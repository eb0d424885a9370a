import type { Project } from '../../memory/page.ts';
import type { ProjectStore } from '../../memory/page-store.ts';

/** Lists that are kept, one for each tenant and choice of names. */
const MAX_KEPT = 1_000;

/**
 * Keeps lists of projects until one is made: each request asks for one first, and on this engine the
 * way there and back costs more than the statement. For a store that no other process has open.
 */
export function keepProjects(store: ProjectStore): ProjectStore {
  const kept = new Map<string, Promise<Project[]>>();

  return {
    list(tenant, names) {
      const key = JSON.stringify([tenant, names]);
      const found = kept.get(key);
      if (found !== undefined) return found;
      if (kept.size >= MAX_KEPT) kept.clear();
      const listed = store.list(tenant, names);
      kept.set(key, listed);
      listed.catch(() => kept.delete(key));
      return listed;
    },

    async create(tenant, project) {
      try {
        return await store.create(tenant, project);
      } finally {
        // Only now: a list that was asked for meanwhile may be from before.
        kept.clear();
      }
    },
  };
}
