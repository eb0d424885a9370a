import { type PageKind, type PageVersion, SENSITIVITIES } from '../memory/page.ts';
import type { PageReader } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import type { Database } from './connect.ts';
import { LAST_INSTANT, OPEN, toValidFrom, toValidTo } from './time-bounds.ts';

type VersionRow = {
  readonly position: number;
  readonly total: number;
  readonly page_id: string | null;
  readonly version: number;
  readonly kind: PageKind;
  readonly title: string;
  readonly body: string;
  readonly sensitivity: number;
  readonly valid_from: number;
  readonly valid_to: number;
  readonly recorded_at: number;
  readonly recorded_to: number;
};

/**
 * Versions of pages, newest first. A version above the view's clearance is not there; neither is
 * one that was recorded after the instant that the view reads.
 */
export async function listVersions(
  database: Database,
  view: View,
  requests: Parameters<PageReader['listVersions']>[1],
): ReturnType<PageReader['listVersions']> {
  const rows = await database.query<VersionRow>({
    name: 'page_version_list',
    text: `
      select asked.position, counted.total, v.*
      from unnest($5::uuid[], $6::int4[], $7::int4[]) with ordinality
        as asked(page_id, first, before, position)
      join page p on p.tenant = $1 and p.id = asked.page_id
        and p.project_id = any($2::uuid[]) and p.sensitivity <= $3
      cross join lateral (
        select count(*) as total from page_version c
        where c.tenant = $1 and c.page_id = p.id and c.sensitivity <= $3 and c.recorded_at <= $4
      ) counted
      left join lateral (
        select w.page_id, w.version, w.kind, w.title, w.body, w.sensitivity, w.valid_from,
          w.valid_to, w.recorded_at, w.recorded_to
        from page_version w
        where w.tenant = $1 and w.page_id = p.id and w.sensitivity <= $3 and w.recorded_at <= $4
          and (asked.before is null or w.version < asked.before)
        order by w.version desc
        limit asked.first + 1
      ) v on true
      order by asked.position, v.version desc
    `,
    values: [
      view.tenant,
      view.projectIds,
      view.clearance,
      view.asOf?.recordedAt ?? LAST_INSTANT,
      requests.map(({ pageId }) => pageId),
      requests.map(({ first }) => first),
      requests.map(({ before }) => before),
    ],
  });
  const byRequest = Map.groupBy(rows, ({ position }) => position);
  return requests.map(({ first }, index) => {
    const own = byRequest.get(index + 1) ?? [];
    const versions = own.filter(({ page_id }) => page_id !== null).map(toVersion);
    return {
      versions: versions.slice(0, first),
      hasMore: versions.length > first,
      total: own[0]?.total ?? 0,
    };
  });
}

function toVersion(row: VersionRow): PageVersion {
  return {
    pageId: row.page_id ?? '',
    version: row.version,
    kind: row.kind,
    title: row.title,
    body: row.body,
    sensitivity: SENSITIVITIES[row.sensitivity] ?? 'RESTRICTED',
    validFrom: toValidFrom(row.valid_from),
    validTo: toValidTo(row.valid_to),
    recordedAt: row.recorded_at,
    recordedTo: row.recorded_to === OPEN ? null : row.recorded_to,
  };
}
