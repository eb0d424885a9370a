/** The stores that edges are read from. */
export type ServedBy = 'LEDGER' | 'NEO4J';

/** Changes that an answer lacks: how many, and for how long the oldest of them. */
export type Lag = { readonly events: number; readonly seconds: number };

/** Where an answer comes from, and what it may lack. */
export type Served = {
  readonly by: ServedBy;
  /** Whether writes of the tenant that were done before the question are missing. */
  readonly isStale: boolean;
  /** Of nothing when it is not stale. */
  readonly lag: Lag;
};

export const NO_LAG: Lag = { events: 0, seconds: 0 };

/** The ledger is the record: it lacks nothing. */
export const BY_LEDGER: Served = { by: 'LEDGER', isStale: false, lag: NO_LAG };

/** What holds of an answer that two reads made: it lacks what either lacks. */
export function mergeServed(one: Served, other: Served): Served {
  return {
    by: one.by === other.by ? one.by : 'LEDGER',
    isStale: one.isStale || other.isStale,
    lag: {
      events: Math.max(one.lag.events, other.lag.events),
      seconds: Math.max(one.lag.seconds, other.lag.seconds),
    },
  };
}
