// projection_advance: says how far a tenant is projected now.
//
// $a.tenant    String
// $a.sequence  Integer  of the last change that is carried
//
// Index: constraint projection_tenant_unique.
MATCH (live:Projection {tenant: $a.tenant})
SET live.sequence = $a.sequence
