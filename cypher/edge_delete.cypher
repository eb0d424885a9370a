// edge_delete: takes edges out of a generation. One that is not there is no fault.
//
// $a.tenant, generation  String, Integer
// $a.edges               [{id, src, dst String}]
//
// Index: constraint page_id_unique.
UNWIND $a.edges AS edge
MATCH (:Page {tenant: $a.tenant, generation: $a.generation, id: edge.src})
  -[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]->
  (:Page {tenant: $a.tenant, generation: $a.generation, id: edge.dst})
WHERE r.id = edge.id
DELETE r
