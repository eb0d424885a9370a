// The newest REFERENCES edges from a hub, without reading the others.
CREATE INDEX references_out IF NOT EXISTS
FOR ()-[r:REFERENCES]-() ON (r.tenant, r.src, r.at, r.id)
