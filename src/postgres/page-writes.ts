import { DAWN, FOREVER } from '../memory/instant.ts';
import type { PageWrite, WrittenPage } from '../memory/memory-writer.ts';
import type { PageId, PageKind } from '../memory/page.ts';
import type { ValidTime } from '../memory/version-rules.ts';
import type { Connection } from './connect.ts';
import { toValidFrom } from './time-bounds.ts';
import { toTsvector } from './tsvector.ts';

/** The current content of a page that is about to be written. */
export type CurrentPage = ValidTime & {
  readonly id: PageId;
  readonly version: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly sensitivity: number;
  readonly hints: readonly string[];
  readonly recordedAt: number;
  readonly believedSince: number;
};

/** A write, and what it comes to. */
export type DecidedWrite = WrittenPage & {
  readonly write: PageWrite;
  readonly validTime: ValidTime;
  readonly recordedAt: number;
  readonly believedSince: number;
  readonly current: CurrentPage | null;
};

type PageRow = { readonly position: number } & CurrentPage;

/** Locks the pages that are there; null in the place of each that is not. */
export async function lockPages(
  connection: Connection,
  tenant: string,
  writes: readonly PageWrite[],
): Promise<(CurrentPage | null)[]> {
  const rows = await connection.query<PageRow>({
    name: 'page_lock_many',
    text: `
      select w.position, p.id, p.version, p.kind, p.title, v.body, p.sensitivity, p.hints,
        p.valid_from as "validFrom", p.valid_to as "validTo", p.recorded_at as "recordedAt",
        v.believed_since as "believedSince"
      from unnest($2::uuid[], $3::text[]) with ordinality as w(project_id, path, position)
      join page p on p.tenant = $1 and p.project_id = w.project_id and p.path = w.path
      join page_version v on v.tenant = $1 and v.page_id = p.id and v.version = p.version
      order by p.project_id, p.path
      for no key update of p
    `,
    values: [tenant, writes.map(({ projectId }) => projectId), writes.map(({ path }) => path)],
  });
  const found = new Map(rows.map(({ position, ...page }) => [position, page]));
  return writes.map((_, index) => found.get(index + 1) ?? null);
}

/** Ends the open versions whose place a new one takes (see `replaces` in memory). */
export async function replaceVersions(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await connection.query({
    name: 'page_version_replace',
    text: `
      update page_version v set recorded_to = n.recorded_at
      from json_to_recordset($2::json) as n(
        page_id uuid, valid_from int8, valid_to int8, recorded_at int8)
      where v.tenant = $1 and v.page_id = n.page_id and v.recorded_to = ${FOREVER}
        and (v.valid_from = n.valid_from
          or (n.valid_from <= v.valid_from and v.valid_to <= n.valid_to
            and (n.valid_from = ${DAWN} or n.valid_to <> ${FOREVER})))
    `,
    values: [
      tenant,
      toJson(writes, ({ pageId, validTime, recordedAt }) => ({
        page_id: pageId,
        valid_from: validTime.validFrom,
        valid_to: validTime.validTo,
        recorded_at: recordedAt,
      })),
    ],
  });
}

/** Makes pages that are not there yet. */
export async function insertPages(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await connection.query({
    name: 'page_insert_many',
    text: `
      insert into page (tenant, id, project_id, path, created_at, version, kind, title, sensitivity,
        importance, tags, attributes, hints, valid_from, valid_to, recorded_at, archived,
        keyword, keyword_length)
      select $1, n.id, n.project_id, n.path, n.recorded_at, n.version, n.kind, n.title,
        n.sensitivity, n.importance, n.tags, n.attributes, n.hints, n.valid_from, n.valid_to,
        n.recorded_at, n.archived, n.keyword, n.keyword_length
      from json_to_recordset($2::json) as n(
        id uuid, project_id uuid, path text, version int4, kind text, title text, sensitivity int2,
        importance int2, tags text[], attributes jsonb, hints text[], valid_from int8,
        valid_to int8, recorded_at int8, archived boolean, keyword tsvector, keyword_length int4)
      order by n.project_id, n.path
    `,
    values: [tenant, toJson(writes, toPageRow)],
  });
}

