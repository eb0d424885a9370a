// edge_list_around: edges around pages, a list for each request, each from a place in its order on.
// Hubs are only named: edge_list_of_hubs.
//
// $a.tenant              String
// $a.projects, clearance [String], Integer  what the view and the filter let through
// $a.now                 Integer    milliseconds UTC; edges must be valid then
// $a.hub                 Integer    a page of more edges one way is a hub
// $a.requests            [{id String, out [String], in [String], limit Integer, withTotal Boolean,
//                        typedAt, bareAt Integer, typedId, bareId String}]
//   out, in            edge kinds listed forwards, backwards; may be empty
//   typedAt, typedId   the place after which typed edges come: at, and of equal ones the id; bare
//                      the same for REFERENCES
//
// Row: { sequence Integer, generation Integer, lists [{place Integer, isHub Boolean, edges [[id, kind,
//        src, dst, note, validFrom, validTo, recordedAt, at, resolution, resolvedBy, resolvedAt,
//        resolutionNote, is forwards]], total Integer}] }
//   sequence  how far the tenant was projected when the reading began
//   lists     for each request, by its place in `requests`; none where the page is not visible
//   total     all visible edges of these kinds, a hub's too; 0 unless asked for
// No row when the tenant was never projected.
// Order: typed before bare, newer before older, id.
// Index: constraints projection_tenant_unique, page_id_unique.
MATCH (live:Projection {tenant: $a.tenant})
WITH live.sequence AS sequence, live.generation AS generation
CALL (generation) {
  UNWIND range(0, size($a.requests) - 1) AS i
  WITH generation, i, $a.requests[i] AS asked
  MATCH (p:Page {tenant: $a.tenant, generation: generation, id: asked.id})
  WHERE p.project IN $a.projects AND p.sensitivity <= $a.clearance
  WITH i, asked, p, size(asked.out) > 0 AND COUNT { (p)-->() } > $a.hub
    OR size(asked.in) > 0 AND COUNT { (p)<--() } > $a.hub AS isHub
  CALL (p, asked, isHub) {
    CALL (p, asked, isHub) {
      WITH p, asked WHERE NOT isHub AND size(asked.out) > 0
      MATCH (p)-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]->(q:Page)
      WHERE type(r) IN asked.out
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND CASE type(r) WHEN 'REFERENCES'
          THEN r.at < asked.bareAt OR r.at = asked.bareAt AND r.id > asked.bareId
          ELSE r.at < asked.typedAt OR r.at = asked.typedAt AND r.id > asked.typedId END
      RETURN r, true AS isOut
     UNION ALL
      WITH p, asked WHERE NOT isHub AND size(asked.in) > 0
      MATCH (p)<-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]-(q:Page)
      WHERE type(r) IN asked.in
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
        AND CASE type(r) WHEN 'REFERENCES'
          THEN r.at < asked.bareAt OR r.at = asked.bareAt AND r.id > asked.bareId
          ELSE r.at < asked.typedAt OR r.at = asked.typedAt AND r.id > asked.typedId END
      RETURN r, false AS isOut
    }
    WITH r, isOut ORDER BY type(r) = 'REFERENCES', r.at DESC, r.id
    WITH collect([r, isOut]) AS all
    WITH all[0..asked.limit] AS kept
    RETURN [e IN kept | [e[0].id, type(e[0]), e[0].src, e[0].dst, e[0].note, e[0].validFrom, e[0].validTo,
      e[0].recordedAt, e[0].at, e[0].resolution, e[0].resolvedBy, e[0].resolvedAt,
      e[0].resolutionNote, e[1]]] AS edges
  }
  WITH i, isHub, edges, CASE WHEN asked.withTotal THEN
    COUNT {
      MATCH (p)-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]->(q:Page) WHERE type(r) IN asked.out
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
    } + COUNT {
      MATCH (p)<-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]-(q:Page) WHERE type(r) IN asked.in
        AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
        AND r.validFrom <= $a.now AND $a.now < r.validTo
    } ELSE 0 END AS total
  ORDER BY i
  RETURN collect({place: i, isHub: isHub, edges: edges, total: total}) AS lists
}
RETURN sequence, generation, lists
