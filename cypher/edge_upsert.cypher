// edge_upsert: puts edges into a generation, each in its present state, between pages that are there.
//
// $a.tenant, generation  String, Integer
// $a.sequence            Integer  of the last change that these states hold
// $a.edges               [{id, kind, src, dst String, note String or null, validFrom, validTo,
//                        recordedAt, at Integer (ms UTC), resolution, resolvedBy String or null,
//                        resolvedAt Integer (ms UTC) or null, resolutionNote String or null}]
//
// Row: { written Integer }  fewer than were given when an end is missing
// Index: constraint page_id_unique.
UNWIND $a.edges AS edge
MATCH (from:Page {tenant: $a.tenant, generation: $a.generation, id: edge.src})
MATCH (to:Page {tenant: $a.tenant, generation: $a.generation, id: edge.dst})
CALL (edge, from, to) {
    WITH edge, from, to WHERE edge.kind = 'CAUSES'
    MERGE (from)-[r:CAUSES {id: edge.id}]->(to)
    RETURN r
   UNION ALL
    WITH edge, from, to WHERE edge.kind = 'FIXES'
    MERGE (from)-[r:FIXES {id: edge.id}]->(to)
    RETURN r
   UNION ALL
    WITH edge, from, to WHERE edge.kind = 'CONTRADICTS'
    MERGE (from)-[r:CONTRADICTS {id: edge.id}]->(to)
    RETURN r
   UNION ALL
    WITH edge, from, to WHERE edge.kind = 'SUPERSEDES'
    MERGE (from)-[r:SUPERSEDES {id: edge.id}]->(to)
    RETURN r
   UNION ALL
    WITH edge, from, to WHERE edge.kind = 'REFERENCES'
    MERGE (from)-[r:REFERENCES {id: edge.id}]->(to)
    RETURN r
}
SET r.tenant = $a.tenant, r.generation = $a.generation, r.src = edge.src, r.dst = edge.dst,
  r.note = edge.note, r.validFrom = edge.validFrom, r.validTo = edge.validTo,
  r.recordedAt = edge.recordedAt, r.at = edge.at, r.resolution = edge.resolution,
  r.resolvedBy = edge.resolvedBy, r.resolvedAt = edge.resolvedAt,
  r.resolutionNote = edge.resolutionNote, r.seq = $a.sequence
RETURN count(r) AS written
