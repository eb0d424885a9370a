import type { RecallHit } from '../../src/memory/explain-hits.ts';
import type { Project } from '../../src/memory/page.ts';
import { type Recall, recall } from '../../src/memory/recall.ts';
import type { RecallInput } from '../../src/memory/recall-query.ts';
import type { Stores } from '../../src/memory/stores.ts';
import type { View } from '../../src/memory/view.ts';
import { callerFor, type SeedStores, seedProject } from './seed.ts';

let projects = 0;

/** A project that no other test of the file has, and a filter that keeps to it. */
export async function newProject(
  stores: SeedStores,
): Promise<{ project: Project; filter: { projectIds: string[] } }> {
  projects += 1;
  const project = await seedProject(stores, `project-${projects}`);
  return { project, filter: { projectIds: [project.id] } };
}

/** Recalls as the local principal, or as another view; what is left out is as a caller leaves it out. */
export async function ask(
  stores: Stores,
  text: string,
  changes: Partial<RecallInput> & { readonly view?: View } = {},
): Promise<Recall> {
  const { view, ...given } = changes;
  const input: RecallInput = {
    text,
    filter: {},
    includeSuperseded: false,
    includeArchived: false,
    typeHints: [],
    limit: null,
    tokenBudget: null,
    ranking: null,
    ...given,
  };
  return recall(stores, view ?? (await callerFor(stores)).view, input);
}

export function pathsOf({ hits }: { readonly hits: readonly RecallHit[] }): string[] {
  return hits.map(({ page }) => page.path);
}

/** The score of a hit from its explanation alone. */
export function recomputeScore({ fusion, typeHint, authority, heldBelow }: RecallHit['explain']) {
  if (heldBelow !== null) {
    const { score } = heldBelow;
    return score > 2 ** -1000 ? score * (1 - 2 ** -20) : score - Number.MIN_VALUE;
  }
  let fused = 0;
  for (const { weight, value } of fusion.contributions) fused += weight * value;
  let weight = 1;
  for (const { multiplier } of authority.factors) weight += multiplier;
  if (authority.cap !== null) weight = Math.min(weight, authority.cap.limit);
  return (fused + typeHint.value) * Math.min(1.5, Math.max(0.55, weight));
}
