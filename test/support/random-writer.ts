import { expect, vi } from 'vitest';
import { StoreUnavailableError } from '../../src/memory/errors.ts';
import { linkPages, unlinkPages } from '../../src/memory/link-pages.ts';
import type { PageId, Project } from '../../src/memory/page.ts';
import type { Principal } from '../../src/memory/principal.ts';
import { purgePage } from '../../src/memory/purge-page.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { callerFor, write } from './seed.ts';

/** Few pages, so that they are often purged, made again and linked to each other. */
const PAGES = 8;
const LINKS = 3;
/** Neo4j under load may need a while to plan its queries anew; until then the ledger answers. */
const RECOVERY = { timeout: 60_000, interval: 200 };

type Known = { readonly id: PageId; readonly title: string; readonly causes: readonly string[] };
type Pair = { readonly from: string; readonly to: string };

/**
 * Writes, links, unlinks and purges the pages of one project at random, and remembers what was
 * acknowledged. Nobody else may write to the project.
 */
export class RandomWriter {
  #stores: Stores;
  readonly #project: Project;
  readonly #principal: Principal;
  readonly #pages = new Map<string, Known>();
  /** Pages whose last write was not answered: it may have been done. */
  readonly #unsurePages = new Set<string>();
  readonly #fixes = new Map<string, Pair>();
  readonly #unsureFixes = new Map<string, Pair>();
  #writes = 0;
  /** Writes that were answered with a `StoreUnavailableError`. */
  refused = 0;

  constructor(stores: Stores, project: Project, principal: Principal) {
    this.#stores = stores;
    this.#project = project;
    this.#principal = principal;
  }

  get tenant(): string {
    return this.#principal.tenant;
  }

  /** From now on it writes to, and reads from, these stores over the same database. */
  readFrom(stores: Stores): void {
    this.#stores = stores;
  }

  /** One write. A store that is away is taken as it comes; any other error is thrown. */
  async step(): Promise<void> {
    const [one, other] = [pathOf(below(PAGES)), pathOf(below(PAGES))];
    const dice = below(10);
    const areKnown = this.#isSure(one) && this.#isSure(other) && one !== other;
    if (dice < 2 && this.#isSure(one)) await this.#purge(one);
    else if (dice < 5 && areKnown) await this.#link(one, other);
    else if (dice < 7 && areKnown) await this.#unlink(one, other);
    else await this.#write(one);
  }

  /** Expects every acknowledged write to be there, and edges to be served by Neo4j, none missing. */
  async expectReadable(): Promise<void> {
    await this.#settle();
    const { view } = await callerFor(this.#stores, this.#principal);
    const paths = Array.from({ length: PAGES }, (_, index) => pathOf(index));
    const keys = paths.map((path) => ({ projectId: this.#project.id, path }));
    const found = await this.#stores.pages.findManyByKey(view, keys);
    expect(found.map((page) => page?.title ?? null)).toEqual(
      paths.map((path) => this.#pages.get(path)?.title ?? null),
    );

    const kinds = ['CAUSES', 'FIXES'] as const;
    const requests = [...this.#pages.values()].flatMap(({ id }) =>
      kinds.map((kind) => ({
        pageId: id,
        kinds: [kind],
        direction: 'OUT' as const,
        first: PAGES,
        after: null,
      })),
    );
    const lists = await vi.waitFor(async () => {
      const answered = await this.#stores.graph.listEdges(view, requests);
      for (const { served } of answered) {
        expect(served).toMatchObject({ by: 'NEO4J', isStale: false });
      }
      return answered;
    }, RECOVERY);
    expect(lists.map(({ edges }) => edges.map(({ edge }) => edge.toId).sort())).toEqual(
      [...this.#pages].flatMap(([path, { causes }]) => [
        this.#idsOf(causes),
        this.#idsOf([...this.#fixes.values()].filter(({ from }) => from === path).map(toEnd)),
      ]),
    );
  }

  #isSure(path: string): boolean {
    return this.#pages.has(path) && !this.#unsurePages.has(path);
  }

  #idsOf(paths: readonly string[]): PageId[] {
    return paths.flatMap((path) => this.#pages.get(path)?.id ?? []).sort();
  }

  async #write(path: string): Promise<void> {
    const title = `${path} of write ${++this.#writes}`;
    const targets = Array.from({ length: below(LINKS + 1) }, () => pathOf(below(PAGES)));
    const causes = [...new Set(targets)].filter((target) => target !== path);
    const body = causes.map((target) => `- causes [[${target}]]`).join('\n');
    this.#unsurePages.add(path);
    await this.#ask(async () => {
      const page = { projectId: this.#project.id, path, title, body };
      const { result } = await write(this.#stores, { pages: [page] }, this.#principal);
      const [written] = result;
      if (written === undefined) throw new Error('Nothing was written.');
      // A purge that was not answered was done after all.
      if (written.outcome === 'CREATED') this.#forgetFixes(path);
      this.#pages.set(path, { id: written.pageId, title, causes });
      this.#unsurePages.delete(path);
    });
  }

  async #purge(path: string): Promise<void> {
    const page = this.#pages.get(path);
    if (page === undefined) return;
    this.#unsurePages.add(path);
    await this.#ask(async () => {
      await purgePage(this.#stores, await callerFor(this.#stores, this.#principal), page.id);
      this.#pages.delete(path);
      this.#unsurePages.delete(path);
      this.#forgetFixes(path);
    });
  }

  async #link(from: string, to: string): Promise<void> {
    const key = `${from} ${to}`;
    this.#unsureFixes.set(key, { from, to });
    await this.#ask(async () => {
      const caller = await callerFor(this.#stores, this.#principal);
      await linkPages(this.#stores, caller, { edges: [this.#toEdge(from, to)] });
      this.#fixes.set(key, { from, to });
      this.#unsureFixes.delete(key);
    });
  }

