// generation_list_old: the generations of a tenant that are neither read nor being made.
//
// $a.tenant  String
//
// Row: { generation Integer }
// Index: constraints projection_tenant_unique, page_id_unique.
MATCH (live:Projection {tenant: $a.tenant})
UNWIND range(1, coalesce(live.newest, live.generation)) AS generation
WITH live, generation
WHERE generation <> live.generation AND generation <> coalesce(live.building, 0)
  AND EXISTS { MATCH (p:Page {tenant: $a.tenant, generation: generation}) }
RETURN generation
