import type { Changed, PageWrite, SessionPageWrite } from './memory-writer.ts';
import type { Page } from './page.ts';
import { DEFAULT_IMPORTANCE } from './parse-page-input.ts';
import { prepareWrites } from './prepare-writes.ts';
import { renderSessionPage } from './session-page.ts';
import type { SessionDraft } from './session-store.ts';
import type { Stores } from './stores.ts';
import { SessionBusyError } from './write-conflicts.ts';

/** What belongs to a page and not to its content; kept when the page of a session is made anew. */
type Kept = Pick<PageWrite, 'tags' | 'attributes' | 'importance' | 'hints' | 'archived'>;

const NEW_PAGE: Kept = {
  tags: [],
  attributes: {},
  importance: DEFAULT_IMPORTANCE,
  hints: [],
  archived: false,
};

/**
 * The write that a session ends in. A new page is as sensitive as the most sensitive of what it is
 * made of; one that is made anew keeps its sensitivity, and what people gave it beside its content.
 *
 * @param page  the page as it is, where it is made anew
 */
export async function prepareSessionPage(
  { embedder, redactor }: Pick<Stores, 'embedder' | 'redactor'>,
  draft: SessionDraft,
  page: Page | null,
): Promise<SessionPageWrite> {
  const { session, sensitivity, revision } = draft;
  const [write] = await prepareWrites(embedder, [
    {
      ...renderSessionPage(draft, redactor),
      ...(page === null ? NEW_PAGE : keptOf(page)),
      field: '',
      projectId: session.projectId,
      kind: 'SESSION',
      sensitivity,
      hasSensitivity: page === null,
      validFrom: session.startedAt,
      validTo: null,
      hasValidTime: true,
      expectedVersion: null,
      evidenceId: session.id,
    },
  ]);
  if (write === undefined) throw new Error('Expected one prepared write, but got none.');
  return { sessionId: session.id, revision, write };
}

function keptOf({ tags, attributes, importance, hints, status }: Page): Kept {
  return { tags, attributes, importance, hints, archived: status === 'ARCHIVED' };
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
