import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importLines } from '../../src/importing/import-lines.ts';
import { readJsonLines } from '../../src/importing/jsonl.ts';
import { createProject } from '../../src/memory/create-project.ts';
import { LOCAL_PRINCIPAL } from '../../src/memory/principal.ts';
import { createStores } from '../../src/open-stores.ts';
import { tidyTables } from '../../src/postgres/embedded/upkeep.ts';
import { withUpkeep } from '../../src/postgres/upkeep.ts';
import { type Fields, openTestApp, type TestApp } from '../support/app.ts';

type Paths = { readonly nodes: readonly { readonly path: string }[] };
type Way = {
  readonly length: number;
  readonly path: readonly {
    readonly edge: { readonly kind: string };
    readonly page: { readonly path: string };
  }[];
};

/** A folder with `dpdk.jsonl.gz` and `specs.jsonl.gz`; the caller names it, since the data is not ours. */
const folder = process.env.TEST_GRAPH_DATA ?? '';
const file = (name: string) => join(folder, `${name}.jsonl.gz`);

const isThere = existsSync(file('dpdk')) && existsSync(file('specs'));

describe.skipIf(!isThere)('real graphs (set TEST_GRAPH_DATA to their folder)', askRealGraphs);

function askRealGraphs(): void {
  let app: TestApp;

  beforeAll(async () => {
    app = await openTestApp();
    const stores = createStores(withUpkeep(app.database, tidyTables));
    for (const name of ['dpdk', 'specs']) {
      const project = await createProject(stores, { principal: LOCAL_PRINCIPAL }, { name });
      const view = {
        tenant: LOCAL_PRINCIPAL.tenant,
        projectIds: [project.id],
        clearance: 3,
        asOf: null,
        now: stores.clock(),
      };
      const counts = await importLines(
        stores,
        { principal: LOCAL_PRINCIPAL, view },
        project,
        readJsonLines(file(name)),
        { fault: () => {}, progress: () => {} },
      );
      expect(counts.faults).toBe(0);
    }
    await tidyTables(app.database);
  }, 300_000);
  afterAll(() => app.close());

  const page = async <Page extends Fields>(project: string, path: string, fields: string) => {
    const query = `query ($project: String!, $path: String!) {
      page(project: $project, path: $path) { id ${fields} } }`;
    const { data, errors } = await app.ask<{ page: Page }>(query, { project, path });
    expect(errors).toBeUndefined();
    return data.page;
  };
  const paths = (connection: Paths | undefined) =>
    (connection?.nodes ?? []).map(({ path }) => path).sort();
  const recallFirst = async (project: string, text: string) => {
    const { data, errors } = await app.ask<{ recall: { hits: { page: { path: string } }[] } }>(
      `query ($text: String!, $project: String!) {
        recall(input: { text: $text, project: $project, limit: 5 }) {
          hits { page { path title } explain { graphVia { edge from { path } } } } } }`,
      { text, project },
    );
    expect(errors).toBeUndefined();
    return data.recall.hits;
  };

  test('brought in every page, and lets the edges of missing pages wait', async () => {
    const { data } = await app.ask(`{
      dpdk: pages(filter: { projects: ["dpdk"] }, first: 1) { totalCount }
      specs: pages(filter: { projects: ["specs"] }, first: 1) { totalCount } }`);

    expect(data).toEqual({ dpdk: { totalCount: 8195 }, specs: { totalCount: 1396 } });
  });

  test('knows the kind of a commit that is none of ours, and when it was made', async () => {
    const first = await page('dpdk', 'af75078fece3', 'title kind attributes validFrom');

    expect(first).toMatchObject({
      title: 'first public release',
      kind: 'NOTE',
      attributes: { kind: 'commit' },
      validFrom: '2013-03-11T16:19:20Z',
    });
  });

  test('tells what a commit fixes, and what that commit caused', async () => {
    const fix = await page<{ fixes: { nodes: { path: string; causes: Paths }[] } }>(
      'dpdk',
      '16047bd015e2',
      'fixes { nodes { path causes(first: 50) { nodes { path } } } }',
    );

    expect(paths(fix.fixes)).toContain('c8f0abe7f89d');
    const broken = fix.fixes.nodes.find(({ path }) => path === 'c8f0abe7f89d');
    expect(paths(broken?.causes)).toContain('16047bd015e2');
  });

  test('tells what reverted a commit', async () => {
    const reverted = await page<{ contradictedBy: Paths }>(
      'dpdk',
      'a155d430119d',
      'contradictedBy { nodes { path } }',
    );

    expect(paths(reverted.contradictedBy)).toContain('6bc2415c3387');
  });

  test('walks the longest chain of fixes edge by edge, and finds a shorter way between its ends', async () => {
    const [start = '', ...rest] = longestFixes(await fixEdges());
    const walked = [start];
    for (const next of rest) {
      const { fixes } = await page<{ fixes: Paths }>(
        'dpdk',
        walked.at(-1) ?? '',
        'fixes(first: 200) { nodes { path } }',
      );
      if (paths(fixes).includes(next)) walked.push(next);
    }
    const ends = [start, rest.at(-1) ?? ''];
    const [from, to] = await Promise.all(ends.map((path) => page('dpdk', path, '')));

    const { data } = await app.ask<{ path: Way }>(
      `query ($from: ID!, $to: ID!) {
        path(from: $from, to: $to, kinds: [FIXES], maxDepth: 8) {
          length path { direction edge { kind } page { path } } } }`,
      { from: from?.id, to: to?.id },
    );

    expect(walked).toEqual([start, ...rest]);
    expect(rest).toHaveLength(7);
    expect(data.path.length).toBe(6);
    expect(data.path.path.at(-1)?.page.path).toBe(ends[1]);
    const kinds = data.path.path.map((step) => step.edge.kind);
    expect(kinds).toEqual(Array.from({ length: 6 }, () => 'FIXES'));
  });

  test('finds a commit by its own title first', async () => {
    const hits = await recallFirst('dpdk', 'kni: initial import');

    expect(hits[0]?.page.path).toBe('3fc5ca2f6352');
  });

  test('finds a commit by words of its title in another order', async () => {
    const hits = await recallFirst(
      'dpdk',
      'what fix was made in memory for multi process support?',
    );

    expect(hits.map((hit) => hit.page.path)).toContain('916e4f4f4e45');
  });

  test('tells what supersedes a PEP', async () => {
    const old = await page('specs', 'pep-0102', 'supersededBy { nodes { path } } status');

    expect(old).toMatchObject({
      status: 'SUPERSEDED',
      supersededBy: { nodes: [{ path: 'pep-0101' }] },
    });
  });

  test('finds a standard by what it is called', async () => {
    const hits = await recallFirst('specs', 'What is the style guide for Python code?');

    expect(hits[0]?.page.path).toBe('pep-0008');
  });

  test('tells what a PEP mentions', async () => {
    const first = await page<{ references: Paths }>(
      'specs',
      'pep-0001',
      'references(first: 100) { nodes { path } }',
    );

    expect(paths(first.references)).toEqual(expect.arrayContaining(['pep-0013', 'pep-0012']));
  });

  test('answers a question about a standard in plain words', async () => {
    const hits = await recallFirst(
      'specs',
      'how does the fee market change for ETH 1.0 chain work?',
    );

    expect(hits[0]?.page.path).toBe('eip-1559');
  });

  async function fixEdges(): Promise<{ from: string; to: string }[]> {
    return app.database.query<{ from: string; to: string }>({
      text: `select f.path as "from", t.path as "to" from edge e
        join page f on f.id = e.from_id join page t on t.id = e.to_id where e.kind = 'FIXES' order by 1, 2`,
    });
  }
}

/** The longest way over edges that never go round in a circle, as its pages. */
function longestFixes(edges: readonly { from: string; to: string }[]): string[] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const known = new Map<string, string[]>();
  const longestFrom = (path: string, open: ReadonlySet<string>): string[] => {
    const found = known.get(path);
    if (found !== undefined) return found;
    let best: string[] = [];
    for (const { to } of next.get(path) ?? []) {
      if (open.has(to)) continue;
      const rest = longestFrom(to, new Set([...open, to]));
      if (rest.length > best.length) best = rest;
    }
    const own = [path, ...best];
    known.set(path, own);
    return own;
  };
  return [...next.keys()]
    .map((path) => longestFrom(path, new Set([path])))
    .reduce((best, each) => (each.length > best.length ? each : best), []);
}
