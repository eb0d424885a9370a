import type { Caller } from '../../src/memory/caller.ts';
import { createProject } from '../../src/memory/create-project.ts';
import type { Resolution } from '../../src/memory/edge.ts';
import { type EdgeInput, linkPages, MAX_EDGES_PER_WRITE } from '../../src/memory/link-pages.ts';
import { type PageId, sensitivityRank } from '../../src/memory/page.ts';
import type { PageInput } from '../../src/memory/parse-page-input.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { resolveContradiction } from '../../src/memory/resolve-contradiction.ts';
import type { SessionId } from '../../src/memory/session.ts';
import { startSession } from '../../src/memory/start-session.ts';
import type { Stores } from '../../src/memory/stores.ts';
import type { View } from '../../src/memory/view.ts';
import { writePages } from '../../src/memory/write-pages.ts';
import type { Memory, RecallSet } from './neutral-format.ts';

const PAGES_AT_ONCE = 250;
const AGENT = 'benchmark';
/** Memories without a title get one that says nothing. */
const NO_TITLE = 'Note';

/** A set in a store, as a project of its own. */
export type SeededSet = {
  readonly view: View;
  readonly keyOf: (pageId: PageId) => string;
};

/** Writes a set through the same door as any agent: as pages, then the edges between them. */
export async function seedSet(
  stores: Stores,
  { memories }: RecallSet,
  { name, withHints }: { readonly name: string; readonly withHints: boolean },
): Promise<SeededSet> {
  const principal = LOCAL_PRINCIPAL;
  const project = await createProject(stores, { principal }, { name });
  const caller: Caller = {
    principal,
    view: {
      tenant: principal.tenant,
      projectIds: [project.id],
      clearance: sensitivityRank(principal.clearance),
      asOf: null,
      now: stores.clock(),
    },
  };

  const ids = new Map<string, PageId>();
  const sessions = new Map<string, SessionId>();
  for (const { session, from, memories: some } of toBatches(memories)) {
    if (session !== undefined && !sessions.has(session)) {
      const request = { projectId: project.id, agent: AGENT, task: session };
      sessions.set(session, await startSession(stores, caller, request));
    }
    const pages = some.map((memory, index) => toPage(memory, from + index, withHints));
    const { result } = await writePages(
      stores,
      caller,
      {
        pages: pages.map((page) => ({ ...page, projectId: project.id })),
        sessionId: session === undefined ? null : (sessions.get(session) ?? null),
      },
      {
        projects: new Map([[project.id, project]]),
        hintsEnabled: () => true,
        fieldOf: (index) => `memories.${from + index}.`,
      },
    );
    for (const [index, { pageId }] of result.entries()) ids.set(some[index]?.key ?? '', pageId);
  }

  const edges = memories.flatMap((memory) => toEdges(memory, ids));
  for (let from = 0; from < edges.length; from += MAX_EDGES_PER_WRITE) {
    const some = edges.slice(from, from + MAX_EDGES_PER_WRITE);
    const { result } = await linkPages(stores, caller, { edges: some });
    for (const [index, { edge }] of result.entries()) {
      const outcome = some[index]?.resolution ?? 'UNRESOLVED';
      if (outcome === 'UNRESOLVED') continue;
      await resolveContradiction(stores, caller, { edgeId: edge.id, outcome });
    }
  }
  const keys = new Map([...ids].map(([key, id]) => [id, key]));
  return { view: { ...caller.view, now: stores.clock() }, keyOf: (id) => keys.get(id) ?? id };
}

type Batch = {
  readonly session: string | undefined;
  /** Index of the first. */
  readonly from: number;
  readonly memories: Memory[];
};

/** Memories in their order, so many at once and of one session. */
function toBatches(memories: readonly Memory[]): readonly Batch[] {
  const batches: Batch[] = [];
  for (const [index, memory] of memories.entries()) {
    const last = batches.at(-1);
    const isFull = last === undefined || last.memories.length === PAGES_AT_ONCE;
    if (isFull || last.session !== memory.session) {
      batches.push({ session: memory.session, from: index, memories: [memory] });
    } else last.memories.push(memory);
  }
  return batches;
}

type SetEdge = EdgeInput & { readonly resolution: Resolution | undefined };

/** The path says nothing either: it is an index, so that no key of the data helps. */
function toPage(memory: Memory, index: number, withHints: boolean): Omit<PageInput, 'projectId'> {
  const { title = NO_TITLE, body, kind, hints = [], at } = memory;
  return {
    path: `memories/${index}`,
    title,
    body,
    ...(kind !== undefined && { kind }),
    ...(withHints && { hints }),
    ...(at !== undefined && { validFrom: at }),
  };
}

function toEdges({ key, edges = [] }: Memory, ids: ReadonlyMap<string, PageId>): SetEdge[] {
  return edges.map(({ kind, to, resolution }) => ({
    kind,
    resolution,
    fromId: ids.get(key) ?? '',
    toId: ids.get(to) ?? '',
  }));
}