/** Replaces what belongs to the page, and its copy of the current version. */
export async function updatePages(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await connection.query({
    name: 'page_update_many',
    text: `
      update page p
      set version = n.version, kind = n.kind, title = n.title, sensitivity = n.sensitivity,
        importance = n.importance, tags = n.tags, attributes = n.attributes, hints = n.hints,
        valid_from = n.valid_from, valid_to = n.valid_to, recorded_at = n.recorded_at,
        archived = n.archived, keyword = n.keyword, keyword_length = n.keyword_length
      from json_to_recordset($2::json) as n(
        id uuid, version int4, kind text, title text, sensitivity int2, importance int2,
        tags text[], attributes jsonb, hints text[], valid_from int8, valid_to int8,
        recorded_at int8, archived boolean, keyword tsvector, keyword_length int4)
      where p.tenant = $1 and p.id = n.id
    `,
    values: [tenant, toJson(writes, toPageRow)],
  });
  // The content of the current version is reclassified with its page; older ones stay as they were.
  await connection.query({
    name: 'page_version_reclassify',
    text: `
      update page_version v set sensitivity = n.sensitivity
      from json_to_recordset($2::json) as n(id uuid, version int4, sensitivity int2)
      where v.tenant = $1 and v.page_id = n.id and v.version = n.version
        and v.sensitivity <> n.sensitivity
    `,
    values: [
      tenant,
      toJson(writes, ({ pageId, version, write }) => ({
        id: pageId,
        version,
        sensitivity: write.sensitivity,
      })),
    ],
  });
}

export async function insertVersions(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
): Promise<void> {
  if (writes.length === 0) return;
  await connection.query({
    name: 'page_version_insert_many',
    text: `
      insert into page_version (tenant, page_id, version, project_id, kind, title, body,
        sensitivity, valid_from, valid_to, recorded_at, believed_since, keyword, keyword_length)
      select $1, n.page_id, n.version, n.project_id, n.kind, n.title, n.body, n.sensitivity,
        n.valid_from, n.valid_to, n.recorded_at, n.believed_since, n.keyword, n.keyword_length
      from json_to_recordset($2::json) as n(
        page_id uuid, version int4, project_id uuid, kind text, title text, body text,
        sensitivity int2, valid_from int8, valid_to int8, recorded_at int8, believed_since int8,
        keyword tsvector, keyword_length int4)
    `,
    values: [
      tenant,
      toJson(writes, ({ pageId, version, write, validTime, recordedAt, believedSince }) => ({
        page_id: pageId,
        version,
        project_id: write.projectId,
        kind: write.kind,
        title: write.title,
        body: write.body,
        sensitivity: write.sensitivity,
        valid_from: validTime.validFrom,
        valid_to: validTime.validTo,
        recorded_at: recordedAt,
        believed_since: believedSince,
        keyword: toTsvector(write.versionKeyword, toValidFrom(validTime.validFrom)),
        keyword_length: write.versionKeyword.length,
      })),
    ],
  });
}

/** Not before what it speaks for, whatever the clock does: it would say nothing of it. */
export async function insertEvidence(
  connection: Connection,
  tenant: string,
  writes: readonly DecidedWrite[],
  now: number,
): Promise<void> {
  if (writes.length === 0) return;
  await connection.query({
    name: 'evidence_insert_reconsolidations',
    text: `
      insert into evidence (tenant, page_id, source_kind, source_id, created_at)
      select $1, n.page_id, 'RECONSOLIDATION', n.source_id, greatest($4::int8, n.recorded_at)
      from unnest($2::uuid[], $3::text[], $5::int8[]) as n(page_id, source_id, recorded_at)
      on conflict do nothing
    `,
    values: [
      tenant,
      writes.map(({ pageId }) => pageId),
      writes.map(({ write }) => write.evidenceId),
      now,
      writes.map(({ recordedAt }) => recordedAt),
    ],
  });
}

function toPageRow({ pageId, version, write, validTime, recordedAt }: DecidedWrite): object {
  return {
    id: pageId,
    project_id: write.projectId,
    path: write.path,
    version,
    kind: write.kind,
    title: write.title,
    sensitivity: write.sensitivity,
    importance: write.importance,
    tags: write.tags,
    attributes: write.attributes,
    hints: write.hints,
    valid_from: validTime.validFrom,
    valid_to: validTime.validTo,
    recorded_at: recordedAt,
    archived: write.archived,
    keyword: toTsvector(write.keyword, toValidFrom(validTime.validFrom)),
    keyword_length: write.keyword.length,
  };
}

function toJson(writes: readonly DecidedWrite[], toRow: (write: DecidedWrite) => object): string {
  return JSON.stringify(writes.map(toRow));
}
