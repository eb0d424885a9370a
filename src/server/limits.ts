/** What one request may ask for. Each is above what real frontends and GraphiQL's introspection send. */
export type RequestLimits = {
  /** Lexical tokens of a document; variables do not count. */
  readonly maxTokens: number;
  /** Brackets of any kind that a document may have open at once: 64 of a JSON literal, and selections around it. */
  readonly maxNesting: number;
  /** Nested selections, counted through fragments. Three hops of connections take 12, GraphiQL's introspection 15. */
  readonly maxDepth: number;
  readonly maxAliases: number;
  readonly maxDirectives: number;
  /** Fields at the root of one operation. */
  readonly maxRootFields: number;
  /** Objects that an operation could return: list sizes multiply. */
  readonly maxCost: number;
  /** Walks of the graph that an operation could start: list sizes multiply. Three for each of ten hits pass. */
  readonly maxWalks: number;
  /** Hops along edges that connections and walks may nest to, together. */
  readonly maxGraphDepth: number;
  /** Bytes of a request's body. */
  readonly maxBodyBytes: number;
};

export const DEFAULT_LIMITS: RequestLimits = {
  maxTokens: 10_000,
  maxNesting: 128,
  maxDepth: 20,
  maxAliases: 50,
  maxDirectives: 50,
  maxRootFields: 20,
  maxCost: 500_000,
  maxWalks: 50,
  maxGraphDepth: 4,
  // A batch of 1,000 pages of ordinary length, or 16 of the largest.
  maxBodyBytes: 16 * 1024 * 1024,
};
