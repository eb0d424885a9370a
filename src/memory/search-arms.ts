import { type DoWithout, orWithout } from './degraded.ts';
import type { Rankings } from './fuse-rankings.ts';
import type { KeywordQuery } from './keyword-query.ts';
import type { PageId } from './page.ts';
import type { PageFilter } from './page-store.ts';
import type { QueryVector } from './query-meaning.ts';
import type { DenseHit, KeywordHit, RecallSession } from './recall-store.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

export type Found = {
  readonly rankings: Omit<Rankings, 'graph'>;
  readonly keyword: readonly KeywordHit[];
  readonly dense: ReadonlyMap<PageId, DenseHit>;
};

type ArmsQuery = {
  readonly filter: PageFilter;
  readonly window: number;
  readonly words: KeywordQuery;
  /** Null where the dense arm takes no part. */
  readonly vector: QueryVector | null;
};

/**
 * The two arms that search, over one snapshot, and the exact cosine of what only words found. When
 * the dense arm fails or is late, what the words found stands; the snapshot of a late one is let go
 * when the store gives its statement up.
 */
export async function searchArms(
  { recall: store }: Pick<Stores, 'recall'>,
  view: View,
  query: ArmsQuery,
  doWithout: DoWithout,
): Promise<Found> {
  const { filter, window, words } = query;
  const byWords = Promise.withResolvers<readonly KeywordHit[]>();
  const byMeaning = store.session(view, async (session) => {
    const { terms, names } = words;
    const keyword = await session.searchByKeywords({ filter, window, terms, names });
    byWords.resolve(keyword);
    return searchMeaning(session, keyword, query);
  });
  // A session that ends before the words are found has failed with them.
  byMeaning.catch(byWords.reject);

  const keyword = await byWords.promise;
  const dense =
    query.vector === null ? await byMeaning : await orWithout('DENSE', byMeaning, doWithout);
  return toFound(words, keyword, dense ?? NOTHING);
}

type Meaning = {
  readonly ranked: readonly DenseHit[];
  /** Of the pages that only words found, as far as they have a vector. */
  readonly exact: readonly DenseHit[];
};

const NOTHING: Meaning = { ranked: [], exact: [] };

/**
 * What was found, with the exact cosine of more pages: those that a session recorded next to a hit are
 * weighed by their own meaning too, not by their neighbour's alone.
 */
export async function withMeaningOf(
  { recall: store }: Pick<Stores, 'recall'>,
  view: View,
  found: Found,
  pageIds: readonly PageId[],
  vector: QueryVector | null,
): Promise<Found> {
  const missing = [...new Set(pageIds)].filter((id) => !found.rankings.similarities.has(id));
  if (vector === null || missing.length === 0) return found;
  const exact = await store.session(view, (session) => session.similarities(missing, vector));
  const hits = exact.filter((hit) => hit !== null);
  const { similarities } = found.rankings;
  return {
    ...found,
    dense: new Map([...found.dense, ...hits.map((hit) => [hit.pageId, hit] as const)]),
    rankings: {
      ...found.rankings,
      similarities: new Map([
        ...similarities,
        ...hits.map(({ pageId, similarity }) => [pageId, similarity] as const),
      ]),
    },
  };
}

async function searchMeaning(
  session: RecallSession,
  keyword: readonly KeywordHit[],
  { filter, window, vector }: ArmsQuery,
): Promise<Meaning> {
  if (vector === null) return NOTHING;
  const ranked = await session.searchByVector({ filter, window, ...vector });
  const near = new Set(ranked.map(({ pageId }) => pageId));
  const rest = keyword.map(({ pageId }) => pageId).filter((pageId) => !near.has(pageId));
  const exact = await session.similarities(rest, vector);
  return { ranked, exact: exact.filter((hit) => hit !== null) };
}

function toFound(
  { names, isLookUp }: KeywordQuery,
  keyword: readonly KeywordHit[],
  { ranked, exact }: Meaning,
): Found {
  const hits = [...ranked, ...exact];
  const lookedUp = new Set(names.map(({ term }) => term));
  return {
    keyword,
    dense: new Map(hits.map((hit) => [hit.pageId, hit])),
    rankings: {
      keyword,
      dense: ranked,
      similarities: new Map(hits.map(({ pageId, similarity }) => [pageId, similarity])),
      isHinted: keyword[0]?.matchedIn.every((place) => place === 'HINT') ?? false,
      isLookUp: isLookUp && keyword.some(({ terms }) => terms.some((term) => lookedUp.has(term))),
    },
  };
}
