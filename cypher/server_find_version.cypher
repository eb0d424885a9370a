// server_find_version: what kind of server this is.
//
// Row: { version String, edition String }
CALL dbms.components() YIELD name, versions, edition
WHERE name = 'Neo4j Kernel'
RETURN versions[0] AS version, edition
