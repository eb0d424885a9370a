import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectNeo4j, type Graph } from '../../src/neo4j/driver.ts';
import { migrateGraph } from '../../src/neo4j/migrate.ts';
import { type LocalServer, type Neo4jAccess, startNeo4j } from '../support/services.ts';

const MIGRATIONS = new URL('../../migrations/neo4j/', import.meta.url);
const PROCESSES = 4;
/** Most rounds have several that meet. */
const ROUNDS = 4;

let neo4j: LocalServer & Neo4jAccess;
let graphs: readonly Graph[];

/** Of its own, since it loses its constraints. */
beforeAll(async () => {
  neo4j = await startNeo4j();
  graphs = Array.from({ length: PROCESSES }, () => connectNeo4j(neo4j));
});

afterAll(async () => {
  for (const graph of graphs) await graph.close();
  await neo4j.remove();
});

async function ask<Row extends object>(text: string): Promise<readonly Row[]> {
  return (
    (await graphs[0]?.read({ name: 'test', text }, (run) =>
      run<Row>({ name: 'test', text }, {}),
    )) ?? []
  );
}

const findRules = () =>
  ask<{ name: string; state: string }>(
    "SHOW INDEXES YIELD name, state, type WHERE type = 'RANGE' RETURN name, state ORDER BY name",
  );

/** As a graph that was never migrated. */
async function forgetMigrations(): Promise<void> {
  const constraints = await ask<{ name: string }>('SHOW CONSTRAINTS YIELD name');
  for (const { name } of constraints) await graphs[0]?.command(`DROP CONSTRAINT ${name}`);
  for (const { name } of await findRules()) await graphs[0]?.command(`DROP INDEX ${name}`);
  await graphs[0]?.command('MATCH (m:SchemaMigration) DELETE m');
}

test('processes that start at once each find the graph migrated, and none fails', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await forgetMigrations();

    await Promise.all(graphs.map((graph) => migrateGraph(graph, MIGRATIONS)));

    const rules = await findRules();
    expect(rules).toHaveLength(12);
    expect(rules.filter(({ state }) => state !== 'ONLINE')).toEqual([]);
    const again = await Promise.all(graphs.map((graph) => migrateGraph(graph, MIGRATIONS)));
    expect(again.flatMap(({ applied }) => applied)).toEqual([]);
  }
});
