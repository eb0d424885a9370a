// The newest CAUSES edges from a hub, without reading the others.
CREATE INDEX causes_out IF NOT EXISTS
FOR ()-[r:CAUSES]-() ON (r.tenant, r.src, r.at, r.id)
