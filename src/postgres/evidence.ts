import type { PageId } from '../memory/page.ts';
import type { EvidenceSummary } from '../memory/stores.ts';
import type { View } from '../memory/view.ts';
import type { Database } from './connect.ts';
import { IS_SUPERSEDED, viewValues } from './page-view.ts';

type SummaryRow = {
  readonly id: PageId;
  readonly count: number;
  readonly sessions: number;
  readonly newest_at: number | null;
  readonly contradictions: number;
};

const NOTHING: EvidenceSummary = {
  count: 0,
  distinctSessions: 0,
  newestAt: null,
  unresolvedContradictions: 0,
};

/**
 * Numbers of evidence for pages, in order, up to the instant that the view reads. A challenger
 * counts while the view sees it and it is itself current.
 */
export async function readEvidence(
  database: Database,
  view: View,
  ids: readonly PageId[],
): Promise<EvidenceSummary[]> {
  if (ids.length === 0) return [];
  const rows = await database.query<SummaryRow>({
    name: 'evidence_summarise',
    text: `
      select asked.id, e.count, e.sessions, e.newest_at, c.contradictions
      from unnest($6::uuid[]) as asked(id)
      cross join lateral (
        select count(*) as count, max(created_at) as newest_at,
          count(distinct source_id) filter (where source_kind = 'SESSION') as sessions
        from evidence where tenant = $1 and page_id = asked.id and created_at <= $5
      ) e
      cross join lateral (
        select count(*) as contradictions
        from edge e join page p on p.tenant = $1 and p.id = e.from_id
        where e.tenant = $1 and e.to_id = asked.id and e.kind = 'CONTRADICTS'
          and e.recorded_at <= $5::int8 and $5::int8 < e.recorded_to
          and e.valid_from <= coalesce($4::int8, $5::int8)
          and coalesce($4::int8, $5::int8) < e.valid_to
          and e.resolution = 'UNRESOLVED'
          and p.project_id = any($2::uuid[]) and p.sensitivity <= $3::int2
          and not p.archived and not ${IS_SUPERSEDED}
      ) c
    `,
    values: [...viewValues(view), ids],
  });
  const found = new Map(
    rows.map((row): [PageId, EvidenceSummary] => [
      row.id,
      {
        count: row.count,
        distinctSessions: row.sessions,
        newestAt: row.newest_at,
        unresolvedContradictions: row.contradictions,
      },
    ]),
  );
  return ids.map((id) => found.get(id) ?? NOTHING);
}
