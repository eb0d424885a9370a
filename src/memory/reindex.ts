import { type KeywordDocument, keywordDocument } from './indexed-text.ts';
import type { EmbeddedPassage } from './memory-writer.ts';
import type { PageId, ProjectId } from './page.ts';
import { splitPassages } from './passages.ts';
import type { Embedder } from './stores.ts';

/** The place of a version in the order of a reindex: tenant, page, version. */
export type VersionPosition = {
  readonly tenant: string;
  readonly pageId: PageId;
  readonly version: number;
};

/** A stored version, with what its search indexes are made of. */
export type StoredVersion = VersionPosition & {
  readonly projectId: ProjectId;
  readonly title: string;
  readonly body: string;
  /** Since when it is true, milliseconds UTC; null: since ever. */
  readonly validFrom: number | null;
  /** Of the page when this is its current version, else none. */
  readonly hints: readonly string[];
  readonly isCurrent: boolean;
};

/** The search indexes of one version, made anew. */
export type VersionIndex = VersionPosition & {
  readonly projectId: ProjectId;
  readonly validFrom: number | null;
  readonly hints: readonly string[];
  /** As `keyword`, without hints. */
  readonly versionKeyword: KeywordDocument;
  /** Null unless the version is the current one: only that is found by hints and by meaning. */
  readonly current: {
    readonly keyword: KeywordDocument;
    readonly passages: readonly EmbeddedPassage[];
    readonly model: string;
  } | null;
};

export type IndexStore = {
  /** Stored versions of all tenants. */
  countVersions(): Promise<number>;
  /** Stored versions of all tenants after a place, in order; at most `first`. */
  listVersions(after: VersionPosition | null, first: number): Promise<readonly StoredVersion[]>;
  /**
   * Puts indexes of one tenant's versions in place, where they differ. A page that was written in the
   * meantime keeps what that write made.
   *
   * @returns how many versions had a keyword index or vectors that differ
   */
  replaceIndexes(tenant: string, indexes: readonly VersionIndex[]): Promise<number>;
  /** Says that every vector is of this embedder now. */
  noteEmbedder(embedder: Pick<Embedder, 'model' | 'dimensions'>): Promise<void>;
};

export type ReindexCounts = { readonly versions: number; readonly changed: number };

/** Versions made anew at once: bounds memory to some megabytes for bodies of usual length. */
const BATCH = 100;

/**
 * Makes the keyword indexes and vectors of every stored version anew, with the rules and the embedder
 * of this process, and puts them in place where they differ. Reads and writes go on meanwhile.
 * Stopped half-way, it may be started again.
 *
 * @param progress  called after each batch with the versions looked at so far
 */
export async function reindex(
  { indexes, embedder }: { readonly indexes: IndexStore; readonly embedder: Embedder },
  progress: (counts: ReindexCounts) => void = () => {},
): Promise<ReindexCounts> {
  let counts: ReindexCounts = { versions: 0, changed: 0 };
  let after: VersionPosition | null = null;
  for (;;) {
    const versions: readonly StoredVersion[] = await indexes.listVersions(after, BATCH);
    if (versions.length === 0) {
      await indexes.noteEmbedder(embedder);
      return counts;
    }
    const made = await indexVersions(embedder, versions);
    let changed = 0;
    for (const [tenant, ofTenant] of Map.groupBy(made, (each) => each.tenant)) {
      changed += await indexes.replaceIndexes(tenant, ofTenant);
    }
    counts = { versions: counts.versions + versions.length, changed: counts.changed + changed };
    after = versions.at(-1) ?? null;
    progress(counts);
  }
}

async function indexVersions(
  embedder: Embedder,
  versions: readonly StoredVersion[],
): Promise<readonly VersionIndex[]> {
  const passages = versions.map(({ isCurrent, title, body }) =>
    isCurrent ? splitPassages(title, body) : [],
  );
  const vectors = await embedder.embed(passages.flat().map(({ text }) => text));
  let used = 0;
  return versions.map(
    ({ tenant, projectId, pageId, version, title, body, validFrom, hints, isCurrent }, index) => {
      const embedded = (passages[index] ?? []).map(({ ordinal, start, end }) => {
        const vector = vectors[used] ?? null;
        used += 1;
        return { ordinal, start, end, vector };
      });
      const versionKeyword = keywordDocument({ title, body, hints: [] });
      const keyword = hints.length === 0 ? versionKeyword : keywordDocument({ title, body, hints });
      return {
        tenant,
        projectId,
        pageId,
        version,
        validFrom,
        hints,
        versionKeyword,
        current: isCurrent ? { keyword, passages: embedded, model: embedder.model } : null,
      };
    },
  );
}
