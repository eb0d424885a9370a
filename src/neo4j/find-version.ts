import type { Graph } from './driver.ts';
import { readCypher } from './read-cypher.ts';

const FIND_VERSION = readCypher('server_find_version');
/** A server that has just started takes seconds for its first answer. */
const TIMEOUT_MS = 15_000;

export type Neo4jVersion = { readonly version: string; readonly edition: string };

/** @throws {StoreUnavailableError} if Neo4j does not answer, or does not let us in */
export async function findNeo4jVersion(graph: Graph): Promise<Neo4jVersion | null> {
  const [row] = await graph.read(
    FIND_VERSION,
    (run) => run<Neo4jVersion>(FIND_VERSION, {}),
    TIMEOUT_MS,
  );
  return row ?? null;
}
