// The newest CONTRADICTS edges to a hub, without reading the others.
CREATE INDEX contradicts_in IF NOT EXISTS
FOR ()-[r:CONTRADICTS]-() ON (r.tenant, r.dst, r.at, r.id)
