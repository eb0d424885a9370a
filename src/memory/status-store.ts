import type { EdgeKind } from './edge.ts';
import type { EvidenceSource } from './evidence.ts';
import type { PageKind, PageStatus } from './page.ts';
import type { ProjectionStatus } from './readiness.ts';
import type { View } from './view.ts';

export type Counted<Name> = { readonly name: Name; readonly count: number };

/** What the view sees of the present, in numbers. Names that have none are left out. */
export type StoreCounts = {
  readonly pagesByKind: readonly Counted<PageKind>[];
  readonly pagesByStatus: readonly Counted<PageStatus>[];
  /** Active edges with both ends in sight. */
  readonly edgesByKind: readonly Counted<EdgeKind>[];
  readonly evidenceBySource: readonly Counted<EvidenceSource>[];
  /** Passages whose vector is of another encoder than the one named: not found by meaning until `reindex`. */
  readonly embeddingBacklog: number;
};

export type StoreVersions = {
  readonly postgres: string;
  readonly pgvector: string;
  /** Null where the ledger serves edges, and while Neo4j does not answer. */
  readonly neo4j: string | null;
  /** The last migration of the schema of Postgres: `0001_project`. */
  readonly migration: string;
};

export type StatusStore = {
  /** Four statements, however much there is; time grows with pages, edges and evidence. */
  count(view: View, model: string): Promise<StoreCounts>;
  findVersions(): Promise<StoreVersions>;
  /** Of one tenant; null where no graph database is configured, and nothing is carried. */
  findProjection(tenant: string): Promise<ProjectionStatus | null>;
};
