import type { Changed, SessionPageWrite } from './memory-writer.ts';
import { DEFAULT_IMPORTANCE } from './parse-page-input.ts';
import { type PageDraft, prepareWrites } from './prepare-writes.ts';
import type { Redactor } from './redaction.ts';
import { renderSessionPage } from './session-page.ts';
import type { SessionDraft } from './session-store.ts';
import type { Stores } from './stores.ts';
import { SessionBusyError } from './write-conflicts.ts';

/**
 * The writes that sessions come to. A new page is as sensitive as the most sensitive of what it is made
 * of; one that is made anew keeps its sensitivity.
 *
 * Costs one embedding for each passage, all asked for at once.
 *
 * @param which  whether the pages are there already
 */
export async function prepareSessionPages(
  { embedder, redactor }: Pick<Stores, 'embedder' | 'redactor'>,
  drafts: readonly SessionDraft[],
  which: 'NEW' | 'ANEW',
): Promise<SessionPageWrite[]> {
  const writes = await prepareWrites(
    embedder,
    drafts.map((draft) => toPageDraft(draft, redactor, which === 'NEW')),
  );
  return writes.map((write, index) => {
    const draft = drafts[index];
    if (draft === undefined) throw new Error('Expected one write for each session, but got more.');
    return { sessionId: draft.session.id, revision: draft.revision, write };
  });
}

function toPageDraft(draft: SessionDraft, redactor: Redactor, isNew: boolean): PageDraft {
  const { session, sensitivity } = draft;
  return {
    ...renderSessionPage(draft, redactor),
    tags: [],
    attributes: {},
    importance: DEFAULT_IMPORTANCE,
    hints: [],
    archived: false,
    field: '',
    projectId: session.projectId,
    kind: 'SESSION',
    sensitivity,
    hasSensitivity: isNew,
    validFrom: session.startedAt,
    validTo: null,
    hasValidTime: true,
    expectedVersion: null,
    evidenceId: session.id,
  };
}

/** Each try embeds anew, so few of them. */
const MAX_TRIES = 5;

/** Prepares and writes again while sessions change in between. @throws {SessionBusyError} after five tries */
export async function untilUnchanged<T>(work: () => Promise<T | Changed>): Promise<T> {
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const done = await work();
    if (done !== 'CHANGED') return done;
  }
  throw new SessionBusyError();
}
