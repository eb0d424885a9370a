-- 0023_reflection: what the last reflect pass over a project read.
--
-- Why    a model is asked only when there is something new for it to read. What a pass reads depends
--        on the sensitivity that it may read up to, so each has its own digest. No text is kept.
-- Locks  none: a new table.

create table reflection (
  tenant text collate "C" not null,
  project_id uuid not null,
  sensitivity int2 not null check (sensitivity between 0 and 3),
  digest text not null,
  primary key (tenant, project_id, sensitivity),
  foreign key (tenant, project_id) references project (tenant, id) on delete cascade
);
