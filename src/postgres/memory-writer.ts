import type { MemoryWriter } from '../memory/memory-writer.ts';
import type { TenantDatabase } from './connect.ts';
import { giveFeedback } from './give-feedback.ts';
import { linkPages, linkWhenPresent, unlinkPages } from './link-pages.ts';
import { purgePage } from './purge-page.ts';
import { resolveContradiction } from './resolve-contradiction.ts';
import { writePages } from './write-pages.ts';

/** Writes over a Postgres database, each in one transaction with its outbox rows. */
export function createMemoryWriter(database: TenantDatabase, clock: () => number): MemoryWriter {
  return {
    writePages: (view, writes, idempotency, sessionId) =>
      writePages(database, view, writes, idempotency, sessionId, clock()),
    linkPages: (view, edges, idempotency) => linkPages(database, view, edges, idempotency, clock()),
    linkWhenPresent: (view, edges) => linkWhenPresent(database, view, edges, clock()),
    unlinkPages: (view, edges) => unlinkPages(database, view, edges, clock()),
    giveFeedback: (view, feedback, idempotency) =>
      giveFeedback(database, view, feedback, idempotency, clock()),
    resolveContradiction: (view, change, idempotency) =>
      resolveContradiction(database, view, change, idempotency, clock()),
    purgePage: (view, pageId, principal, derived) =>
      purgePage(database, view, { pageId, principal, derived }, clock()),
  };
}
