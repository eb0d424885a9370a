import type { Evidence } from '../memory/evidence.ts';
import type { PageId } from '../memory/page.ts';
import type { EvidenceSummary, PageReader } from '../memory/page-store.ts';
import type { View } from '../memory/view.ts';
import type { Connection } from './connect.ts';
import { FORMER_STATE, RESOLUTION_AT } from './edge-rows.ts';
import { PAGES_THEN } from './page-filter.ts';
import { IS_CURRENT, IS_SEEN, viewValues, WAS_CURRENT, WAS_SEEN } from './page-view.ts';
import { toValidFrom } from './time-bounds.ts';

type SummaryRow = Omit<EvidenceSummary, 'countsSince'> & {
  readonly id: PageId;
  readonly countsSince: number;
};

const NO_EVIDENCE: EvidenceSummary = {
  count: 0,
  countsSince: null,
  distinctSessions: 0,
  newestAt: null,
  unresolvedContradictions: 0,
};

/**
 * As `PageReader.evidence`; nothing for a page that the view does not see. A read of the past counts
 * the rows of then, and a contradiction that was resolved only later.
 */
export async function summariseEvidence(
  connection: Connection,
  view: View,
  ids: readonly PageId[],
): Promise<EvidenceSummary[]> {
  if (ids.length === 0) return [];
  const rows = await connection.query<SummaryRow>({
    ...(view.asOf === null
      ? { name: 'evidence_summarise', text: NOW }
      : { name: 'evidence_summarise_then', text: THEN }),
    values: [...viewValues(view), ids],
  });
  const summaries = new Map<PageId, EvidenceSummary>(
    rows.map(({ id, countsSince, ...summary }) => [
      id,
      { ...summary, countsSince: toValidFrom(countsSince) },
    ]),
  );
  return ids.map((id) => summaries.get(id) ?? NO_EVIDENCE);
}

/** The present has the current version of each page as `v`, as the past has the one that it chose. */
const PAGES_NOW = `page p
  join page_version v on v.tenant = p.tenant and v.page_id = p.id and v.version = p.version`;

const NOW = summarise(PAGES_NOW, {
  challengers: 'page p',
  isSeen: IS_SEEN,
  isCurrent: IS_CURRENT,
});
const THEN = summarise(PAGES_THEN, {
  challengers: PAGES_THEN,
  isSeen: WAS_SEEN,
  isCurrent: WAS_CURRENT,
});

/** @param isCurrent  what a challenger must hold, beside being seen, to count */
function summarise(
  pages: string,
  { challengers, isSeen, isCurrent }: Record<'challengers' | 'isSeen' | 'isCurrent', string>,
): string {
  return `
    select a.id, a.believed_since as "countsSince", b.*, c.*
    from (select p.id, v.believed_since from ${pages} where p.id = any($6::uuid[]) and ${isSeen}) a
    cross join lateral (
      select count(*) as count,
        count(distinct split_part(b.source_id, '/', 1))
          filter (where b.source_kind = 'SESSION') as "distinctSessions",
        max(b.created_at) as "newestAt"
      from evidence b
      where b.tenant = $1 and b.page_id = a.id and a.believed_since <= b.created_at and b.created_at <= $5::int8
    ) b
    cross join lateral (
      select count(*) as "unresolvedContradictions"
      from edge e ${FORMER_STATE}
      cross join lateral (
        select from ${challengers} where p.id = e.from_id and ${isSeen} and ${isCurrent}
      ) challenger
      where e.tenant = $1 and e.to_id = a.id and e.kind = 'CONTRADICTS'
        and ${RESOLUTION_AT} = 'UNRESOLVED'
        and e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
        and e.valid_from <= coalesce($4::int8, $5::int8)
        and coalesce($4::int8, $5::int8) < e.valid_to
    ) c
  `;
}

/** One look-up in the order of `evidence_by_time` for each page. As `PageReader.listEvidence`. */
export async function listEvidence(
  connection: Connection,
  view: View,
  requests: Parameters<PageReader['listEvidence']>[1],
): ReturnType<PageReader['listEvidence']> {
  if (requests.length === 0) return [];
  // In the present $4 is never null; it is named there since a parameter must be used to be typed.
  const [pages, isSeen] =
    view.asOf === null
      ? [PAGES_NOW, `${IS_SEEN} and $4::int8 is not null`]
      : [PAGES_THEN, WAS_SEEN];
  const rows = await connection.query<EvidenceRow>({
    name: view.asOf === null ? 'evidence_list' : 'evidence_list_then',
    text: `
      select asked.request, counted.total, listed.*
      from unnest($6::uuid[], $7::int4[], $8::int8[], $9::text[], $10::text[]) with ordinality
        as asked(page_id, first, created_at, source_kind, source_id, request)
      cross join lateral (
        select p.id, v.believed_since from ${pages} where p.id = asked.page_id and ${isSeen}
      ) p
      cross join lateral (
        select count(*) as total from evidence b
        where b.tenant = $1 and b.page_id = p.id and b.created_at <= $5::int8
      ) counted
      left join lateral (
        select b.page_id as "pageId", b.source_kind as "sourceKind", b.source_id as "sourceId",
          b.created_at as "createdAt", p.believed_since <= b.created_at as counts
        from evidence b
        where b.tenant = $1 and b.page_id = p.id and b.created_at <= $5::int8
          and (asked.created_at is null or b.created_at <= asked.created_at)
          and (asked.created_at is null or b.created_at < asked.created_at
            or (b.source_kind, b.source_id) > (asked.source_kind, asked.source_id))
        order by b.created_at desc, b.source_kind, b.source_id
        limit asked.first + 1
      ) listed on true
      order by asked.request, listed."createdAt" desc, listed."sourceKind", listed."sourceId"
    `,
    values: [
      ...viewValues(view),
      requests.map(({ pageId }) => pageId),
      requests.map(({ first }) => first),
      requests.map(({ after }) => after?.createdAt ?? null),
      requests.map(({ after }) => after?.sourceKind ?? null),
      requests.map(({ after }) => after?.sourceId ?? null),
    ],
  });
  const groups = Map.groupBy(rows, ({ request }) => request);
  return requests.map(({ first }, index) => {
    const own = groups.get(index + 1) ?? [];
    const found = own.flatMap(toEvidence);
    const total = own[0]?.total ?? 0;
    return { evidence: found.slice(0, first), hasMore: found.length > first, total };
  });
}

/** A page without evidence, or behind its last, has one row, of its total alone. */
type EvidenceRow = { readonly request: number; readonly total: number } & (
  | Evidence
  | { readonly pageId: null }
);

function toEvidence({ request: _, total: __, ...row }: EvidenceRow): Evidence[] {
  return row.pageId === null ? [] : [row];
}
