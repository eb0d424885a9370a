// migration_list: the migrations that this graph has had.
//
// Row: { name String, sha256 String }
// Order: name.
MATCH (m:SchemaMigration)
RETURN DISTINCT m.name AS name, m.sha256 AS sha256
ORDER BY name
