// generation_begin: takes a number for a new graph of a tenant, beside the one that is read.
//
// $a.tenant  String
//
// Row: { generation Integer }
// Index: constraint projection_tenant_unique.
MERGE (live:Projection {tenant: $a.tenant})
  ON CREATE SET live.generation = 1, live.sequence = 0, live.turns = 0
SET live.newest = coalesce(live.newest, live.generation) + 1
SET live.building = live.newest
RETURN live.building AS generation
