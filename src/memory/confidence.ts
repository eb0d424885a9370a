import type { EvidenceSummary } from './page-store.ts';
import type { View } from './view.ts';

/** How sure we are of a page, and what that rests on. */
export type Confidence = {
  /** 0 to 0.95. */
  readonly value: number;
  readonly evidenceCount: number;
  /** Evidence from before it spoke for content that was replaced; null where all counts. */
  readonly evidenceCountsSince: number | null;
  readonly distinctSessions: number;
  readonly newestEvidenceAt: number | null;
  readonly unresolvedContradictions: number;
};

const MAX_CONFIDENCE = 0.95;
/** Sessions over which confidence grows by 1 - 1/e. */
const BREADTH_SCALE = 3;
/** What a further row of a session that is counted already adds, and the most that such rows add. */
const REPEAT_SHARE = 0.2;
const MAX_REPEATS = 1;
/** Days over which the part that ages falls to 1/e. */
const AGE_SCALE_DAYS = 30;
/** The part that does not age. */
const LASTING_SHARE = 0.5;
const DAY_MS = 86_400_000;

/**
 * Belief strength from evidence alone: with `s` distinct sessions, `n` rows, `age` days since the
 * newest and `c` unresolved contradictions against the page,
 *
 *     breadth    = s + min(0.2 (n - s), 1)
 *     confidence = min(0.95, (1 - e^(-breadth/3)) · (0.5 + 0.5 e^(-age/30)) · 1/(1 + c))
 *
 * Many sightings of one session are hardly more than one, old ones fade but to a half, and a dispute
 * halves it. Rises strictly with sessions below the ceiling; falls with age and with disputes.
 *
 * @param at  the view that reads: its age is that at the recorded instant, and now in the present
 */
export function confidence(evidence: EvidenceSummary, at: Pick<View, 'asOf' | 'now'>): Confidence {
  const now = at.asOf?.recordedAt ?? at.now;
  const { count, countsSince, distinctSessions, newestAt, unresolvedContradictions } = evidence;
  const repeats = Math.min(REPEAT_SHARE * (count - distinctSessions), MAX_REPEATS);
  const breadth = distinctSessions + repeats;
  const ageDays = newestAt === null ? 0 : Math.max(0, now - newestAt) / DAY_MS;
  const grown = 1 - Math.exp(-breadth / BREADTH_SCALE);
  const fresh = LASTING_SHARE + (1 - LASTING_SHARE) * Math.exp(-ageDays / AGE_SCALE_DAYS);
  return {
    value: Math.min(MAX_CONFIDENCE, (grown * fresh) / (1 + unresolvedContradictions)),
    evidenceCount: count,
    evidenceCountsSince: countsSince,
    distinctSessions,
    newestEvidenceAt: newestAt,
    unresolvedContradictions,
  };
}
