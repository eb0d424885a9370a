import type { Lag } from './served.ts';

/** What the projection of all tenants lacks. */
export type ProjectionStatus = {
  readonly lag: Lag;
  /** Changes that could not be carried and were passed over. */
  readonly failures: number;
  /** Tenants that are behind since they could not be brought further; each is tried again later. */
  readonly setbacks: number;
};

/**
 * Whether the service can answer. `degraded`: everything is answered, but edges from the ledger, or
 * with changes passed over or a tenant that can't be brought further; `down`: the record itself does not answer.
 */
export type Readiness = {
  readonly status: 'ok' | 'degraded' | 'down';
  readonly postgres: 'up' | 'down';
  /** Null where no graph database is configured. */
  readonly neo4j: {
    readonly state: 'up' | 'down';
    /** Why it is down, as a code of Neo4j or its driver; the log says more. Null while it is up. */
    readonly reason: string | null;
    /** Whether this process carries the changes. */
    readonly isProjecting: boolean;
    /** Null while the record does not answer. */
    readonly projection: ProjectionStatus | null;
  } | null;
};

/** Asks the record how far the projection is; never throws for a store that is away. */
export async function checkReadiness({
  findStatus,
  graph,
}: {
  /** Throws when the record does not answer. */
  readonly findStatus: () => Promise<ProjectionStatus>;
  readonly graph: {
    readonly isReady: () => boolean;
    readonly awayReason: () => string | null;
    readonly isProjecting: () => boolean;
  } | null;
}): Promise<Readiness> {
  const projection = await findStatus().catch(() => null);
  const neo4j = graph && {
    state: graph.isReady() ? ('up' as const) : ('down' as const),
    reason: graph.isReady() ? null : graph.awayReason(),
    isProjecting: graph.isProjecting(),
    projection,
  };
  const isProjected = projection?.failures === 0 && projection.setbacks === 0;
  const isWhole = neo4j === null || (neo4j.state === 'up' && isProjected);
  return {
    status: projection === null ? 'down' : isWhole ? 'ok' : 'degraded',
    postgres: projection === null ? 'down' : 'up',
    neo4j,
  };
}
