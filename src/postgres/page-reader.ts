import type { Page, PageId } from '../memory/page.ts';
import type { PageKey, PageReader } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection, TenantDatabase } from './connect.ts';
import { listEvidence, summariseEvidence } from './page-evidence.ts';
import { listVersions } from './page-history.ts';
import { countListed, listPages } from './page-list.ts';
import {
  CURRENT_CONTENT,
  PAGE_COLUMNS,
  PAGE_COLUMNS_THEN,
  type PageRow,
  toPage,
} from './page-rows.ts';
import { CHOSEN_VERSION, IS_SEEN, viewValues, WAS_SEEN } from './page-view.ts';

/** Reads of pages over a Postgres database, in the present and in the past. */
export function createPageReader(database: TenantDatabase): PageReader {
  return {
    findMany: (view, ids) => findMany(database.ofTenant(view.tenant), view, ids),
    findManyByKey: (view, keys) => findManyByKey(database.ofTenant(view.tenant), view, keys),
    // In a READ, where conditions that are not given are planned away.
    list: (view, query) =>
      database
        .ofTenant(view.tenant)
        .transaction('READ', (connection) => listPages(connection, view, query)),
    count: (view, filter) =>
      database
        .ofTenant(view.tenant)
        .transaction('READ', (connection) => countListed(connection, view, filter)),
    listVersions: (view, requests) => listVersions(database.ofTenant(view.tenant), view, requests),
    evidence: (view, ids) => summariseEvidence(database.ofTenant(view.tenant), view, ids),
    listEvidence: (view, requests) => listEvidence(database.ofTenant(view.tenant), view, requests),
  };
}

async function findMany(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
): Promise<(Page | null)[]> {
  if (ids.length === 0) return [];
  const isPast = view.asOf !== null;
  const rows = await connection.query<PageRow>({
    name: `page_find_many_${isPast ? 'then' : 'now'}`,
    text: isPast
      ? `
        select ${PAGE_COLUMNS_THEN}
        from page p ${CHOSEN_VERSION}
        where p.id = any($6::uuid[]) and ${WAS_SEEN}
      `
      : `
        select ${PAGE_COLUMNS}
        from page p ${CURRENT_CONTENT}
        where p.id = any($6::uuid[]) and ${IS_SEEN}
      `,
    values: [...viewValues(view), ids],
  });
  const pages = new Map(rows.map((row) => [row.id, toPage(row, view)]));
  return ids.map((id) => pages.get(id) ?? null);
}

async function findManyByKey(
  connection: Connection,
  view: View,
  keys: readonly PageKey[],
): Promise<(Page | null)[]> {
  // No page has such a path, and Postgres would refuse it or read it as another one.
  const sane = keys.filter(({ path }) => path.isWellFormed() && !path.includes('\0'));
  if (sane.length === 0) return keys.map(() => null);
  const isPast = view.asOf !== null;
  const asked = `unnest($6::uuid[], $7::text[]) as asked(project_id, path)
    join page p on p.tenant = $1 and p.project_id = asked.project_id and p.path = asked.path`;
  const rows = await connection.query<PageRow>({
    name: `page_find_many_by_key_${isPast ? 'then' : 'now'}`,
    text: isPast
      ? `select ${PAGE_COLUMNS_THEN} from ${asked} ${CHOSEN_VERSION} where ${WAS_SEEN}`
      : `select ${PAGE_COLUMNS} from ${asked} ${CURRENT_CONTENT} where ${IS_SEEN}`,
    values: [
      ...viewValues(view),
      sane.map(({ projectId }) => projectId),
      sane.map(({ path }) => path),
    ],
  });
  const pages = new Map(rows.map((row) => [`${row.project_id}/${row.path}`, toPage(row, view)]));
  return keys.map(({ projectId, path }) => pages.get(`${projectId}/${path}`) ?? null);
}
