import type { PageId, ProjectId, Sensitivity } from './page.ts';

export type SessionId = string;

/** One stretch of work of an agent in a project. Times are milliseconds UTC. */
export type Session = {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly agent: string;
  readonly task: string;
  /** Who may read it; what was observed in it may be more sensitive. */
  readonly sensitivity: Sensitivity;
  readonly startedAt: number;
  /** Null while it goes on. */
  readonly endedAt: number | null;
  /** The page that its end wrote; whoever sees the session need not see it. */
  readonly pageId: PageId | null;
};

/** Names an observation: `position` is its place among all that happened in the session, from 1. */
export type ObservationKey = { readonly sessionId: SessionId; readonly position: number };

/** What an agent noted in a session, as a view sees it: all pages that it is about are visible. */
export type Observation = ObservationKey & {
  readonly text: string;
  /** 1 to 10. */
  readonly importance: number;
  /** By path. */
  readonly pageIds: readonly PageId[];
  readonly recordedAt: number;
};
