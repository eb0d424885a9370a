import type { PageId } from '../memory/page.ts';
import type {
  IndexStore,
  StoredVersion,
  VersionIndex,
  VersionPosition,
} from '../memory/reindex.ts';
import type { Connection, Database } from './connect.ts';
import { noteEmbedder } from './embedder-record.ts';
import { countPages, fold, listRecounted } from './keyword-statistics.ts';
import { listWithOtherPassages, replacePassages } from './passage-writes.ts';
import { toValidFrom } from './time-bounds.ts';
import { toTsvector } from './tsvector.ts';
import { writeTransaction } from './write-transaction.ts';

/** The search indexes of all tenants; for an operator, not for callers of the API. */
export function createIndexStore(database: Database): IndexStore {
  return {
    countVersions: () => countVersions(database),
    listVersions: (after, first) => listVersions(database, after, first),
    noteEmbedder: (embedder) => noteEmbedder(database, embedder),
    replaceIndexes: (tenant, indexes) =>
      writeTransaction(database, tenant, (connection) =>
        replaceIndexes(connection, tenant, indexes),
      ),
  };
}

async function countVersions(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ count: number }>({
    name: 'page_version_count_all',
    text: 'select count(*) from page_version',
  });
  return row?.count ?? 0;
}

async function listVersions(
  connection: Connection,
  after: VersionPosition | null,
  first: number,
): Promise<readonly StoredVersion[]> {
  const rows = await connection.query<StoredVersion & { readonly validFrom: number }>({
    name: 'page_version_list_all',
    text: `
      select v.tenant, p.project_id as "projectId", v.page_id as "pageId", v.version,
        v.title, v.body, v.valid_from as "validFrom",
        p.version = v.version as "isCurrent",
        case when p.version = v.version then p.hints else '{}' end as hints
      from page_version v
      join page p on p.tenant = v.tenant and p.id = v.page_id
      where (v.tenant, v.page_id, v.version) > ($1, $2, $3)
      order by v.tenant, v.page_id, v.version
      limit $4
    `,
    values: [
      after?.tenant ?? '',
      after?.pageId ?? '00000000-0000-0000-0000-000000000000',
      after?.version ?? 0,
      first,
    ],
  });
  return rows.map((row) => ({ ...row, validFrom: toValidFrom(row.validFrom) }));
}

async function replaceIndexes(
  connection: Connection,
  tenant: string,
  indexes: readonly VersionIndex[],
): Promise<number> {
  const ofVersions = await replaceVersionKeywords(connection, tenant, indexes);
  const current = await unchanged(connection, tenant, indexes);
  const words = await listRecounted(
    connection,
    tenant,
    current.map(({ pageId, validFrom, current: { keyword } }) => ({ pageId, keyword, validFrom })),
  );
  const recounted = current.filter(({ pageId }) => words.includes(pageId));
  await countPages(connection, tenant, words, -1);
  await replaceKeywords(connection, tenant, recounted);
  await countPages(connection, tenant, words, 1);
  // At once: words that are gone may be those of a secret, and stand in the counts until then.
  for (const projectId of new Set(recounted.map((each) => each.projectId))) {
    await fold(connection, tenant, projectId);
  }
  const passages = current.map(({ pageId, projectId, current: made }) => ({
    pageId,
    projectId,
    ...made,
  }));
  const vectors = await listWithOtherPassages(connection, tenant, passages);
  await replacePassages(
    connection,
    tenant,
    passages.filter(({ pageId }) => vectors.includes(pageId)),
  );
  return new Set([
    ...ofVersions.map(({ pageId, version }) => `${pageId} ${version}`),
    ...current
      .filter(({ pageId }) => words.includes(pageId) || vectors.includes(pageId))
      .map(({ pageId, version }) => `${pageId} ${version}`),
  ]).size;
}

type CurrentIndex = VersionIndex & { readonly current: NonNullable<VersionIndex['current']> };

/** The current versions among these, without pages that were written since they were read. */
async function unchanged(
  connection: Connection,
  tenant: string,
  indexes: readonly VersionIndex[],
): Promise<readonly CurrentIndex[]> {
  const current = indexes.filter((each): each is CurrentIndex => each.current !== null);
  const rows = await connection.query<{ id: PageId }>({
    name: 'page_list_unchanged',
    text: `
      select p.id
      from json_to_recordset($2::json) as n(id uuid, version int4, hints text[])
      join page p on p.tenant = $1 and p.id = n.id and p.version = n.version and p.hints = n.hints
    `,
    values: [
      tenant,
      JSON.stringify(current.map(({ pageId, version, hints }) => ({ id: pageId, version, hints }))),
    ],
  });
  const ids = new Set(rows.map(({ id }) => id));
  return current.filter(({ pageId }) => ids.has(pageId));
}

async function replaceVersionKeywords(
  connection: Connection,
  tenant: string,
  indexes: readonly VersionIndex[],
): Promise<readonly Pick<VersionPosition, 'pageId' | 'version'>[]> {
  return connection.query<Pick<VersionPosition, 'pageId' | 'version'>>({
    name: 'page_version_replace_keywords',
    text: `
      update page_version v set keyword = n.keyword, keyword_length = n.length
      from json_to_recordset($2::json) as n(
        page_id uuid, version int4, keyword tsvector, length int4)
      where v.tenant = $1 and v.page_id = n.page_id and v.version = n.version
        and (v.keyword <> n.keyword or v.keyword_length <> n.length)
      returning v.page_id as "pageId", v.version
    `,
    values: [
      tenant,
      JSON.stringify(
        indexes.map(({ pageId, version, validFrom, versionKeyword }) => ({
          page_id: pageId,
          version,
          keyword: toTsvector(versionKeyword, validFrom),
          length: versionKeyword.length,
        })),
      ),
    ],
  });
}

async function replaceKeywords(
  connection: Connection,
  tenant: string,
  indexes: readonly CurrentIndex[],
): Promise<void> {
  if (indexes.length === 0) return;
  await connection.query({
    name: 'page_replace_keywords',
    text: `
      update page p set keyword = n.keyword, keyword_length = n.length
      from json_to_recordset($2::json) as n(id uuid, keyword tsvector, length int4)
      where p.tenant = $1 and p.id = n.id
    `,
    values: [
      tenant,
      JSON.stringify(
        indexes.map(({ pageId, validFrom, current: { keyword } }) => ({
          id: pageId,
          keyword: toTsvector(keyword, validFrom),
          length: keyword.length,
        })),
      ),
    ],
  });
}
