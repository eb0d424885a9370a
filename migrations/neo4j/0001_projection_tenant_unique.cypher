// One watermark for a tenant, found by one look-up; taking it locks the tenant.
CREATE CONSTRAINT projection_tenant_unique IF NOT EXISTS
FOR (live:Projection) REQUIRE live.tenant IS UNIQUE
