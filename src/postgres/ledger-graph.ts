import type { GraphStore } from '../memory/graph-store.ts';
import type { Database } from './connect.ts';
import { findManyEdges, listEdges } from './ledger-edges.ts';
import { shortestPaths } from './ledger-paths.ts';
import { walk } from './ledger-walk.ts';

/** The graph as the ledger of edges holds it: exact, and there whenever the pages are. */
export function createLedgerGraph(database: Database): GraphStore {
  return {
    // A filter is planned in a READ, where conditions that are not given are planned away.
    listEdges: (view, requests, _patience, where) =>
      where === undefined
        ? listEdges(database, view, requests)
        : database.transaction('READ', (connection) =>
            listEdges(connection, view, requests, where),
          ),
    findManyEdges: (view, ids) => findManyEdges(database, view, ids),
    walk: (view, query) =>
      database.transaction('READ', (connection) => walk(connection, view, query)),
    shortestPaths: (view, query) =>
      database.transaction('READ', (connection) => shortestPaths(connection, view, query)),
  };
}
