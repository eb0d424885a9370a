// page_delete: removes pages of a generation with all their edges. One that is not there is no fault.
//
// $a.tenant, generation  String, Integer
// $a.ids                 [String]
//
// Index: constraint page_id_unique.
UNWIND $a.ids AS id
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation, id: id})
DETACH DELETE p
