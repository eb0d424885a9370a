// The newest SUPERSEDES edges to a hub, without reading the others.
CREATE INDEX supersedes_in IF NOT EXISTS
FOR ()-[r:SUPERSEDES]-() ON (r.tenant, r.dst, r.at, r.id)
