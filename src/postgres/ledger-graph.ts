import type { GraphStore } from '../memory/graph-store.ts';
import type { TenantDatabase } from './connect.ts';
import { findManyEdges, listEdges } from './ledger-edges.ts';
import { shortestPaths } from './ledger-paths.ts';
import { walk } from './ledger-walk.ts';

/** The graph as the ledger of edges holds it: exact, and there whenever the pages are. */
export function createLedgerGraph(database: TenantDatabase): GraphStore {
  return {
    // A filter is planned in a READ, where conditions that are not given are planned away.
    listEdges: (view, requests, _patience, where) =>
      where === undefined
        ? listEdges(database.ofTenant(view.tenant), view, requests)
        : database
            .ofTenant(view.tenant)
            .transaction('READ', (connection) => listEdges(connection, view, requests, where)),
    findManyEdges: (view, ids) => findManyEdges(database.ofTenant(view.tenant), view, ids),
    walk: (view, query) =>
      database
        .ofTenant(view.tenant)
        .transaction('READ', (connection) => walk(connection, view, query)),
    shortestPaths: (view, query) =>
      database
        .ofTenant(view.tenant)
        .transaction('READ', (connection) => shortestPaths(connection, view, query)),
  };
}
