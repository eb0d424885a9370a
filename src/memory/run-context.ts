import type { Caller } from './caller.ts';
import { type Canonical, isSame } from './canonical-json.ts';
import type { PageFilter } from './page-store.ts';
import type { NoVectorCode } from './query-meaning.ts';
import type { Run, RunContext } from './run.ts';
import { searchedProjects } from './searched-projects.ts';
import type { Stores } from './stores.ts';

/** In the order in which a change is told. */
const CODES: { readonly [Part in keyof RunContext]: NoVectorCode } = {
  admitted: 'ADMISSION_WITHDRAWN',
  grants: 'GRANTS_CHANGED',
  projects: 'PROJECTS_CHANGED',
  model: 'MODEL_CHANGED',
  checkpoint: 'CHECKPOINT_MOVED',
};

/** What a query of a run rests on now. One statement. */
export async function readRunContext(
  { recall, embedder }: Pick<Stores, 'recall' | 'embedder'>,
  { principal, view }: Caller,
  run: Run,
  filter: PageFilter,
): Promise<RunContext> {
  const { scopes, projects, clearance } = principal;
  return {
    admitted: view.projectIds.includes(run.projectId),
    grants: { scopes, projects, clearance },
    projects: searchedProjects(view, filter),
    model: modelOf(embedder),
    checkpoint: await recall.findCheckpoint(view, filter),
  };
}

/** Why what was prepared then is no longer good now; null while it is. */
export function findChange(then: RunContext, now: RunContext): NoVectorCode | null {
  const before = new Map<string, Canonical>(Object.entries(then));
  const after = new Map<string, Canonical>(Object.entries(now));
  const changed = Object.entries(CODES).find(
    ([part]) => !isSame(before.get(part), after.get(part)),
  );
  return changed?.[1] ?? null;
}

export function modelOf({ model, dimensions }: Stores['embedder']): string {
  return `${model}/${dimensions}`;
}
