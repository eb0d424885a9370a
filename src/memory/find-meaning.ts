import { type DoWithout, orWithout } from './degraded.ts';
import { encodedText, type QueryMeaning, withoutVector } from './query-meaning.ts';
import type { Stores } from './stores.ts';
import type { View } from './view.ts';

/**
 * The vector of a query: that which was lent to it, else made here, once.
 *
 * @param lent  not null where a caller had the query prepared: then nothing is embedded, come what may
 */
export async function findMeaning(
  stores: Pick<Stores, 'embedder'>,
  view: View,
  query: { readonly text: string },
  lent: QueryMeaning | null,
  doWithout: DoWithout,
): Promise<QueryMeaning> {
  if (view.asOf !== null) return withoutVector('HISTORICAL');
  return lent ?? embedQuery(stores, query, doWithout);
}

export async function embedQuery(
  { embedder }: Pick<Stores, 'embedder'>,
  query: { readonly text: string },
  doWithout: DoWithout,
): Promise<QueryMeaning> {
  const made = await orWithout('DENSE', embedder.embed([encodedText(query)]), doWithout);
  if (made === null) return withoutVector('FAILED');
  const [vector = null] = made;
  if (vector === null) return withoutVector('NOTHING_TO_EMBED');
  return { source: 'EMBEDDED', vector: { vector, model: embedder.model }, reason: null };
}
