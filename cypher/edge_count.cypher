// edge_count: how many edges of each kind a generation has.
//
// $a.tenant, generation  String, Integer
//
// Row: { kind String, count Integer }  none for a kind without edges
// Index: constraint page_id_unique.
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation})-[r]->()
RETURN type(r) AS kind, count(r) AS count
