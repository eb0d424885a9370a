-- 0015_session: sessions of agents, what was observed in them, and which pages they recorded.
--
-- Why    a session is what a page is believed on, and ends in a page of its own, made by rule. Its
--        page and the session go together: what was purged from one must not stand in the other.
--        revision counts what happened in a session, in order: it places observations and recorded
--        pages, and tells whoever prepared something of a session that it has changed since.
--        sensitivity of an observation is that of the most sensitive page that it was about when it
--        was recorded; reads also ask those pages as they are now.
-- Locks  none: new tables.

create table session (
  tenant text collate "C" not null,
  id uuid not null,
  project_id uuid not null,
  agent text not null,
  task text not null,
  sensitivity int2 not null check (sensitivity between 0 and 3),
  started_at int8 not null,
  ended_at int8,
  page_id uuid,
  revision int4 not null default 0,
  primary key (tenant, id),
  check ((ended_at is null) = (page_id is null)),
  foreign key (tenant, project_id) references project (tenant, id),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index session_newest on session (tenant, project_id, started_at desc, id desc);
create unique index session_page_id on session (tenant, page_id) where page_id is not null;

create table observation (
  tenant text collate "C" not null,
  session_id uuid not null,
  position int4 not null,
  text text not null,
  importance int2 not null check (importance between 1 and 10),
  sensitivity int2 not null check (sensitivity between 0 and 3),
  recorded_at int8 not null,
  primary key (tenant, session_id, position),
  foreign key (tenant, session_id) references session (tenant, id) on delete cascade
);

create index observation_by_importance on observation
  (tenant, session_id, importance desc, position);

create table observation_page (
  tenant text collate "C" not null,
  session_id uuid not null,
  position int4 not null,
  page_id uuid not null,
  primary key (tenant, session_id, position, page_id),
  foreign key (tenant, session_id, position)
    references observation (tenant, session_id, position) on delete cascade,
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index observation_page_of_page on observation_page (tenant, page_id, session_id, position);

create table session_page (
  tenant text collate "C" not null,
  session_id uuid not null,
  position int4 not null,
  page_id uuid not null,
  -- the version that the write made or confirmed
  version int4 not null,
  primary key (tenant, session_id, position),
  foreign key (tenant, session_id) references session (tenant, id) on delete cascade,
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index session_page_of_page on session_page (tenant, page_id, session_id, position);
