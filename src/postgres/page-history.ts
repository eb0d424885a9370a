import type { PageKind, PageVersion } from '../memory/page.ts';
import type { PageReader } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { PAGES_THEN } from './page-filter.ts';
import { toSensitivity } from './page-rows.ts';
import { IS_SEEN, viewValues, WAS_SEEN } from './page-view.ts';
import { OPEN, toValidFrom, toValidTo } from './time-bounds.ts';

type VersionRow = {
  readonly position: number;
  readonly total: number;
  /** Null when the page has no version to list. */
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

/** More than any page has versions. */
const NO_VERSION = 2_147_483_647;

/**
 * Versions of pages, newest first. A page that the view does not see has no history, and a version
 * above the clearance is in neither list nor total; the current one is as readable as the page. A
 * read of the past lists what was recorded by then, as it was known then.
 */
export async function listVersions(
  connection: Connection,
  view: View,
  requests: Parameters<PageReader['listVersions']>[1],
): ReturnType<PageReader['listVersions']> {
  if (requests.length === 0) return [];
  const isPast = view.asOf !== null;
  const rows = await connection.query<VersionRow>({
    name: `page_version_list_${isPast ? 'then' : 'now'}`,
    text: isPast
      ? listFrom(PAGES_THEN, WAS_SEEN, 'false')
      : listFrom('page p', IS_SEEN, '$4::int8 is not null and h.version = p.version'),
    values: [
      ...viewValues(view),
      requests.map(({ pageId }) => pageId),
      requests.map(({ first }) => first),
      requests.map(({ before }) => before ?? NO_VERSION),
    ],
  });

  const byRequest = Map.groupBy(rows, ({ position }) => position);
  return requests.map(({ first }, index) => {
    const own = byRequest.get(index + 1) ?? [];
    const versions = own.flatMap(toVersion);
    return {
      versions: versions.slice(0, first),
      hasMore: versions.length > first,
      total: own[0]?.total ?? 0,
    };
  });
}

/**
 * @param isOpen  when a version may be read whatever its own sensitivity says; in the present it
 *                names $4, which is never null there, since a parameter must be used to be typed
 */
function listFrom(pages: string, isSeen: string, isOpen: string): string {
  const isListed = `
    h.tenant = $1 and h.page_id = p.id and h.recorded_at <= $5::int8
    and (h.sensitivity <= $3::int2 or ${isOpen})
  `;
  return `
    select asked.position, counted.total, listed.*
    from unnest($6::uuid[], $7::int4[], $8::int4[]) with ordinality
      as asked(page_id, first, before, position)
    cross join lateral (
      select p.* from ${pages} where p.id = asked.page_id and ${isSeen}
    ) p
    cross join lateral (select count(*) as total from page_version h where ${isListed}) counted
    left join lateral (
      select h.page_id, h.version, h.kind, h.title, h.body, h.sensitivity, h.valid_from, h.valid_to,
        h.recorded_at, case when h.recorded_to <= $5::int8 then h.recorded_to else ${OPEN} end as recorded_to
      from page_version h
      where ${isListed} and h.version < asked.before
      order by h.version desc
      limit asked.first + 1
    ) listed on true
    order by asked.position, listed.version desc
  `;
}

function toVersion(row: VersionRow): PageVersion[] {
  if (row.page_id === null) return [];
  return [
    {
      pageId: row.page_id,
      version: row.version,
      kind: row.kind,
      title: row.title,
      body: row.body,
      sensitivity: toSensitivity(row.sensitivity),
      validFrom: toValidFrom(row.valid_from),
      validTo: toValidTo(row.valid_to),
      recordedAt: row.recorded_at,
      recordedTo: toValidTo(row.recorded_to),
    },
  ];
}
