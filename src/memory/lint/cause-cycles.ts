import type { EdgeId } from '../edge.ts';
import {
  type CauseEdge,
  type Found,
  type LintedPage,
  type LintQuery,
  type LintStore,
  MAX_LINTED_PAGES,
} from '../lint-store.ts';
import type { PageId } from '../page.ts';
import type { View } from '../view.ts';
import { type CircleFinder, createCircleFinder } from './circles.ts';

/** Pages: a shortest circle through the first of them, each the cause of the next and the last of the first. */
export type CauseCycle = {
  /** How many pages take part in circles with these. */
  readonly members: number;
};

/** Edges read at once; about 2 MB. */
const BATCH = 10_000;

/**
 * Pages that bring each other about, as far as the view sees: each group of them once, by the path of
 * its first page in the project. Circles are a matter of the whole, so every `CAUSES` edge in sight is
 * read, in batches; kept of each are two numbers, and of each page its id: about 150 bytes.
 */
export async function listCauseCycles(
  store: LintStore,
  view: View,
  { project, first, after }: LintQuery,
): Promise<readonly Found<CauseCycle>[]> {
  const finder = await readCauses(store, view);
  const groups = [...finder.find()];
  const places = await findPlaces(
    store,
    view,
    groups.flatMap(({ members }) => members),
  );
  const found = groups.flatMap((group): Found<CauseCycle>[] => {
    const members = group.members.flatMap((id) => places.get(id) ?? []);
    const [start] = members.filter((page) => page.project === project.name).sort(byPath);
    if (start === undefined) return [];
    const circle = group.through(start.id);
    return [
      {
        key: [start.path],
        pages: circle.slice(0, MAX_LINTED_PAGES).flatMap((id) => places.get(id) ?? []),
        total: circle.length,
        facts: { members: group.members.length },
      },
    ];
  });
  const last = after?.[0] ?? null;
  return found
    .filter(({ key: [path = ''] }) => last === null || compareBytes(path, last) > 0)
    .sort((a, b) => compareBytes(a.key[0] ?? '', b.key[0] ?? ''))
    .slice(0, first);
}

async function readCauses(store: LintStore, view: View): Promise<CircleFinder> {
  const finder = createCircleFinder();
  let after: EdgeId | null = null;
  for (;;) {
    const batch: readonly CauseEdge[] = await store.listCauses(view, after, BATCH);
    for (const { fromId, toId } of batch) finder.add(fromId, toId);
    if (batch.length < BATCH) return finder;
    after = batch.at(-1)?.id ?? null;
  }
}

async function findPlaces(
  store: LintStore,
  view: View,
  ids: readonly PageId[],
): Promise<ReadonlyMap<PageId, LintedPage>> {
  if (ids.length === 0) return new Map();
  const places = await store.listPlaces(view, ids);
  return new Map(places.map((page) => [page.id, page]));
}

function byPath(a: LintedPage, b: LintedPage): number {
  return compareBytes(a.path, b.path);
}

/** The order of text in the record. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
