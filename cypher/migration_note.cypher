// migration_note: records a migration; one that is recorded already stays as it is.
//
// $a.name, sha256  String
// $a.at            Integer  milliseconds UTC
MERGE (m:SchemaMigration {name: $a.name})
  ON CREATE SET m.sha256 = $a.sha256, m.appliedAt = $a.at
