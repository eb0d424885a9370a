import { v7 as newId } from 'uuid';
import { NotFoundError } from '../memory/errors.ts';
import type { Committed, Idempotency, PageWrite, WrittenPage } from '../memory/memory-writer.ts';
import type { PageId, ProjectId } from '../memory/page.ts';
import type { SessionId } from '../memory/session.ts';
import {
  believedSince,
  decideOutcome,
  nextRecordedAt,
  toValidTime,
} from '../memory/version-rules.ts';
import type { View } from '../memory/view.ts';
import { VersionConflictError } from '../memory/write-conflicts.ts';
import { syncBodyLinks } from './body-link-edges.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { raiseDerivedPages } from './derived-pages.ts';
import { edgeChanges } from './edge-ledger.ts';
import { once } from './idempotency.ts';
import { countPages, foldWhereDue, listRecounted } from './keyword-statistics.ts';
import { appendChanges, type GraphChange } from './outbox.ts';
import {
  type CurrentPage,
  type DecidedWrite,
  insertEvidence,
  insertPages,
  insertVersions,
  lockPages,
  replaceVersions,
  updatePages,
} from './page-writes.ts';
import { type PagePassages, replacePassages } from './passage-writes.ts';
import { lockSession, recordPages } from './session-order.ts';
import { settleSupersession } from './settle-supersession.ts';
import { toValidFrom } from './time-bounds.ts';
import { writeTransaction } from './write-transaction.ts';

/** Writes pages in one transaction; the number of statements does not grow with their number. */
export async function writePages(
  database: TenantDatabase,
  view: View,
  writes: readonly PageWrite[],
  idempotency: Idempotency | null,
  sessionId: SessionId | null,
  now: number,
): Promise<Committed<readonly WrittenPage[]>> {
  const { tenant } = view;
  return writeTransaction(database, tenant, (connection) =>
    once(connection, { tenant, idempotency, now, toPageIds }, async () => {
      if (sessionId !== null) await lockSession(connection, view, sessionId);
      const written = await writeInTurn(connection, view, writes, now);
      if (sessionId !== null) {
        await recordPages(connection, tenant, sessionId, written.result, now);
      }
      return written;
    }),
  );
}

/** Writes pages in the transaction of a caller who has the turn of the tenant. */
export async function writeInTurn(
  connection: Connection,
  view: View,
  writes: readonly PageWrite[],
  now: number,
): Promise<Committed<readonly WrittenPage[]>> {
  const { tenant } = view;
  const current = await lockPages(connection, tenant, writes);
  const decided = writes.map((each, index) => decide(view, each, current[index] ?? null, now));

  const made = decided.filter(({ outcome }) => outcome === 'CREATED');
  const revised = decided.filter(({ outcome }) => outcome === 'REVISED');
  const recalled = decided.filter(({ outcome }) => outcome === 'RECONSOLIDATED');
  const existing = [...revised, ...recalled];
  const recounted = [
    ...revised.map(({ pageId }) => pageId),
    ...(await listRecounted(
      connection,
      tenant,
      recalled.map(({ pageId, write, validTime }) => ({
        ...write,
        pageId,
        validFrom: toValidFrom(validTime.validFrom),
      })),
    )),
  ];

  await countPages(connection, tenant, recounted, -1);
  await replaceVersions(connection, tenant, revised);
  await insertPages(connection, tenant, made);
  await updatePages(connection, tenant, existing);
  await insertVersions(connection, tenant, [...made, ...revised]);
  await replacePassages(connection, tenant, [...made, ...revised].map(toPassages));
  await countPages(connection, tenant, [...recounted, ...made.map(({ pageId }) => pageId)], 1);
  await insertEvidence(connection, tenant, recalled, now);

  const raised = await raiseDerivedPages(connection, tenant, decided);
  const edges = await syncBodyLinks(connection, view, decided, now);
  const turned = await settleSupersession(connection, view, edges);
  await foldWhereDue(connection, tenant, projectsOf(writes));
  const changes: GraphChange[] = [
    ...[...decided.map(({ pageId }) => pageId), ...raised].map(pageChange),
    ...turned,
    ...edgeChanges(edges),
  ];
  return {
    result: decided.map(({ pageId, version, outcome }) => ({ pageId, version, outcome })),
    graphSequence: await appendChanges(connection, tenant, changes, now),
  };
}

function decide(
  view: View,
  asked: PageWrite,
  current: CurrentPage | null,
  now: number,
): DecidedWrite {
  // What the caller may not read answers as what they may not make: no content of it is told.
  if (current !== null && current.sensitivity > view.clearance) {
    throw new NotFoundError(`${asked.field}path`, 'a page that you may write');
  }
  const sensitivity =
    asked.hasSensitivity || current === null ? asked.sensitivity : current.sensitivity;
  const write = { ...asked, sensitivity };
  const found = current?.version ?? 0;
  if (write.expectedVersion !== null && write.expectedVersion !== found) {
    throw new VersionConflictError(write.path, write.expectedVersion, found);
  }
  const given = toValidTime(write.validFrom, write.validTo);
  const outcome = decideOutcome(current, {
    ...write,
    validTime: write.hasValidTime ? given : null,
  });
  const isSame = outcome === 'RECONSOLIDATED' && current !== null;
  const recordedAt = isSame ? current.recordedAt : nextRecordedAt(now, current?.recordedAt ?? null);
  return {
    write,
    current,
    outcome,
    pageId: current?.id ?? newId(),
    version: isSame ? found : found + 1,
    validTime: isSame ? current : given,
    recordedAt,
    believedSince: isSame ? current.believedSince : believedSince(current, write, recordedAt),
  };
}

function toPageIds(written: readonly WrittenPage[]): readonly PageId[] {
  return written.map(({ pageId }) => pageId);
}

function toPassages({ pageId, write }: DecidedWrite): PagePassages {
  const { projectId, passages, model } = write;
  return { pageId, projectId, passages, model };
}

function pageChange(pageId: string): GraphChange {
  return { subject: 'PAGE', subjectId: pageId, change: 'UPSERT' };
}

function projectsOf(writes: readonly PageWrite[]): readonly ProjectId[] {
  return [...new Set(writes.map(({ projectId }) => projectId))];
}
