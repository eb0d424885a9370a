// projection_find: how far a tenant is projected.
//
// $a.tenant  String
//
// Row: { sequence Integer }; none when the tenant was never projected
// Index: constraint projection_tenant_unique.
MATCH (live:Projection {tenant: $a.tenant})
RETURN live.sequence AS sequence
