import { keywordQuery } from '../../src/memory/keyword-query.ts';
import {
  BASELINE,
  RANKING_PROFILES,
  type RankingProfile,
} from '../../src/memory/ranking-profiles.ts';
import { recall } from '../../src/memory/recall.ts';
import type { Stores } from '../../src/memory/stores.ts';
import { DEPTH } from './metrics.ts';
import type { Query } from './neutral-format.ts';
import type { SeededSet } from './seed-set.ts';

/** One way to answer a query: an arm alone, or the whole of recall with a ranking profile. */
export type Ranker = {
  readonly name: string;
  /** Keys, best first, at most `DEPTH`. */
  readonly rank: (stores: Stores, set: SeededSet, query: Query) => Promise<readonly string[]>;
};

const KEYWORD: Ranker = {
  name: 'keyword arm',
  rank: async ({ recall: store }, { view, keyOf }, { q }) => {
    const { terms, names } = keywordQuery(q);
    const hits = await store.session(view, (session) =>
      session.searchByKeywords({ filter: {}, window: DEPTH, terms, names }),
    );
    return hits.map(({ pageId }) => keyOf(pageId));
  },
};

const DENSE: Ranker = {
  name: 'dense arm',
  rank: async ({ recall: store, embedder }, { view, keyOf }, { q }) => {
    const [vector] = await embedder.embed([q]);
    if (vector == null) return [];
    const hits = await store.session(view, (session) =>
      session.searchByVector({ filter: {}, window: DEPTH, vector, model: embedder.model }),
    );
    return hits.map(({ pageId }) => keyOf(pageId));
  },
};

/** A ranking profile that there is none of. */
export class UnknownProfileError extends Error {
  override readonly name = 'UnknownProfileError';
}

/**
 * The arms, then the profiles; the first profile is what the others are compared with.
 *
 * @throws {UnknownProfileError} naming those that there are
 */
export function rankersOf(profiles: readonly string[]): readonly Ranker[] {
  const unknown = profiles.find((name) => !PROFILE_NAMES.includes(name));
  if (unknown !== undefined) {
    const known = PROFILE_NAMES.join(', ');
    throw new UnknownProfileError(`profile: expected one of ${known}, but got "${unknown}".`);
  }
  const named = RANKING_PROFILES.filter(({ name }) => profiles.includes(name)).sort(
    (a, b) => profiles.indexOf(a.name) - profiles.indexOf(b.name),
  );
  return [KEYWORD, DENSE, ...[...named, ...named.flatMap(ablate)].map(ofProfile)];
}

export const PROFILE_NAMES: readonly string[] = RANKING_PROFILES.map(({ name }) => name);

/** A profile without each one of its features, where it has several. */
function ablate(profile: RankingProfile): readonly RankingProfile[] {
  const { name: _, ...off } = BASELINE;
  const features = (Object.keys(off) as (keyof typeof off)[]).filter(
    (key) => profile[key] !== BASELINE[key],
  );
  if (features.length < 2) return [];
  return features.map((feature) => ({
    ...profile,
    name: `${profile.name} without ${feature}`,
    [feature]: BASELINE[feature],
  }));
}

function ofProfile(profile: RankingProfile): Ranker {
  return {
    name: profile.name,
    rank: async (stores, { view, keyOf }, { q, typeHints = [] }) => {
      const { hits } = await recall(stores, view, {
        text: q,
        filter: {},
        includeSuperseded: false,
        includeArchived: false,
        typeHints,
        limit: DEPTH,
        tokenBudget: null,
        ranking: profile,
      });
      return hits.map(({ page }) => keyOf(page.id));
    },
  };
}
