import { StoreUnavailableError } from './errors.ts';
import type { ChangeLog, Projected, ProjectedGraph } from './graph-projection.ts';
import type { EdgeList, GraphStore, Patience, WalkQuery } from './graph-store.ts';
import { keepVisibleLists, keepVisiblePaths } from './keep-visible.ts';
import type { PageId } from './page.ts';
import { NO_LAG, type Served } from './served.ts';
import type { View } from './view.ts';

export type GraphSources = {
  readonly projected: ProjectedGraph;
  readonly ledger: GraphStore;
  readonly changes: Pick<ChangeLog, 'findNewest' | 'findLag'>;
  /** Those of the pages that the view sees, by the record. One statement. */
  readonly listVisible: (view: View, ids: readonly PageId[]) => Promise<ReadonlySet<PageId>>;
  /** Most time that a reader waits for its tenant's newest write to be projected. */
  readonly waitMs: number;
  /** Hears why the graph database is not asked: once for each reason, until it answers. */
  readonly reportAway?: (reason: string, error: unknown) => void;
};

export type ServedGraph = {
  readonly store: GraphStore;
  /** Whether the graph database is asked; while it is not, the ledger answers. */
  readonly isReady: () => boolean;
  /** Why it is not asked, as its driver's code; null while it is, and before the first try ends. */
  readonly awayReason: () => string | null;
  /** Ends with the try to reach the graph database that is under way, however that goes. */
  readonly settled: () => Promise<void>;
  readonly close: () => void;
};

/** Between two tries of a graph that does not answer. */
const TRY_AGAIN_AFTER_MS = 1_000;
/** Between two looks at how far the projection is; it usually takes some tens of milliseconds. */
const LOOK_EVERY_MS = 10;

/**
 * Edges from the graph database, with the ledger behind it.
 *
 * A reader sees every write of its tenant that was done before the question, or is told what is
 * missing; one that does not wait has it from the ledger. What the graph database does not hold or
 * filter is asked of the ledger: the past, filters of neighbours, by attributes, people, subjects,
 * supersession or resolution, and everything while it does not answer. What it says is checked against
 * the record before it leaves, since a page may just have become hidden.
 */
