// The newest FIXES edges to a hub, without reading the others.
CREATE INDEX fixes_in IF NOT EXISTS
FOR ()-[r:FIXES]-() ON (r.tenant, r.dst, r.at, r.id)
