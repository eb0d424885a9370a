// page_count: how many pages a generation has.
//
// $a.tenant, generation  String, Integer
//
// Row: { pages Integer }
// Index: constraint page_id_unique.
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation})
RETURN count(p) AS pages
