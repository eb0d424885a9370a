-- 0017_person: people, and the pages that they have to do with.
--
-- Why    recall can be narrowed to pages of certain people before any arm cuts its candidates, by one
--        look-up for each page; only assignments that somebody has settled count for that. People
--        belong to the tenant, and what joins them to a page goes with either.
-- Locks  none: new tables.

create table person (
  tenant text collate "C" not null,
  id uuid not null,
  name text not null,
  aliases text[] not null,
  created_at int8 not null,
  primary key (tenant, id)
);

create index person_by_name on person (tenant, name collate "C", id);

create table person_page (
  tenant text collate "C" not null,
  page_id uuid not null,
  person_id uuid not null,
  state text collate "C" not null check (state in ('RESOLVED', 'UNRESOLVED', 'HIDDEN')),
  primary key (tenant, page_id, person_id),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade,
  foreign key (tenant, person_id) references person (tenant, id) on delete cascade
);

create index person_page_of_person on person_page (tenant, person_id, state, page_id);
