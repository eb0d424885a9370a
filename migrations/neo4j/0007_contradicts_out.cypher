// The newest CONTRADICTS edges from a hub, without reading the others.
CREATE INDEX contradicts_out IF NOT EXISTS
FOR ()-[r:CONTRADICTS]-() ON (r.tenant, r.src, r.at, r.id)
