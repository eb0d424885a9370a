-- 0021_evidence_tally: how much evidence each page has.
--
-- Why    a session starts from the settled pages that are believed most, and of a hundred thousand
--        pages these can't be found by counting a million rows. Counts alone: what confidence makes of
--        them, and of the age of the newest, is derived at each read. A trigger keeps them, so that no
--        way of adding evidence can forget to; evidence is never changed, and goes only with its page.
-- Locks  evidence, against writes, while its rows are counted once.

create table evidence_tally (
  tenant text collate "C" not null,
  page_id uuid not null,
  project_id uuid not null,
  sessions int4 not null,
  pieces int4 not null,
  newest_at int8 not null,
  primary key (tenant, page_id),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index evidence_tally_order on evidence_tally
  (tenant, project_id, sessions desc, pieces desc, page_id);

create function evidence_tally_add() returns trigger language plpgsql as $$
begin
  insert into evidence_tally (tenant, page_id, project_id, sessions, pieces, newest_at)
  select a.tenant, a.page_id, p.project_id, count(*) filter (where a.source_kind = 'SESSION'),
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

create trigger evidence_tally_add after insert on evidence
  referencing new table as added
  for each statement execute function evidence_tally_add();

insert into evidence_tally (tenant, page_id, project_id, sessions, pieces, newest_at)
select e.tenant, e.page_id, p.project_id, count(*) filter (where e.source_kind = 'SESSION'),
  count(*), max(e.created_at)
from evidence e join page p on p.tenant = e.tenant and p.id = e.page_id
group by e.tenant, e.page_id, p.project_id;