export function serveGraph({
  projected,
  ledger,
  changes,
  listVisible,
  waitMs,
  reportAway = () => {},
}: GraphSources): ServedGraph {
  const availability = new Availability(projected.prepare, reportAway);

  /** Null when the graph database does not answer, or is behind and nobody waits for it. */
  async function ask<Answer>(
    view: View,
    patience: Patience,
    read: () => Promise<Projected<Answer>>,
  ): Promise<{ readonly answer: Answer; readonly served: Served } | null> {
    if (!availability.isReady()) return null;
    try {
      const [newest, first] = await Promise.all([changes.findNewest(view.tenant), read()]);
      const isBehind = first.sequence < newest;
      if (isBehind && patience === 'AT_ONCE') return null;
      const last =
        isBehind && (await waitFor(view.tenant, newest)) > first.sequence ? await read() : first;
      return { answer: last.answer, served: await toServed(view.tenant, last.sequence, newest) };
    } catch (error) {
      if (!(error instanceof StoreUnavailableError) || error.store !== 'neo4j') throw error;
      availability.lose();
      return null;
    }
  }

  /** @returns the sequence that was reached in time */
  async function waitFor(tenant: string, newest: number): Promise<number> {
    const end = performance.now() + waitMs;
    for (;;) {
      const sequence = await projected.findSequence(tenant);
      if (sequence >= newest || performance.now() >= end) return sequence;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async function toServed(tenant: string, sequence: number, newest: number): Promise<Served> {
    const isStale = sequence < newest;
    const lag = isStale ? await changes.findLag(tenant, sequence) : NO_LAG;
    return { by: 'NEO4J', isStale, lag };
  }

  const store: GraphStore = {
    // By id there is nothing to walk, and the ledger has it in one look-up.
    findManyEdges: ledger.findManyEdges,

    async listEdges(view, requests, patience = 'WAIT', where) {
      if (requests.length === 0) return [];
      const isFiltered =
        where !== undefined ||
        requests.some(
          ({ resolutions, onlyCurrent }) => resolutions !== undefined || onlyCurrent === true,
        );
      const found =
        isPresent(view) && !isFiltered
          ? await ask(view, patience, () => projected.listEdges(view, requests))
          : null;
      if (found === null) return ledger.listEdges(view, requests, patience, where);
      const lists = await keepVisibleLists(found.answer, (ids) => listVisible(view, ids));
      return lists.map((list): EdgeList => ({ ...list, served: found.served }));
    },

    async walk(view, query) {
      if (!isPresent(view) || !isProjected(query)) return ledger.walk(view, query);
      let checking: Promise<ReadonlySet<PageId>> = Promise.resolve(new Set());
      const check = (ids: readonly PageId[]) => {
        checking = ids.length === 0 ? Promise.resolve(new Set()) : listVisible(view, ids);
        // It is waited for below, unless the graph fails first.
        checking.catch(() => undefined);
      };
      const found = await ask(view, 'WAIT', () => projected.walk(view, query, check));
      if (found === null) return ledger.walk(view, query);
      const visible = await checking;
      // Some other way may lead to what lies behind a page that was hidden just now: the ledger knows.
      return found.answer.reached.every(({ pageId }) => visible.has(pageId))
        ? { ...found.answer, served: found.served }
        : ledger.walk(view, query);
    },

    async shortestPaths(view, query) {
      const found = isPresent(view)
        ? await ask(view, 'WAIT', () => projected.shortestPaths(view, query))
        : null;
      if (found === null) return ledger.shortestPaths(view, query);
      const paths = await keepVisiblePaths(found.answer, (ids) => listVisible(view, ids));
      // A way through a page that was hidden just now: the ledger knows the way round.
      if (paths === null) return ledger.shortestPaths(view, query);
      return { ...paths, served: found.served };
    },
  };
  return {
    store,
    isReady: () => availability.isReady(),
    awayReason: () => availability.reason(),
    settled: () => availability.settled(),
    close: () => availability.close(),
  };
}

function isPresent({ asOf }: View): boolean {
  return asOf === null;
}

/** Whether the graph database holds all that the filter asks about. */
function isProjected({ where }: WalkQuery): boolean {
  return (
    where.attributes === undefined &&
    where.people === undefined &&
    where.subjects === undefined &&
    where.excludeSuperseded !== true
  );
}

/**
 * Whether the graph is asked at all. One that did not answer is left alone and prepared anew, again
 * and again, so that no reader's question is spent on finding out.
 */
class Availability {
  readonly #prepare: () => Promise<void>;
  readonly #report: (reason: string, error: unknown) => void;
  #reason: string | null = null;
  #isReady = false;
  #isClosed = false;
  #preparing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(prepare: () => Promise<void>, report: (reason: string, error: unknown) => void) {
    this.#prepare = prepare;
    this.#report = report;
    this.#begin();
  }

  isReady(): boolean {
    return this.#isReady;
  }

  reason(): string | null {
    return this.#reason;
  }

  /** Ends with the try that is under way. */
  async settled(): Promise<void> {
    await this.#preparing;
  }

  lose(): void {
    this.#isReady = false;
    if (this.#preparing === null) this.#begin();
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #begin(): void {
    // One that is due already would go on beside this one, each with tries of its own.
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#isClosed) return;
    this.#preparing = this.#prepare()
      .then(
        () => {
          this.#isReady = true;
          this.#reason = null;
        },
        (error: unknown) => {
          const reason = codeOf(error);
          if (reason !== this.#reason && !this.#isClosed) this.#report(reason, error);
          this.#reason = reason;
          this.#timer = setTimeout(() => this.#begin(), TRY_AGAIN_AFTER_MS);
        },
      )
      .finally(() => {
        this.#preparing = null;
      });
  }
}

/** The code of what was thrown first, below what it was turned into. */
function codeOf(error: unknown): string {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  if (!(cause instanceof Error)) return 'UNKNOWN';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}
