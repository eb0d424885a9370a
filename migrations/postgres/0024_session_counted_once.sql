-- 0024_session_counted_once: the tally counts a session once for each page.
--
-- Why    a session that speaks again, for content that took the place of what it had spoken for, adds
--        a row whose source names the version too, behind a slash; and a session of its own source is
--        there before. Counted as one more each time, pages that are often rewritten led the settled
--        ones.
-- Locks  rows of evidence_tally of such pages, for the moment of counting them anew; reads the index
--        of evidence once.

create or replace function evidence_tally_add() returns trigger language plpgsql as $$
begin
  insert into evidence_tally (tenant, page_id, project_id, sessions, pieces, newest_at)
  select a.tenant, a.page_id, p.project_id,
    count(*) filter (where a.source_kind = 'SESSION' and strpos(a.source_id, '/') = 0),
    count(*), max(a.created_at)
  from added a join page p on p.tenant = a.tenant and p.id = a.page_id
  group by a.tenant, a.page_id, p.project_id
  order by a.tenant, a.page_id
  on conflict (tenant, page_id) do update
  set sessions = evidence_tally.sessions + excluded.sessions,
      pieces = evidence_tally.pieces + excluded.pieces,
      newest_at = greatest(evidence_tally.newest_at, excluded.newest_at);
  return null;
end
$$;

update evidence_tally t set sessions = t.sessions - again.rows
from (
  select tenant, page_id, count(*) as rows from evidence
  where source_kind = 'SESSION' and strpos(source_id, '/') > 0
  group by tenant, page_id
) again
where t.tenant = again.tenant and t.page_id = again.page_id;
