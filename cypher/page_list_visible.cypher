// page_list_visible: those of the given pages that are there and visible, and where the tenant's
// projection stands. The start of every walk: what follows reads the same generation.
//
// $a.tenant               String
// $a.ids                  [String]
// $a.projects, clearance  [String], Integer  what the view lets through
//
// Row: { generation Integer, sequence Integer, ids [String] }
//   sequence  how far the tenant was projected when the reading began
// No row when the tenant was never projected.
// Order: as $a.ids.
// Index: constraints projection_tenant_unique, page_id_unique.
MATCH (live:Projection {tenant: $a.tenant})
WITH live.sequence AS sequence, live.generation AS generation
CALL (generation) {
  UNWIND range(0, size($a.ids) - 1) AS i
  MATCH (p:Page {tenant: $a.tenant, generation: generation, id: $a.ids[i]})
  WHERE p.project IN $a.projects AND p.sensitivity <= $a.clearance
  WITH i, p ORDER BY i
  RETURN collect(p.id) AS ids
}
RETURN generation, sequence, ids
