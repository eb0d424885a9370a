-- 0010_edge_ended: finds the rows of an edge that have ended.
--
-- Why    an edge that is asserted again must begin after its last row has ended, also when the clock
--        stands still or goes back. A hub has too many edges to look through for the few of one pair.
-- Locks  edge, against writes, while the index is built; it holds ended rows alone.

create index edge_ended on edge (tenant, from_id, to_id, kind, recorded_to)
  where recorded_to < 253402300800000;
