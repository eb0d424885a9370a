import type { ProjectId } from './page.ts';
import type { View } from './view.ts';

/** What a pass of `reflect` read: a project, by those who may read up to a sensitivity (0 to 3). */
export type ReflectionKey = { readonly projectId: ProjectId; readonly sensitivity: number };

/** Remembers what was reflected on, so that a model is asked only about what is new. */
export type ReflectionStore = {
  /** Digest of what the last pass read; null before the first one. */
  findDigest(view: View, key: ReflectionKey): Promise<string | null>;
  /** In place of the one before. */
  putDigest(view: View, key: ReflectionKey, digest: string): Promise<void>;
};
