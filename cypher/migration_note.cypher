// migration_note: records a migration; one that is recorded already stays as it is. Two that
// record it at once may do so twice, which says the same.
//
// $a.name, sha256  String
// $a.at            Integer  milliseconds UTC
MERGE (m:SchemaMigration {name: $a.name})
  ON CREATE SET m.sha256 = $a.sha256, m.appliedAt = $a.at
