import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../cypher/', import.meta.url);

/** A query with the name of its file, which goes into the log of Neo4j. */
export type CypherQuery = { readonly name: string; readonly text: string };

/** Reads `cypher/<name>.cypher`; once for each query, when the module that runs it is loaded. */
export function readCypher(name: string): CypherQuery {
  return { name, text: readFileSync(new URL(`${name}.cypher`, FOLDER), 'utf8') };
}
