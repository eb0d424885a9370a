-- 0019_edge_resolution: the former states of contradictions.
--
-- Why    a contradiction is settled, reopened and settled anew, and a read of the past must say what
--        was known then. edge has the state of now; each change puts the one before it here, with the
--        instant at which it was replaced. So the present reads no row of this table, and the past
--        reads one, and only of an edge whose state changed since. The first state, unresolved by
--        nobody, needs no row. Append-only.
-- Locks  edge, against writes, for the moment of the foreign key; the table is new.

create table edge_resolution (
  tenant text collate "C" not null,
  edge_id uuid not null,
  replaced_at int8 not null,
  resolution text collate "C" not null
    check (resolution in ('UNRESOLVED', 'UPHELD', 'DISMISSED', 'RECONCILED')),
  resolved_by text not null,
  resolved_at int8 not null,
  resolution_note text,
  primary key (tenant, edge_id, replaced_at),
  check (resolved_at < replaced_at),
  foreign key (tenant, edge_id) references edge (tenant, id) on delete cascade
);
