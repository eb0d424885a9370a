import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageId, Project } from '../../src/memory/page.ts';
import { LOCAL_PRINCIPAL, type Principal } from '../../src/memory/principal.ts';
import { rebuildGraph } from '../../src/memory/rebuild-graph.ts';
import type { Served } from '../../src/memory/served.ts';
import { traverse } from '../../src/memory/traverse.ts';
import { type OpenStores, openStores } from '../../src/open-stores.ts';
import type { Database } from '../../src/postgres/connect.ts';
import { openServerDatabase } from '../support/database.ts';
import { testNeo4j } from '../support/graph.ts';
import { expectWhole } from '../support/graph-parts.ts';
import { keepWriting, RandomWriter } from '../support/random-writer.ts';
import { callerFor, seedPages, seedProject } from '../support/seed.ts';

const WRITERS = 8;
const READERS = 8;
const REBUILDS = 2;
/** Fewer than the edges that a walk takes of one page. */
const CAUSES = 40;
/** TEST_SOAK_SECONDS gives it more. */
const SOAK_MS = Math.max(10, Number(process.env.TEST_SOAK_SECONDS ?? 0)) * 1_000;

let database: Database & { readonly url: string };
let open: OpenStores;
const reports: string[] = [];

beforeAll(async () => {
  database = await openServerDatabase();
  const { namespace = '', ...neo4j } = testNeo4j(database.url);
  open = await openStores({
    dataFolder: '',
    databaseUrl: database.url,
    neo4j: { ...neo4j, database: null, namespace },
    graphWaitMs: 500,
    report: (message) => reports.push(message),
  });
  await open.graph?.settled();
});

afterAll(async () => {
  await open.close();
  await database.close();
});

/** Two tenants, so that writers of one wait for each other and those of two do not. */
const principalOf = (index: number) => ({ ...LOCAL_PRINCIPAL, tenant: `tenant-${index % 2}` });

async function createWriters(name: string): Promise<readonly RandomWriter[]> {
  return Promise.all(
    Array.from({ length: WRITERS }, async (_, index) => {
      const principal = principalOf(index);
      const project = await seedProject(open.stores, `${name}-${index}`, principal);
      return new RandomWriter(open.stores, project, principal);
    }),
  );
}

/** A page that more and more others cause, and one who asks what causes it right after each write. */
class Reader {
  readonly #principal: Principal;
  readonly #project: Project;
  readonly #written = new Set<PageId>();
  #seen: ReadonlySet<PageId> = new Set();
  reads = 0;
  stale = 0;

  constructor(principal: Principal, project: Project) {
    this.#principal = principal;
    this.#project = project;
  }

  async step(): Promise<void> {
    const path = `cause-${this.reads % CAUSES}`;
    const { effect = '', ...causes } = await seedPages<string>(
      open.stores,
      this.#project,
      { effect: 'It happened.', [path]: '- causes [[effect]]' },
      this.#principal,
    );
    for (const id of Object.values(causes)) this.#written.add(id);

    const { view } = await callerFor(open.stores, this.#principal);
    const [walk, [list]] = await Promise.all([
      traverse(open.stores, view, { from: [effect], direction: 'IN', depth: 1 }),
      open.stores.graph.listEdges(view, [
        { pageId: effect, kinds: ['CAUSES'], direction: 'IN', first: CAUSES, after: null },
      ]),
    ]);
    const walked = walk.pages.map(({ pageId }) => pageId).filter((id) => id !== effect);
    const listed = list?.edges.map(({ edge }) => edge.fromId) ?? [];
    // A stale answer may lack what was just written, never what was seen before.
    const seen = this.#seen;
    this.#expectSeen(new Set(walked), walk.served, seen);
    this.#expectSeen(new Set(listed), list?.served ?? walk.served, seen);
    this.reads += 1;
    if (walk.served.isStale) this.stale += 1;
  }

  #expectSeen(found: ReadonlySet<PageId>, served: Served, seen: ReadonlySet<PageId>): void {
    expect(found.isSubsetOf(this.#written)).toBe(true);
    expect(seen.isSubsetOf(found)).toBe(true);
    if (served.isStale) return;
    expect(found).toEqual(this.#written);
    this.#seen = found;
  }
}

async function createReaders(name: string): Promise<readonly Reader[]> {
  return Promise.all(
    Array.from({ length: READERS }, async (_, index) => {
      const principal = principalOf(index);
      return new Reader(principal, await seedProject(open.stores, `${name}-${index}`, principal));
    }),
  );
}

/** Has all readers and writers at work until the work is done. */
async function during(
  writers: readonly RandomWriter[],
  readers: readonly Reader[],
  work: Promise<unknown>,
): Promise<void> {
  const writing = keepWriting([...writers, ...readers]);
  await work;
  await writing.stop();
  expect(writers.map(({ refused }) => refused)).toEqual(writers.map(() => 0));
  for (const { reads, stale } of readers) expect(reads).toBeGreaterThan(stale);
  await expectWhole(sources(), writers);
  expect(reports).toEqual([]);
}

function sources() {
  if (open.graph === null) throw new Error('Expected a graph.');
  return open.graph.verifySources;
}

test('writers and readers side by side: a reader sees its own write, or is told', {
  timeout: SOAK_MS + 60_000,
}, async () => {
  const [writers, readers] = [await createWriters('soak-w'), await createReaders('soak-r')];

  await during(writers, readers, new Promise((resolve) => setTimeout(resolve, SOAK_MS)));
});

test('a graph made anew while writers write and readers read gives no wrong answer', {
  timeout: 120_000,
}, async () => {
  const [writers, readers] = [await createWriters('anew-w'), await createReaders('anew-r')];
  const rebuild = async () => {
    if (open.graph === null) throw new Error('Expected a graph.');
    for (let time = 0; time < REBUILDS; time++) {
      const { rebuildSources } = open.graph;
      await Promise.all(
        ['tenant-0', 'tenant-1'].map((tenant) => rebuildGraph(rebuildSources, tenant)),
      );
    }
  };

  await during(writers, readers, rebuild());
});
