// page_delete_some: removes some pages of a generation with their edges.
//
// $a.tenant, generation  String, Integer
// $a.limit               Integer
//
// Row: { deleted Integer }  0 when none is left
// Index: constraint page_id_unique.
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation})
WITH p LIMIT $a.limit
DETACH DELETE p
RETURN count(p) AS deleted
