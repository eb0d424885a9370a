// edge_list_of_hubs: the first edges of pages that have very many, read through the indexes over
// relationships, newest first, and only as far as needed.
//
// $a.tenant, generation  String, Integer
// $a.projects, clearance [String], Integer  what the view and the filter let through
// $a.now                 Integer    milliseconds UTC; edges must be valid then
// $a.where               {kinds [String] or null, tags [String], includeIds [String] or null,
//                        excludeIds [String], path String or null, excludeArchived Boolean}
// $a.limit               Integer    most edges of one page
// $a.scan                Integer    most edges examined of one page, kind and direction
// $a.requests            [{id String, out [String], in [String], typedAt, bareAt Integer,
//                        typedId, bareId String}]  as for edge_list_around
//
// Row: { place Integer, edges [[id, kind, src, dst, note, validFrom, validTo, recordedAt, at,
//        resolution, resolvedBy, resolvedAt, resolutionNote, is forwards]], isCut Boolean }
//   place  of the page in `requests`
//   isCut  whether the list is not full and edges were left unexamined
// Order: place; edges typed before bare, newer before older, id.
// Index: constraint page_id_unique; <kind>_out and <kind>_in. They are read in their order only if ORDER BY names the first
//        keys too, though they are constant, and the others are said to be there.
UNWIND range(0, size($a.requests) - 1) AS i
WITH i, $a.requests[i] AS asked
CALL (asked) {
  CALL (asked) {
    WITH asked WHERE 'CAUSES' IN asked.out
    CALL (asked) {
      MATCH ()-[r:CAUSES]->(q:Page)
      WHERE r.tenant = $a.tenant AND r.src = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, true AS isOut
   UNION ALL
    WITH asked WHERE 'FIXES' IN asked.out
    CALL (asked) {
      MATCH ()-[r:FIXES]->(q:Page)
      WHERE r.tenant = $a.tenant AND r.src = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, true AS isOut
   UNION ALL
    WITH asked WHERE 'CONTRADICTS' IN asked.out
    CALL (asked) {
      MATCH ()-[r:CONTRADICTS]->(q:Page)
      WHERE r.tenant = $a.tenant AND r.src = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, true AS isOut
   UNION ALL
    WITH asked WHERE 'SUPERSEDES' IN asked.out
    CALL (asked) {
      MATCH ()-[r:SUPERSEDES]->(q:Page)
      WHERE r.tenant = $a.tenant AND r.src = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, true AS isOut
   UNION ALL
    WITH asked WHERE 'REFERENCES' IN asked.out
    CALL (asked) {
      MATCH ()-[r:REFERENCES]->(q:Page)
      WHERE r.tenant = $a.tenant AND r.src = asked.id AND r.at <= asked.bareAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.bareAt OR r.id > asked.bareId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.src DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, true AS isOut
   UNION ALL
    WITH asked WHERE 'CAUSES' IN asked.in
    CALL (asked) {
      MATCH ()<-[r:CAUSES]-(q:Page)
      WHERE r.tenant = $a.tenant AND r.dst = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, false AS isOut
   UNION ALL
    WITH asked WHERE 'FIXES' IN asked.in
    CALL (asked) {
      MATCH ()<-[r:FIXES]-(q:Page)
      WHERE r.tenant = $a.tenant AND r.dst = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, false AS isOut
   UNION ALL
    WITH asked WHERE 'CONTRADICTS' IN asked.in
    CALL (asked) {
      MATCH ()<-[r:CONTRADICTS]-(q:Page)
      WHERE r.tenant = $a.tenant AND r.dst = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, false AS isOut
   UNION ALL
    WITH asked WHERE 'SUPERSEDES' IN asked.in
    CALL (asked) {
      MATCH ()<-[r:SUPERSEDES]-(q:Page)
      WHERE r.tenant = $a.tenant AND r.dst = asked.id AND r.at <= asked.typedAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.typedAt OR r.id > asked.typedId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, false AS isOut
   UNION ALL
    WITH asked WHERE 'REFERENCES' IN asked.in
    CALL (asked) {
      MATCH ()<-[r:REFERENCES]-(q:Page)
      WHERE r.tenant = $a.tenant AND r.dst = asked.id AND r.at <= asked.bareAt AND r.id IS NOT NULL
      WITH asked, r, q ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.scan
      WHERE (r.at < asked.bareAt OR r.id > asked.bareId) AND r.generation = $a.generation
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
        AND all(tag IN $a.where.tags WHERE tag IN q.tags)
        AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
        AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
        AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
      RETURN r ORDER BY r.tenant DESC, r.dst DESC, r.at DESC, r.id LIMIT $a.limit
    }
    RETURN r, false AS isOut
  }
  WITH r, isOut ORDER BY type(r) = 'REFERENCES', r.at DESC, r.id LIMIT $a.limit
  WITH collect([r, isOut]) AS kept
  RETURN [e IN kept | [e[0].id, type(e[0]), e[0].src, e[0].dst, e[0].note, e[0].validFrom, e[0].validTo,
    e[0].recordedAt, e[0].at, e[0].resolution, e[0].resolvedBy, e[0].resolvedAt, e[0].resolutionNote,
    e[1]]] AS edges
}
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation, id: asked.id})
RETURN i AS place, edges, size(edges) < $a.limit AND (
  'CAUSES' IN asked.out AND COUNT { (p)-[:CAUSES]->() } > $a.scan OR
  'FIXES' IN asked.out AND COUNT { (p)-[:FIXES]->() } > $a.scan OR
  'CONTRADICTS' IN asked.out AND COUNT { (p)-[:CONTRADICTS]->() } > $a.scan OR
  'SUPERSEDES' IN asked.out AND COUNT { (p)-[:SUPERSEDES]->() } > $a.scan OR
  'REFERENCES' IN asked.out AND COUNT { (p)-[:REFERENCES]->() } > $a.scan OR
  'CAUSES' IN asked.in AND COUNT { (p)<-[:CAUSES]-() } > $a.scan OR
  'FIXES' IN asked.in AND COUNT { (p)<-[:FIXES]-() } > $a.scan OR
  'CONTRADICTS' IN asked.in AND COUNT { (p)<-[:CONTRADICTS]-() } > $a.scan OR
  'SUPERSEDES' IN asked.in AND COUNT { (p)<-[:SUPERSEDES]-() } > $a.scan OR
  'REFERENCES' IN asked.in AND COUNT { (p)<-[:REFERENCES]-() } > $a.scan) AS isCut
ORDER BY place
