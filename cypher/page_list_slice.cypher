// page_list_slice: the pages of a tenant in a range of ids, whole, in the generation that is read.
//
// $a.tenant        String
// $a.after, until  String  ids; the first is left out, the last is not
//
// Row: { page {id, project, path, title, kind, sensitivity, tags, archived, superseded, validFrom,
//        validTo} }
// Index: constraints projection_tenant_unique, page_id_unique.
MATCH (live:Projection {tenant: $a.tenant})
MATCH (p:Page {tenant: $a.tenant, generation: live.generation})
WHERE p.id > $a.after AND p.id <= $a.until
RETURN p {.id, .project, .path, .title, .kind, .sensitivity, .tags, .archived, .superseded,
  .validFrom, .validTo} AS page
