-- 0004_edge: the ledger of all edges ever asserted, and the links that wait for a page.
--
-- Why    the ledger is the source of truth of the graph. A retraction ends recorded_to, it erases
--        nothing. in_body: the body of the from page says it; asserted: a caller said it. An edge
--        goes when neither holds. at orders edges: when the claim began, else when it was recorded.
--        waiting_edge keeps links by natural key until both pages are there.
-- Locks  none: new tables.

create table edge (
  tenant text collate "C" not null,
  id uuid not null,
  from_id uuid not null,
  to_id uuid not null,
  kind text collate "C" not null
    check (kind in ('CAUSES', 'FIXES', 'CONTRADICTS', 'SUPERSEDES', 'REFERENCES')),
  bare boolean not null generated always as (kind = 'REFERENCES') stored,
  in_body boolean not null,
  asserted boolean not null,
  note text,
  valid_from int8 not null,
  valid_to int8 not null,
  recorded_at int8 not null,
  recorded_to int8 not null default 253402300800000,
  at int8 not null,
  resolution text collate "C"
    check (resolution in ('UNRESOLVED', 'UPHELD', 'DISMISSED', 'RECONCILED')),
  resolved_by text,
  resolved_at int8,
  resolution_note text,
  primary key (tenant, id),
  check (from_id <> to_id),
  check ((kind = 'CONTRADICTS') = (resolution is not null)),
  foreign key (tenant, from_id) references page (tenant, id) on delete cascade,
  foreign key (tenant, to_id) references page (tenant, id) on delete cascade
);

create unique index edge_active on edge (tenant, from_id, to_id, kind)
  where recorded_to = 253402300800000;
create index edge_out on edge (tenant, from_id, kind, at desc, id);
create index edge_in on edge (tenant, to_id, kind, at desc, id);

create table waiting_edge (
  tenant text collate "C" not null,
  from_project text collate "C" not null,
  from_path text collate "C" not null,
  to_project text collate "C" not null,
  to_path text collate "C" not null,
  kind text collate "C" not null,
  in_body boolean not null,
  asserted boolean not null,
  note text,
  valid_from int8 not null,
  valid_to int8 not null,
  primary key (tenant, to_project, to_path, from_project, from_path, kind)
);

create index waiting_edge_from on waiting_edge (tenant, from_project, from_path);
