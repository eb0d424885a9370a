import { randomBytes } from 'node:crypto';
import type { TestProject } from 'vitest/node';
import { connectNeo4j } from '../../src/neo4j/driver.ts';
import { migrateGraph } from '../../src/neo4j/migrate.ts';
import { createProjectedGraph } from '../../src/neo4j/projected-graph.ts';
import { connectPostgres } from '../../src/postgres/connect.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { findNeo4j, findPostgres, type Neo4jAccess, type Service } from './services.ts';

const POSTGRES_MIGRATIONS = new URL('../../migrations/postgres/', import.meta.url);
const NEO4J_MIGRATIONS = new URL('../../migrations/neo4j/', import.meta.url);

/** The services of a run, for those who declare suites over the server profile. */
export type ServerServices = {
  /** Of the database that may make others. */
  readonly databaseUrl: string;
  /** A migrated, empty database, for `create database … template …`. */
  readonly template: string;
  readonly neo4j: Neo4jAccess;
};

declare module 'vitest' {
  export interface ProvidedContext {
    readonly server: ServerServices;
  }
}

/** Starts both services side by side, says which, and migrates each once for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const started = await Promise.allSettled([findPostgres(), findNeo4j()]);
  const stop = async () => {
    await Promise.all(
      started.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)),
    );
  };
  const onSignal = () => void stop().finally(() => process.exit(1));
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const [postgres, neo4j] = started.map((each) => {
      if (each.status === 'rejected') throw each.reason;
      return each.value;
    }) as [Service<{ readonly url: string }>, Service<Neo4jAccess>];
    process.stdout.write(`server suites: Postgres by ${postgres.how}, Neo4j by ${neo4j.how}\n`);
    const [template] = await Promise.all([makeTemplate(postgres.url), warm(neo4j)]);
    const { uri, user, password } = neo4j;
    project.provide('server', {
      databaseUrl: postgres.url,
      template,
      neo4j: { uri, user, password },
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return async () => {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    await stop();
  };
}

async function makeTemplate(url: string): Promise<string> {
  const template = `causeway_template_${randomBytes(6).toString('hex')}`;
  const admin = connectPostgres({ url });
  await admin.query({ text: `create database ${template}` });
  await admin.close();
  const database = connectPostgres({ url: withDatabase(url, template), statementTimeoutMs: 0 });
  await migrate(database, POSTGRES_MIGRATIONS);
  await database.close();
  return template;
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** The first queries of a server that has just started take it seconds to plan. */
async function warm(access: Neo4jAccess): Promise<void> {
  const graph = connectNeo4j(access);
  await migrateGraph(graph, NEO4J_MIGRATIONS);
  await createProjectedGraph(graph).prepare();
  await graph.close();
}
