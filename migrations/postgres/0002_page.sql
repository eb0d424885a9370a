-- 0002_page: pages and their versions.
--
-- Why    page holds the identity and a copy of what filters, orders and ranks the current version,
--        so that recall reads one narrow row; page_version holds every content ever recorded.
--        Tags, attributes, importance and hints belong to the page and are not versioned.
--        keyword is the text index of the current version with its hints; that of a version is
--        without hints. Positions in it carry term frequency, weights where a term stands
--        (A title, C hint, D body).
-- Locks  none: new tables.

create table page (
  tenant text collate "C" not null,
  id uuid not null,
  project_id uuid not null,
  path text collate "C" not null,
  created_at int8 not null,
  version int4 not null,
  kind text collate "C" not null,
  title text not null,
  sensitivity int2 not null check (sensitivity between 0 and 3),
  importance int2 not null check (importance between 1 and 10),
  tags text[] collate "C" not null,
  attributes jsonb not null,
  hints text[] not null,
  valid_from int8 not null,
  valid_to int8 not null,
  recorded_at int8 not null,
  archived boolean not null,
  -- true while some unretracted SUPERSEDES edge points here: spares all other pages the look-up
  superseded boolean not null default false,
  keyword tsvector not null,
  keyword_length int4 not null,
  primary key (tenant, id),
  unique (tenant, project_id, path),
  foreign key (tenant, project_id) references project (tenant, id)
);

create index page_keyword on page using gin (tenant, project_id, keyword) with (fastupdate = off);
create index page_recorded on page (tenant, project_id, recorded_at desc, id);

create table page_version (
  tenant text collate "C" not null,
  page_id uuid not null,
  version int4 not null,
  project_id uuid not null,
  kind text collate "C" not null,
  title text not null,
  body text not null,
  sensitivity int2 not null,
  valid_from int8 not null,
  valid_to int8 not null,
  recorded_at int8 not null,
  -- when a later version took its place: one with the same valid_from, or whose valid time covers it
  recorded_to int8 not null default 253402300800000,
  keyword tsvector not null,
  keyword_length int4 not null,
  primary key (tenant, page_id, version),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index page_version_project on page_version (tenant, project_id);
