-- 0003_passage: slices of the current version with their vectors.
--
-- Why    dense recall compares passages; the best one of a page counts. Only the current version
--        has vectors, so an old meaning can never serve. model names the encoder of each vector.
--        start_offset and end_offset are UTF-16 units into the body, end exclusive.
-- Locks  none: new tables.
-- Note   the approximate index cannot begin with the tenant: it is one graph over vectors. Every
--        statement that uses it filters by tenant and falls back to an exact scan when short.

create table passage (
  tenant text collate "C" not null,
  page_id uuid not null,
  ordinal int4 not null,
  project_id uuid not null,
  start_offset int4 not null,
  end_offset int4 not null,
  model text collate "C" not null,
  embedding vector(256),
  primary key (tenant, page_id, ordinal),
  foreign key (tenant, page_id) references page (tenant, id) on delete cascade
);

create index passage_project on passage (tenant, project_id);
-- m and ef_construction: 0.995 of the true top 40 at ef_search 120, for half the time of the defaults.
create index passage_embedding on passage using hnsw (embedding vector_cosine_ops)
  with (m = 12, ef_construction = 40);
