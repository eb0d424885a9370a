// The newest REFERENCES edges to a hub, without reading the others.
CREATE INDEX references_in IF NOT EXISTS
FOR ()-[r:REFERENCES]-() ON (r.tenant, r.dst, r.at, r.id)
