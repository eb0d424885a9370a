// The newest FIXES edges from a hub, without reading the others.
CREATE INDEX fixes_out IF NOT EXISTS
FOR ()-[r:FIXES]-() ON (r.tenant, r.src, r.at, r.id)
