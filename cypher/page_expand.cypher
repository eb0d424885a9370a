// page_expand: one level of a walk. From each page of the frontier, its visible edges in order,
// and of their far ends those that are not visited yet. Hubs are only named: edge_list_of_hubs.
//
// $a.tenant, generation  String, Integer
// $a.frontier            [String]   pages of the level before, in order
// $a.out, in             [String]   edge kinds followed forwards, backwards; may be empty
// $a.projects, clearance [String], Integer  what the view and the filter let through
// $a.now                 Integer    milliseconds UTC; edges must be valid then
// $a.where               {kinds [String] or null, tags [String], includeIds [String] or null,
//                        excludeIds [String], path String or null, excludeArchived Boolean}
// $a.fanOut              Integer    most edges of one page
// $a.hub                 Integer    a page of more edges one way is a hub
// $a.visited             [String]   pages not to come back to
// $a.eachEdge            Boolean    false: each far end once, by its first edge; true: every edge
// $a.limit               Integer    most of these in all
//
// Row: { fresh [[far page, place in frontier, place in the page's list, edge id, is forwards, at,
//        is bare]], crowded [Integer], hubs [Integer] }
//   crowded    places in the frontier of pages with more than `fanOut` edges
//   hubs       places in the frontier of pages that were left out
// Order: fresh by place in the frontier, then typed before bare, newer before older, edge id.
// Index: constraint page_id_unique.
UNWIND range(0, size($a.frontier) - 1) AS i
MATCH (p:Page {tenant: $a.tenant, generation: $a.generation, id: $a.frontier[i]})
WITH i, p, size($a.out) > 0 AND COUNT { (p)-->() } > $a.hub
  OR size($a.in) > 0 AND COUNT { (p)<--() } > $a.hub AS isHub
CALL (p, isHub) {
  CALL (p, isHub) {
    WITH p WHERE NOT isHub AND size($a.out) > 0
    MATCH (p)-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]->(q:Page)
    WHERE type(r) IN $a.out
      AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
      AND r.validFrom <= $a.now AND $a.now < r.validTo
      AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
      AND all(tag IN $a.where.tags WHERE tag IN q.tags)
      AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
      AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
      AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
    RETURN r, q, true AS isOut
   UNION ALL
    WITH p WHERE NOT isHub AND size($a.in) > 0
    MATCH (p)<-[r:CAUSES|FIXES|CONTRADICTS|SUPERSEDES|REFERENCES]-(q:Page)
    WHERE type(r) IN $a.in
      AND q.project IN $a.projects AND q.sensitivity <= $a.clearance
      AND r.validFrom <= $a.now AND $a.now < r.validTo
      AND ($a.where.kinds IS NULL OR q.kind IN $a.where.kinds)
      AND all(tag IN $a.where.tags WHERE tag IN q.tags)
      AND ($a.where.includeIds IS NULL OR q.id IN $a.where.includeIds)
      AND NOT q.id IN $a.where.excludeIds AND NOT ($a.where.excludeArchived AND q.archived)
      AND ($a.where.path IS NULL OR q.path = $a.where.path OR q.path STARTS WITH $a.where.path + '/')
    RETURN r, q, false AS isOut
  }
  WITH r, q, isOut ORDER BY type(r) = 'REFERENCES', r.at DESC, r.id LIMIT $a.fanOut + 1
  RETURN collect([q.id, r.id, isOut, r.at, type(r) = 'REFERENCES']) AS hits
}
WITH collect({i: i, hits: hits, isHub: isHub}) AS listed
CALL (listed) {
  UNWIND listed AS page
  UNWIND range(0, CASE WHEN size(page.hits) > $a.fanOut THEN $a.fanOut ELSE size(page.hits) END - 1) AS j
  WITH page.i AS i, j, page.hits[j] AS hit
  WHERE NOT hit[0] IN $a.visited
  WITH CASE WHEN $a.eachEdge THEN hit[1] + toString(hit[2]) ELSE hit[0] END AS key,
    min([i, j, hit]) AS first
  WITH first[0] AS i, first[1] AS j, first[2] AS hit ORDER BY i, j LIMIT $a.limit
  RETURN collect([hit[0], i, j, hit[1], hit[2], hit[3], hit[4]]) AS fresh
}
RETURN fresh, [page IN listed WHERE size(page.hits) > $a.fanOut | page.i] AS crowded,
  [page IN listed WHERE page.isHub | page.i] AS hubs
