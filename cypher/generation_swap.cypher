// generation_swap: has readers read another generation from now on.
//
// $a.tenant      String
// $a.generation  Integer
//
// Index: constraint projection_tenant_unique.
MATCH (live:Projection {tenant: $a.tenant})
SET live.generation = $a.generation
REMOVE live.building
