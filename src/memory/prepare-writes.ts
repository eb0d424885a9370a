import { keywordDocument } from './indexed-text.ts';
import type { PageWrite } from './memory-writer.ts';
import { splitPassages } from './passages.ts';
import type { Stores } from './stores.ts';

/** What a write says, before anything is made of it. */
export type PageDraft = Omit<PageWrite, 'keyword' | 'versionKeyword' | 'passages' | 'model'>;

/**
 * Makes what a transaction of writes must not wait for: words, passages and their vectors.
 *
 * Costs one embedding for each passage, all asked for at once.
 */
export async function prepareWrites(
  embedder: Stores['embedder'],
  drafts: readonly PageDraft[],
): Promise<PageWrite[]> {
  const passages = drafts.map(({ title, body }) => splitPassages(title, body));
  const vectors = await embedder.embed(passages.flat().map(({ text }) => text));
  let used = 0;
  return drafts.map((draft, index): PageWrite => {
    const own = passages[index] ?? [];
    const embedded = own.map(({ ordinal, start, end }, at) => ({
      ...{ ordinal, start, end },
      vector: vectors[used + at] ?? null,
    }));
    used += own.length;
    const keyword = keywordDocument(draft);
    return {
      ...draft,
      keyword,
      versionKeyword: draft.hints.length === 0 ? keyword : keywordDocument({ ...draft, hints: [] }),
      passages: embedded,
      model: embedder.model,
    };
  });
}
