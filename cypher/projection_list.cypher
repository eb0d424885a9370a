// projection_list: how far every tenant of this installation is projected.
//
// $a.namespace  String  what stands before its tenants
//
// Row: { tenant String, sequence Integer }
// Order: tenant.
MATCH (live:Projection)
WHERE live.tenant STARTS WITH $a.namespace
RETURN substring(live.tenant, size($a.namespace)) AS tenant, live.sequence AS sequence
ORDER BY tenant
