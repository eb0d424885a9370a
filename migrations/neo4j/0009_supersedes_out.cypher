// The newest SUPERSEDES edges from a hub, without reading the others.
CREATE INDEX supersedes_out IF NOT EXISTS
FOR ()-[r:SUPERSEDES]-() ON (r.tenant, r.src, r.at, r.id)
