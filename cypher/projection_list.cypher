// projection_list: how far every tenant is projected.
//
// Row: { tenant String, sequence Integer }
MATCH (live:Projection)
RETURN live.tenant AS tenant, live.sequence AS sequence
ORDER BY tenant
