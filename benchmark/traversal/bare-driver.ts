import { readFileSync } from 'node:fs';
import neo4j from 'neo4j-driver';

const textOf = (name: string) =>
  readFileSync(new URL(`../../cypher/${name}.cypher`, import.meta.url), 'utf8');

const LIST_VISIBLE = textOf('page_list_visible');
const EXPAND = textOf('page_expand');
const LIST_AMONG = textOf('edge_list_among');

const KINDS = ['CAUSES', 'FIXES', 'CONTRADICTS', 'SUPERSEDES', 'REFERENCES'];
const MAX_PAGES = 100;

export type BareOptions = {
  readonly uri: string;
  readonly user: string;
  readonly password: string;
  readonly namespace: string;
};

/** The same Cypher as a walk runs, through the driver alone: nothing is checked, mapped or shaped. */
export async function openBareDriver(options: BareOptions, tenant: string) {
  const driver = neo4j.driver(options.uri, neo4j.auth.basic(options.user, options.password), {
    disableLosslessIntegers: true,
  });
  const shared = { tenant: options.namespace + tenant, clearance: neo4j.int(3) };

  async function walk(from: string, depth: number, projects: readonly string[]): Promise<number> {
    const session = driver.session({ defaultAccessMode: 'READ' });
    try {
      return await session.executeRead(async (transaction) => {
        const now = neo4j.int(Date.now());
        const start = await transaction.run(LIST_VISIBLE, {
          a: { ...shared, projects, ids: [from] },
        });
        const generation = neo4j.int(start.records[0]?.get('generation') ?? 0);
        const visited: string[] = [from];
        let frontier: string[] = [from];
        for (let hop = 1; hop <= depth && frontier.length > 0; hop++) {
          const level = await transaction.run(EXPAND, {
            a: {
              ...shared,
              generation,
              projects,
              now,
              frontier,
              visited,
              out: KINDS,
              in: [],
              where: {
                kinds: null,
                tags: [],
                includeIds: null,
                excludeIds: [],
                path: null,
                excludeArchived: false,
              },
              fanOut: neo4j.int(50),
              hub: neo4j.int(1_000),
              eachEdge: false,
              limit: neo4j.int(MAX_PAGES - visited.length + 1),
            },
          });
          const fresh: [string][] = level.records[0]?.get('fresh') ?? [];
          frontier = fresh.slice(0, MAX_PAGES - visited.length).map(([id]) => id);
          visited.push(...frontier);
        }
        const among = await transaction.run(LIST_AMONG, {
          a: { ...shared, generation, ids: visited, kinds: KINDS, now },
        });
        return visited.length + among.records.length;
      });
    } finally {
      await session.close();
    }
  }

  return { walk, close: () => driver.close() };
}
