// edge_list_slice: the edges from the pages of a tenant in a range of ids, whole, in the generation
// that is read.
//
// $a.tenant        String
// $a.after, until  String  ids; the first is left out, the last is not
//
// Row: { edge {id, kind, src, dst, note, validFrom, validTo, recordedAt, at, resolution, resolvedBy,
//        resolvedAt, resolutionNote} }
//   src, dst  as the ends say it where they differ from the properties
// Index: constraints projection_tenant_unique, page_id_unique.
MATCH (live:Projection {tenant: $a.tenant})
MATCH (p:Page {tenant: $a.tenant, generation: live.generation})-[r]->(q:Page)
WHERE p.id > $a.after AND p.id <= $a.until
RETURN r {.id, kind: type(r), src: CASE r.src WHEN p.id THEN p.id ELSE r.src + ' at ' + p.id END,
  dst: CASE r.dst WHEN q.id THEN q.id ELSE r.dst + ' at ' + q.id END, .note, .validFrom, .validTo,
  .recordedAt, .at, .resolution, .resolvedBy, .resolvedAt, .resolutionNote} AS edge
