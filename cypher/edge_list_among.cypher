// edge_list_among: all edges of the given kinds with both ends among the given pages.
//
// $a.tenant, generation  String, Integer
// $a.ids                 [String]   pages that the reader sees
// $a.kinds               [String]   edge kinds
// $a.now                 Integer    milliseconds UTC; edges must be valid then
//
// Row: { edge [id, kind, src, dst, note, validFrom, validTo, recordedAt, at, resolution, resolvedBy,
//        resolvedAt, resolutionNote] }
// Order: typed before bare, newer before older, id.
// Index: constraint page_id_unique.
UNWIND $a.ids AS id
MATCH (page:Page {tenant: $a.tenant, generation: $a.generation, id: id})
WITH collect(page) AS pages
UNWIND pages AS from
MATCH (from)-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]->(to)
WHERE to IN pages AND type(r) IN $a.kinds AND r.validFrom <= $a.now AND $a.now < r.validTo
RETURN [r.id, type(r), r.src, r.dst, r.note, r.validFrom, r.validTo, r.recordedAt, r.at,
  r.resolution, r.resolvedBy, r.resolvedAt, r.resolutionNote] AS edge
ORDER BY type(r) = 'REFERENCES', r.at DESC, r.id
