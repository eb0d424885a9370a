// The newest CAUSES edges to a hub, without reading the others.
CREATE INDEX causes_in IF NOT EXISTS
FOR ()-[r:CAUSES]-() ON (r.tenant, r.dst, r.at, r.id)
