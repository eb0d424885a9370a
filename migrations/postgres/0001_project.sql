-- 0001_project: tenants' namespaces of pages.
--
-- Why    every key, unique constraint and index of a tenant's rows starts with the tenant, so that
--        a store can be split by tenant later and no statement can cross tenants by accident.
--        Times are milliseconds since 1970 UTC; 253402300800000 (year 10000) means open and
--        -62135596800000 (year 1) since ever, so that ranges compare without null.
-- Locks  none: new tables.

create extension if not exists vector;
create extension if not exists btree_gin;

create table project (
  tenant text collate "C" not null,
  id uuid not null,
  name text collate "C" not null,
  description text not null,
  created_at int8 not null,
  primary key (tenant, id),
  unique (tenant, name)
);
