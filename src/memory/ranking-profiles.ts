import type { EdgeKind } from './edge.ts';
import { RANKING_DEFAULTS } from './ranking-defaults.ts';

/** How the arms are merged. */
export const FUSION_METHODS = ['CONVEX', 'RRF'] as const;
export type FusionMethod = (typeof FUSION_METHODS)[number];

/** The switches of one ranking. Off means off: results are those without the feature, byte for byte. */
export type RankingProfile = {
  readonly name: string;
  readonly fusion: FusionMethod;
  /** What an edge of a kind lends to the page at its other end: this part of `GRAPH_SHARE` × the seed's score. */
  readonly edgeWeights: { readonly [Kind in EdgeKind]: number };
  /** Follows `FIXES` and `CAUSES` one hop more, and weighs pages that only edges found by their own meaning too. */
  readonly chain: boolean;
  /**
   * Parts of its score, 0 to 1, that a page lends to those recorded before and after it in a session:
   * to the nearest, the next, and so on.
   */
  readonly sessionNeighbours: readonly number[];
  /** Authority that a short page which ends in a question loses, 0 or below: it asks, it does not answer. */
  readonly askingTerm: number;
  /** Also finds pages by their valid date: `8 May 2023`. */
  readonly dateWords: boolean;
  /** Caps the authority of challenged pages, and puts them below their challenger. */
  readonly contradictionCap: boolean;
};

/** Typed edges were asserted for a reason; a bare mention says less about what a question asks. */
const EDGE_WEIGHTS = { CAUSES: 1, FIXES: 1, CONTRADICTS: 1, SUPERSEDES: 1, REFERENCES: 0.5 };

const CHAIN_WEIGHTS = {
  ...EDGE_WEIGHTS,
  CAUSES: RANKING_DEFAULTS.chainWeight.value,
  FIXES: RANKING_DEFAULTS.chainWeight.value,
};

const SESSION_SHARES = RANKING_DEFAULTS.sessionShares.value;

/** Convex fusion, one hop of the graph. */
export const BASELINE: RankingProfile = {
  name: 'baseline',
  fusion: RANKING_DEFAULTS.fusion.value,
  edgeWeights: EDGE_WEIGHTS,
  chain: false,
  sessionNeighbours: [],
  askingTerm: 0,
  dateWords: false,
  contradictionCap: false,
};

/** All profiles that a caller may name. */
export const RANKING_PROFILES: readonly RankingProfile[] = [
  BASELINE,
  { ...BASELINE, name: 'rrf', fusion: 'RRF' },
  { ...BASELINE, name: 'chain', chain: true, edgeWeights: CHAIN_WEIGHTS },
  { ...BASELINE, name: 'dates', dateWords: true },
  { ...BASELINE, name: 'sessions', sessionNeighbours: SESSION_SHARES },
  {
    ...BASELINE,
    name: 'dialogue',
    dateWords: RANKING_DEFAULTS.dateWords.value,
    sessionNeighbours: SESSION_SHARES,
    askingTerm: RANKING_DEFAULTS.askingTerm.value,
  },
  { ...BASELINE, name: 'contradictions', contradictionCap: true },
];
