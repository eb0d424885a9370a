-- 0027_api_key: who may call, by a key that is shown once.
--
-- Why    only a hash of each key is kept, made with a secret that is not in the store: who reads the
--        table can neither use a key nor try guesses. projects is null for every project of the
--        tenant. A revoked key stays, so that its id is never given again and a list can tell.
--        last_used_at is written once in some minutes, not at each use.
--        The key of this table alone does not begin with the tenant: a request says who it is before
--        anyone knows its tenant.
-- Locks  none: a new table.

create table api_key (
  tenant text collate "C" not null,
  id text collate "C" primary key,
  hash bytea not null,
  name text not null,
  scopes text[] collate "C" not null,
  projects text[] collate "C",
  clearance int2 not null check (clearance between 0 and 3),
  created_at int8 not null,
  expires_at int8 not null,
  revoked_at int8,
  last_used_at int8
);
