// page_upsert: puts pages into a generation, each in its present state.
//
// $a.tenant, generation  String, Integer
// $a.sequence            Integer  of the last change that these states hold
// $a.pages               [{id, project, path, title, kind String, sensitivity Integer, tags [String],
//                        archived, superseded Boolean, validFrom, validTo Integer (ms UTC)}]
//
// Index: constraint page_id_unique.
UNWIND $a.pages AS page
MERGE (p:Page {tenant: $a.tenant, generation: $a.generation, id: page.id})
SET p.project = page.project, p.path = page.path, p.title = page.title, p.kind = page.kind,
  p.sensitivity = page.sensitivity, p.tags = page.tags, p.archived = page.archived,
  p.superseded = page.superseded, p.validFrom = page.validFrom, p.validTo = page.validTo,
  p.seq = $a.sequence
