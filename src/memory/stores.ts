import type { BriefingStore } from './briefing-store.ts';
import type { ChangeFeed } from './change-feed.ts';
import type { GraphStore } from './graph-store.ts';
import type { LanguageModel } from './language-model.ts';
import type { LintStore } from './lint-store.ts';
import type { MemoryWriter } from './memory-writer.ts';
import type { PageReader, ProjectStore } from './page-store.ts';
import type { PersonStore } from './person-store.ts';
import type { RecallStore } from './recall-store.ts';
import type { Redactor } from './redaction.ts';
import type { ReflectionStore } from './reflection-store.ts';
import type { RunBook } from './run-book.ts';
import type { SessionStore } from './session-store.ts';
import type { StatusStore } from './status-store.ts';
import type { WordTerms } from './word-terms.ts';

/** Turns texts into unit vectors. Never called inside a transaction. */
export type Embedder = {
  /** Name and version; stored beside every vector. */
  readonly model: string;
  readonly dimensions: number;
  /** One vector for each text, in order; null where a text has nothing to embed. */
  embed(texts: readonly string[]): Promise<(Float32Array | null)[]>;
};

/** Everything memory needs from outside; one object for the whole process. */
export type Stores = {
  readonly projects: ProjectStore;
  readonly pages: PageReader;
  readonly writer: MemoryWriter;
  readonly sessions: SessionStore;
  readonly people: PersonStore;
  readonly graph: GraphStore;
  readonly recall: RecallStore;
  readonly changes: ChangeFeed;
  readonly lints: LintStore;
  readonly briefings: BriefingStore;
  readonly statuses: StatusStore;
  readonly reflections: ReflectionStore;
  readonly embedder: Embedder;
  readonly words: WordTerms;
  readonly runs: RunBook;
  /** Null where none is configured; only `reflect` asks one. */
  readonly model: LanguageModel | null;
  readonly redactor: Redactor;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
};