  async #unlink(from: string, to: string): Promise<void> {
    const key = `${from} ${to}`;
    this.#unsureFixes.set(key, { from, to });
    await this.#ask(async () => {
      const caller = await callerFor(this.#stores, this.#principal);
      await unlinkPages(this.#stores, caller, [this.#toEdge(from, to)]);
      this.#fixes.delete(key);
      this.#unsureFixes.delete(key);
    });
  }

  #toEdge(from: string, to: string) {
    const [fromId = '', toId = ''] = [from, to].map((path) => this.#pages.get(path)?.id);
    return { kind: 'FIXES' as const, fromId, toId };
  }

  #forgetFixes(path: string): void {
    for (const fixes of [this.#fixes, this.#unsureFixes]) {
      for (const [key, { from, to }] of fixes) {
        if (from === path || to === path) fixes.delete(key);
      }
    }
  }

  async #ask(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      expect(error).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true });
      this.refused += 1;
    }
  }

  /** Writes once more what may or may not have been done. */
  async #settle(): Promise<void> {
    const refused = this.refused;
    for (const path of [...this.#unsurePages]) await this.#write(path);
    for (const { from, to } of [...this.#unsureFixes.values()]) await this.#unlink(from, to);
    expect(this.refused).toBe(refused);
  }
}

/** Has each do one step after the other, all side by side, until it is told to stop. */
export function keepWriting(
  writers: readonly { readonly step: () => Promise<void> }[],
  pauseMs = 5,
): { readonly stop: () => Promise<void> } {
  let isStopped = false;
  const all = Promise.all(
    writers.map(async (writer) => {
      while (!isStopped) {
        await writer.step();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }),
  );
  // Told by `stop`; without this it would end the process before.
  all.catch(() => undefined);
  return {
    async stop() {
      isStopped = true;
      await all;
    },
  };
}

function toEnd({ to }: Pair): string {
  return to;
}

function pathOf(index: number): string {
  return `page-${index}`;
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}
